// `npm run differential [-- vitest arguments]`: runs every client through the gateway, replays the recording, and writes
// both results into the table of docs/gateway.md. `-- -t Codex` updates the rows of one client.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { installAgents } from './agents.mjs'
import { cache, inRoot } from './install.mjs'

const folder = `${cache}/differential`
const page = inRoot('docs/gateway.md')
const start = '<!-- differential: made by `npm run differential` -->'
const end = '<!-- /differential -->'

// With arguments only some clients run; the rows of the others stay as they are.
if (process.argv.length === 2) rmSync(folder, { recursive: true, force: true })
await installAgents({ report: (line) => console.error(line) })
const vitest = spawnSync(
  process.execPath,
  [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    'test/e2e/differential',
    ...process.argv.slice(2),
  ],
  { cwd: inRoot(), stdio: 'inherit', env: { ...process.env, DIFFERENTIAL_REPORT: folder } },
)

const files = readdirSync(folder).sort()
const sessions = files.map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
const text = readFileSync(page, 'utf8')
const [before, rest] = text.split(start)
const [made, after] = rest?.split(end) ?? []
if (before === undefined || after === undefined) throw new Error(`${page} has no ${start}`)
const kept = process.argv.length === 2 ? ['', ''] : made.trim().split('\n\n')
writeFileSync(page, `${before}${start}\n\n${tables(sessions, kept)}\n\n${end}${after}`)
process.exit(vitest.status ?? 1)

function tables(all, [whole = '', shapes = '']) {
  return `${withRows(wholeTable(all), whole)}\n\n${withRows(shapeTable(all), shapes)}`
}

/** Adds the page's rows for clients that are not in the new table. */
function withRows(table, kept) {
  const [head, line, ...rows] = table.split('\n')
  const clients = new Set(rows.map(clientOf))
  const others = kept
    .split('\n')
    .slice(2)
    .filter((row) => !clients.has(clientOf(row)))
  const sorted = [...rows, ...others].sort((a, b) => (clientKey(a) < clientKey(b) ? -1 : 1))
  return [head, line, ...sorted].join('\n')
}

function clientOf(row) {
  return row.split(' | ')[0]
}

/** Sorts like the report files. */
function clientKey(row) {
  return `${clientOf(row)
    .slice(2)
    .replaceAll(/[^\w.]+/g, '-')}.json`
}

function wholeTable(all) {
  const head = [
    'client and model',
    'calls',
    'read differently',
    'files known differently',
    'decisions',
    'decided differently',
    'tokens live',
    'tokens replayed',
  ]
  const rows = all.map(({ client, operations, knowledge, decisions, rows: shapes }) => {
    const sum = (pick) => shapes.reduce((total, shape) => total + pick(shape), 0)
    return [
      client,
      sum(({ calls }) => calls),
      operations.length,
      knowledge.length,
      sum(({ decisions: made }) => made.live),
      decisions.length,
      sum(({ tokens }) => tokens.live).toLocaleString('en'),
      sum(({ tokens }) => tokens.replayed).toLocaleString('en'),
    ]
  })
  return markdown(head, rows)
}

/** Live and replayed decisions, and the difference between live and replayed tokens. */
function shapeTable(all) {
  const shapes = all[0]?.rows.map(({ shape }) => shape) ?? []
  const rows = all.map(({ client, rows: own }) => [client, ...own.map(cell)])
  return markdown(['client and model', ...shapes], rows)
}

function cell({ decisions: { live, replayed }, tokens }) {
  const percent = (100 * (tokens.live - tokens.replayed)) / Math.max(1, tokens.replayed)
  const sign = percent > 0.04 ? '+' : percent < -0.04 ? '−' : ''
  return `${live}/${replayed} ${sign}${Math.abs(percent).toFixed(1)} %`
}

function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
