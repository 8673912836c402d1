import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readRecording } from '../src/recordings/read-recording.ts'
import type { BenchRow } from './bench-row.ts'

// Relative to the project's root, where benchmarks run.
const corpus = path.resolve('../shared/corpus')
const highWaterMark = 1 << 18
const shortestRunMs = 30

/** Reading recordings as streams, compared with `JSON.parse` of the same lines and with the file size. */
export async function benchRecordings({ quick }: { readonly quick: boolean }): Promise<BenchRow[]> {
  const runs = quick ? 3 : 7
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-'))
  try {
    const file = path.join(folder, 'session.jsonl')
    const calls = quick ? 400 : 4_000
    writeFileSync(file, syntheticSession({ calls, shape: 'typical' }))
    const dense = path.join(folder, 'dense.jsonl')
    writeFileSync(dense, syntheticSession({ calls: calls * 2, shape: 'dense' }))
    const rows = [
      await memoryRow('memory for a synthetic recording / its size', file),
      await memoryRow('memory for a dense recording / its size', dense),
      await timeRow('reading a synthetic recording / JSON.parse', [file], runs),
      // Harder than a real recording: every line has non-ASCII characters, and half of all text is kept.
      await timeRow('reading a stress shape / JSON.parse', [dense], runs, 4),
    ]
    for (const [format, files] of corpusFiles()) {
      rows.push(await timeRow(`reading ${format} recordings / JSON.parse`, files, runs))
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Processor time, so that other programs do not count. Takes the best of several runs. */
async function timeRow(
  name: string,
  files: readonly string[],
  runs: number,
  limit = 3,
): Promise<BenchRow> {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(isJson))
  const parse = async (): Promise<void> => lines.forEach(parseAndDrop)
  // Chunks come from memory, because `JSON.parse` does not wait for the disk either.
  const contents = files.map((file) => readFileSync(file))
  const read = async (): Promise<void> => {
    for (const content of contents) await readRecording(chunksOf(content))
  }
  // Small files are read several times, so that a run is long enough to measure.
  const repeats = Math.ceil(shortestRunMs / Math.max(1, await milliseconds(parse, 1)))
  let parsing = Number.POSITIVE_INFINITY
  let reading = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    parsing = Math.min(parsing, (await milliseconds(parse, repeats)) / repeats)
    reading = Math.min(reading, (await milliseconds(read, repeats)) / repeats)
  }
  const note = `${reading.toFixed(1)} ms against ${parsing.toFixed(1)} ms`
  return { name, ratio: reading / parsing, limit, better: 'below', note }
}

function* chunksOf(content: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < content.length; start += highWaterMark)
    yield content.subarray(start, start + highWaterMark)
}

/** The peak memory while a file is read, and the memory at the end, measured after garbage collections. */
async function memoryRow(name: string, file: string): Promise<BenchRow> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = (): number => {
    // Memory outside the heap is only released at the next collection.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  const { size } = statSync(file)
  let peak = 0
  let nextSample = 0
  let read = 0
  const result = await readRecording(createReadStream(file, { highWaterMark }), {
    onBytes(bytes) {
      read += bytes
      if (read < nextSample) return
      nextSample += size / 16
      peak = Math.max(peak, held() - before)
    },
  })
  const kept = held() - before
  const megabytes = (size / 1e6).toFixed(0)
  const note = `${megabytes} MB, ${result.recordings.length} session, ${(kept / size).toFixed(2)} kept at the end`
  return { name, ratio: Math.max(peak, kept) / size, limit: 3, better: 'below', note }
}

async function milliseconds(work: () => Promise<void>, repeats: number): Promise<number> {
  const start = process.cpuUsage()
  for (let repeat = 0; repeat < repeats; repeat += 1) await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function parseAndDrop(line: string): void {
  JSON.parse(line)
}

function corpusFiles(): readonly (readonly [string, readonly string[]])[] {
  if (!existsSync(corpus)) return []
  return ['claude-code', 'codex', 'copilot-cli', 'pi']
    .map((format) => [format, path.join(corpus, format)] as const)
    .filter(([, folder]) => existsSync(folder))
    .map(([format, folder]) => [format, readdirSync(folder).map((file) => path.join(folder, file))])
}

interface SyntheticSession {
  readonly calls: number
  /**
   * `typical`: most bytes are copies for the screen, and half of them stand in lines with characters beyond ASCII, as
   * in real recordings. `dense`: every line of a result is beyond ASCII, and half of the file is kept, which costs two bytes a character.
   */
  readonly shape: 'typical' | 'dense'
}

/** A generated Claude Code session. */
function syntheticSession({ calls, shape }: SyntheticSession): string {
  const dense = shape === 'dense'
  const lines: string[] = []
  const add = (type: string, rest: object): void => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, '0')}`
    const common = { isSidechain: false, sessionId: 'bench', cwd: '/repo', version: '2.1.0' }
    const timestamp = '2026-01-05T10:00:00.000Z'
    lines.push(JSON.stringify({ ...common, type, uuid, timestamp, ...rest }))
  }
  add('user', { message: { role: 'user', content: 'Make the tests pass.' } })
  for (let call = 0; call < calls; call += 1) {
    const id = `toolu_${call}`
    const name = ['Read', 'Edit', 'Bash'][call % 3]!
    const body = Array.from(
      { length: 20 + ((call * 37) % 120) },
      (_, line) =>
        `${line + 1}\tconst value${line} = compute("${call}", ${line * 7})${dense ? ` // “${name}”` : ''}`,
    ).join('\n')
    const output = dense || call % 2 === 1 ? `${body}\n✓ done` : body
    const usage = { input_tokens: 10, cache_read_input_tokens: call * 100, output_tokens: 50 }
    const message = { id: `msg_${call}`, model: 'claude-bench', role: 'assistant', usage }
    const thinking = { type: 'thinking', thinking: 'Let me look. '.repeat(15), signature: 'x' }
    add('assistant', { message: { ...message, content: [thinking] } })
    const input = { file_path: `/repo/src/file-${call % 40}.ts`, old_string: body.slice(0, 200) }
    add('assistant', { message: { ...message, content: [{ type: 'tool_use', id, name, input }] } })
    const content = [{ type: 'tool_result', tool_use_id: id, content: output }]
    const toolUseResult = { originalFile: dense ? output : output.repeat(3), structuredPatch: [] }
    add('user', { message: { role: 'user', content }, toolUseResult })
    add('progress', { data: { type: 'bash_progress', output: body.slice(0, 400) } })
  }
  return `${lines.join('\n')}\n`
}
