// Writes the table of docs/agents.md from what test/e2e/setup asserts of each agent. With `--check` it only says whether
// the table is current.
import { readFileSync, writeFileSync } from 'node:fs'
import { newestVersion } from './agents.mjs'
import { inRoot } from './install.mjs'

const target = inRoot('docs/agents.md')
const rows = JSON.parse(readFileSync(inRoot('test/e2e/setup/agents.json'), 'utf8'))
const names = Object.fromEntries(
  rows.map(({ id }) => {
    const files = {
      claude: 'claude-code',
      cn: 'continue',
      copilot: 'copilot-cli',
      gemini: 'gemini-cli',
      qwen: 'qwen-code',
    }
    const source = readFileSync(inRoot('src/setup', `${files[id] ?? id}.ts`), 'utf8')
    return [id, /^ {2}name: '(.+)',$/m.exec(source)?.[1] ?? id]
  }),
)
const code = (text) => `\`${text}\``
const changes = (init) =>
  Object.entries(init).map(
    ([file, what]) =>
      `${what.map(code).join(', ')} in ${file === '.bashrc' ? "your shell's profile" : code(`~/${file}`)}`,
  )
const lines = rows.map(({ id, tested, run, init, tools, around }) =>
  [
    '',
    `${names[id]} (${code(id)})`,
    tested === null ? 'no: it is no npm package' : newestVersion(tested),
    run.map(code).join(', '),
    changes(init).join('; '),
    tools === 'run' ? 'by `run`' : tools ? 'yes' : 'no',
    around,
    '',
  ]
    .join(' | ')
    .trim(),
)
const table = [
  '| agent | tested | `run` | `init` writes | MCP tools | not through the gateway |',
  '|---|---|---|---|---|---|',
  ...lines,
].join('\n')
const [begin, end] = ['<!-- table of the tests -->\n', '\n<!-- end of the table -->']
const text = readFileSync(target, 'utf8')
const from = text.indexOf(begin)
const to = text.indexOf(end)
if (from === -1 || to === -1) throw new Error('docs/agents.md has lost the marks of its table')
const written = `${text.slice(0, from + begin.length)}${table}${text.slice(to)}`
if (!process.argv.includes('--check')) writeFileSync(target, written)
else if (text !== written) {
  console.error('docs/agents.md is not current: run node scripts/agents-table.mjs')
  process.exitCode = 1
}
