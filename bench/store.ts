import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MessageDraft } from '../src/core/words/item.ts'
import { readRecording } from '../src/recordings/read-recording.ts'
import { sessionFor } from '../src/replay/recorded-session.ts'
import { replay } from '../src/replay/replay.ts'
import { openStore, type Store } from '../src/store/index.ts'
import type { BenchRow } from './bench-row.ts'
import { quantile } from './score/quantile.ts'
import { keepsLimit } from './speed/row-line.ts'
import { appendRow } from './store-append.ts'

interface BenchOptions {
  readonly quick: boolean
}

const corpus = path.resolve('../shared/corpus')
const gigabyte = 1e9
const slowestRestoreMs = 5
const restores = 5000

/** Measures the time of an append, the time of a restore, and the size on disk. */
async function benchStore({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-store-bench-'))
  try {
    return [
      await appendRow(folder, quick ? 200 : 1000),
      await restoreRow(folder, quick ? gigabyte / 20 : gigabyte),
      ...(await sizeRows(folder, quick)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measured in processor time, because elapsed time includes other programs. The note has both. */
async function restoreRow(folder: string, bytes: number): Promise<BenchRow> {
  const file = path.join(folder, 'large.db')
  const handles = await fill(file, bytes)
  const store = await openStore({ kind: 'sqlite', path: file })
  const wall: number[] = []
  const processor: number[] = []
  for (let at = 0; at < restores; at++) {
    const handle = handles[(at * 7919) % handles.length] ?? ''
    const used = process.cpuUsage()
    const start = performance.now()
    const found = await store.original(handle)
    wall.push(performance.now() - start)
    const { user, system } = process.cpuUsage(used)
    processor.push((user + system) / 1000)
    if (found.kind !== 'found') throw new Error(`${handle} is ${found.kind}`)
  }
  await store.close()
  const waited = wall.filter(
    (time, at) => time > slowestRestoreMs && (processor[at] ?? 0) < slowestRestoreMs,
  ).length
  const over = wall.filter((time) => time > slowestRestoreMs).length
  const size = (statSync(file).size / gigabyte).toFixed(2)
  const at = (times: readonly number[], share: number): number =>
    quantile(
      [...times].sort((a, b) => a - b),
      share,
    )
  const figures = (times: readonly number[]): string =>
    `p50 ${at(times, 0.5).toFixed(2)} ms, p99 ${at(times, 0.99).toFixed(2)} ms`
  return {
    name: `restore of one original, p99, of ${slowestRestoreMs} ms`,
    ratio: at(processor, 0.99) / slowestRestoreMs,
    limit: 1,
    better: 'below',
    note: `every one of ${restores} counts; processor time ${figures(processor)}; by the clock ${figures(wall)}, ${over} over ${slowestRestoreMs} ms, ${waited} of them because other programs had the processor; store of ${size} GB`,
  }
}

/** Writes sessions of barely compressible text until the file has the given size. Returns some of the handles. */
async function fill(file: string, bytes: number): Promise<readonly string[]> {
  const store = await openStore({ kind: 'sqlite', path: file })
  const handles: string[] = []
  for (let number = 0; statSync(file).size < bytes; number++) {
    const session = await store.openSession({ id: `session ${number}`, origin: 'bench' })
    for (let turn = 0; turn < 50; turn++) {
      const messages = Array.from({ length: 20 }, (_, at) => {
        const text = randomBytes(300 + ((turn * 20 + at) % 40) * 150).toString('base64')
        const handle = randomBytes(6).toString('hex')
        if (at === 7) handles.push(handle)
        const draft: MessageDraft = { role: 'user', items: [{ kind: 'text', text }] }
        return { previous: null, draft, handles: [handle] }
      })
      const expected = { messages: turn * 20, ledger: 0, entries: 0 }
      await store.append(session, { expected, messages })
    }
  }
  await store.close()
  return handles
}

async function sizeRows(folder: string, quick: boolean): Promise<readonly BenchRow[]> {
  const formats = existsSync(corpus)
    ? readdirSync(corpus).filter((name) => statSync(path.join(corpus, name)).isDirectory())
    : []
  const files = formats.flatMap((format) => {
    const names = readdirSync(path.join(corpus, format)).map((name) =>
      path.join(corpus, format, name),
    )
    return names.filter((name) => statSync(name).isFile()).slice(0, quick ? 3 : undefined)
  })
  const sessions = files.length > 0 ? files : ['examples/sample-session.json']
  const file = path.join(folder, 'real.db')
  const store = await openStore({ kind: 'sqlite', path: file })
  let text = 0
  for (const session of sessions) text += await keep(store, session)
  await store.close()
  const megabytes = (text / 1e6).toFixed(1)
  return [
    {
      name: 'size on disk / text of real sessions',
      ratio: statSync(file).size / text,
      limit: 0.6,
      better: 'below',
      note: `${sessions.length} recordings, ${megabytes} MB of text, ledgers included`,
    },
  ]
}

/** Runs a recorded session through engine and store. Returns the bytes of all its texts. */
async function keep(store: Store, file: string): Promise<number> {
  const { recordings } = await readRecording(createReadStream(file)).catch(() => ({
    recordings: [],
  }))
  let bytes = 0
  for (const [at, recording] of recordings.entries()) {
    const opened = await store.openSession({ id: `${file} ${at}`, origin: 'bench' })
    const stored = { store, loaded: await store.load(opened) }
    const session = sessionFor(recording, { config: { toolMappings: [], warnings: [] }, stored })
    for (const _ of replay(recording, session)) await session.commit()
    await session.commit()
    for (const { text } of session.engine.record.items) bytes += Buffer.byteLength(text)
  }
  return bytes
}

const args = process.argv.slice(2)
const rows = await benchStore({ quick: args.includes('--quick') })
if (args.includes('--json')) console.log(JSON.stringify(rows))
else {
  for (const row of rows) {
    const { name, ratio, limit, note } = row
    const verdict = keepsLimit(row) ? 'ok  ' : 'MISS'
    console.log(`${verdict}  ${name.padEnd(50)} ${ratio.toFixed(3)}  ≤ ${limit}  ${note ?? ''}`)
  }
}
process.exitCode = rows.every(keepsLimit) ? 0 : 1
