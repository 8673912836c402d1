// Writes docs/seeds.md: every statement of the documents that Palimpsest unites, and the test that shows it. With
// `--check` it only says whether the file is current.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from './install.mjs'

const folder = inRoot('test/seeds')
const target = inRoot('docs/seeds.md')
const { statements } = JSON.parse(readFileSync(`${folder}/statements.json`, 'utf8'))
const shownIn = new Map()
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .sort()) {
  const text = readFileSync(`${folder}/${file}`, 'utf8')
  for (const [, id] of text.matchAll(/\brow\('(\d{3}-\d{2})'/g)) {
    if (shownIn.has(id)) throw new Error(`${id} has two tests: in ${shownIn.get(id)} and ${file}`)
    shownIn.set(id, file)
  }
}
const verdict = ({ id, instead, differs, untestable, note }) => {
  if (untestable !== undefined) return `cannot be tested: ${untestable}`
  if (differs !== undefined) return `works differently: ${differs}`
  if (!shownIn.has(id))
    return instead === undefined ? 'no test yet' : `no test yet; by design: ${instead}`
  if (instead !== undefined) return `works, and better: ${instead}`
  return note === undefined ? 'works' : `works: ${note}`
}
const link = (file) => {
  if (!existsSync(inRoot(file))) throw new Error(`there is no ${file}`)
  return `[${path.basename(file)}](../${file})`
}
/** Where the statement's own test is, and where it is seen in the real OpenCode beside that. */
const where = ({ id, host }) => {
  if (!shownIn.has(id)) return '–'
  const own = link(`test/seeds/${shownIn.get(id)}`)
  return host === undefined ? own : `${own}, in OpenCode ${link(host)}`
}
const lines = [
  '# The documents, statement by statement',
  '',
  'Palimpsest unites five documents. This table has every statement of them, and the test that shows it. `node scripts/seeds.mjs` writes it from the tests.',
  '',
  '000: auto-supersede. 001: ACP architecture. 002: supersede-reads. 003: smart tool history. 004: memory supersession.',
  '',
  `${statements.length} statements, ${shownIn.size} with a test of their own.`,
  '',
  '| id | statement | verdict | shown in |',
  '|---|---|---|---|',
  ...statements.map(
    (each) => `| ${each.id} | ${each.statement} | ${verdict(each)} | ${where(each)} |`,
  ),
  '',
].join('\n')

if (!process.argv.includes('--check')) writeFileSync(target, lines)
else if (readFileSync(target, 'utf8') !== lines) {
  console.error('docs/seeds.md is not current: run node scripts/seeds.mjs')
  process.exitCode = 1
}
