// A policy to measure: keeps the last ten tool results and replaces older ones by a short line. docs/traces.md describes it.
//   npm run bench -- --trace-cmd 'node examples/keep-last-results.mjs {file}'
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const kept = 10

// The trace of the session as it was, so that this program needs no reader of recordings.
const command = path.resolve(import.meta.dirname, '../dist/cli/main.js')
const args = ['replay', process.argv[2] ?? '', '--trace', '--preset', 'off']
const trace = execFileSync(process.execPath, [command, ...args], {
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
})
const rows = trace
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

let session = null
for (const row of rows) {
  if (row.type === 'session') {
    session = { items: [], shown: new Map(), short: new Map(), epoch: 0 }
    print({ ...row, policy: 'keep-last-results' })
  } else if (row.type === 'request') {
    print(withShortResults(row, session))
  } else {
    if (row.type === 'item') session.items.push(row)
    if (row.type === 'rendition') session.shown.set(row.r, session.items[row.i])
    print(row)
  }
}

function withShortResults(request, session) {
  const { shown, short } = session
  const results = request.view.filter((r) => shown.get(r).kind === 'result')
  const old = results.slice(0, -kept)
  const fresh = old.filter((r) => !short.has(r))
  for (const r of fresh) short.set(r, shorten(r, shown.get(r)))
  // Bytes that were sent before change with this request.
  if (fresh.length > 0) session.epoch++
  const isOld = new Set(old)
  const view = request.view.map((r) => (isOld.has(r) ? short.get(r) : r))
  return { ...request, view, epoch: session.epoch }
}

/** Prints a short form of a result and returns its number; a result that is short already stays as it is. */
function shorten(r, item) {
  const handle = item.i.toString(16).padStart(6, '0')
  const text = `[result left out · ${handle}]`
  if (text.length >= item.text.length) return r
  const own = rows.length + item.i
  print({ type: 'rendition', r: own, i: item.i, how: 'discarded', text, handle })
  return own
}

function print(row) {
  process.stdout.write(`${JSON.stringify(row)}\n`)
}
