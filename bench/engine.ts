import { createEngineMaker } from '../src/config/engine-maker.ts'
import type { Engine } from '../src/core/engine.ts'
import { createRecord } from '../src/core/record/record.ts'
import type { MessageDraft } from '../src/core/words/item.ts'
import { anthropic } from '../src/formats/anthropic/index.ts'
import type { BenchRow } from './bench-row.ts'

interface BenchOptions {
  readonly quick: boolean
}

const filesOfSession = 5

/** A session that reads and edits a few files over and over, with commands in between; every turn has two items. */
function createSession(linesOfFile: number): { take(turns: number): readonly MessageDraft[] } {
  const files = Array.from({ length: filesOfSession }, (_, file) =>
    Array.from({ length: linesOfFile }, (_, line) => sourceLine(file, line, 0)),
  )
  let turns = 0

  function turn(): readonly MessageDraft[] {
    const ordinal = turns++
    const file = (ordinal >> 2) % filesOfSession
    const lines = files[file] as string[]
    const file_path = `/project/src/file${file}.ts`
    const at = (ordinal * 7) % linesOfFile
    switch (ordinal % 4) {
      case 0:
        return called(ordinal, 'Read', { file_path }, numbered(lines, 0))
      case 1: {
        const old_string = lines[at] as string
        lines[at] = sourceLine(file, at, ordinal)
        const input = { file_path, old_string, new_string: lines[at] }
        return called(
          ordinal,
          'Edit',
          input,
          `The file ${file_path} has been updated successfully.`,
        )
      }
      case 2:
        return called(
          ordinal,
          'Bash',
          { command: 'git status --short' },
          ` M src/file${file}.ts\n`.repeat(20),
        )
      default: {
        const part = lines.slice(at, at + 20)
        return called(ordinal, 'Read', { file_path, offset: at + 1, limit: 20 }, numbered(part, at))
      }
    }
  }

  return { take: (count) => Array.from({ length: count }, turn).flat() }
}

function called(
  ordinal: number,
  tool: string,
  input: object,
  result: string,
): readonly MessageDraft[] {
  const call = `toolu_${String(ordinal).padStart(12, '0')}`
  return [
    { role: 'assistant', items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }] },
    { role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text: result }] },
  ]
}

const sourceLine = (file: number, line: number, version: number): string =>
  `  const value${file}_${line} = compute(${version}, 'line ${line} of a file that many turns read')`

const numbered = (lines: readonly string[], before: number): string =>
  lines.map((line, index) => `${String(before + index + 1).padStart(6)}→${line}`).join('\n')

const maker = createEngineMaker(
  { toolMappings: [], warnings: [] },
  { restore: { tool: 'context_restore' } },
)
const engine = (): Engine => maker.make([], { cwd: '/project', model: null })

/** One more turn on a long session, compared with one on a short session. */
export function benchVisits({ quick }: BenchOptions): readonly BenchRow[] {
  return [visitedRow(quick ? 10_000 : 50_000)]
}

/** One more turn compared with serialising the request, and a resume compared with parsing it. */
export function benchTimes({ quick }: BenchOptions): readonly BenchRow[] {
  return timeRows(quick ? 20 : 60)
}

/** The memory of a session, compared with its record. */
export function benchMemory(): readonly BenchRow[] {
  return [memoryRow()]
}

/** Counted over one round of all files, so that both measure the same kinds of turns. */
function visitedRow(items: number): BenchRow {
  const [short, long] = [500, items].map((size) => {
    const session = createSession(30)
    const messages = [...session.take(size / 2)]
    const running = engine()
    const { anchor } = running.request(messages)
    const before = running.itemsVisited
    let since = anchor
    const round = filesOfSession * 4 * 3
    for (let turn = 0; turn < round; turn++) {
      messages.push(...session.take(1))
      since = running.request(messages, since).anchor
    }
    return (running.itemsVisited - before) / round
  })
  return {
    name: `engine: items visited for a turn, ${items.toLocaleString('en')} against 500`,
    ratio: (long ?? 0) / (short ?? 1),
    limit: 1,
    better: 'below',
    note: `${long?.toFixed(1)} against ${short?.toFixed(1)}`,
  }
}

function timeRows(passes: number): readonly BenchRow[] {
  const session = createSession(66)
  const messages = [...session.take(1_000)]
  const running = engine()
  let since = running.request(messages).anchor
  const text = bodyOf(messages)
  const body = Buffer.from(text)
  const oneMore = (): number => {
    messages.push(...session.take(1))
    return timed(() => {
      since = running.request(messages, since).anchor
    })
  }
  const resume = (source: Buffer<ArrayBuffer> | string): number =>
    timed(() => engine().request(anthropic.read(source).messages))
  const [write = 0, turn = 0, decoded = 0, resumed = 0, parsed = 0, resumedText = 0] = medians(
    passes,
    [
      () => timed(() => JSON.stringify(messages)),
      oneMore,
      () => timed(() => JSON.parse(body.toString())),
      () => resume(body),
      () => timed(() => JSON.parse(text)),
      () => resume(text),
    ],
  )
  const tokens = Math.round(text.length / 4 / 1000)
  return [
    {
      name: 'engine: one more turn at 2,000 items, against JSON.stringify',
      ratio: turn / write,
      limit: 0.25,
      better: 'below',
      note: `${tokens}k tokens, ${turn.toFixed(2)} ms against ${write.toFixed(1)} ms`,
    },
    {
      name: 'engine: resuming 2,000 items from bytes, against JSON.parse of them',
      ratio: resumed / decoded,
      limit: 8,
      better: 'below',
      note: `${resumed.toFixed(0)} ms against ${decoded.toFixed(1)} ms, decoding included`,
    },
    {
      name: 'engine: resuming 2,000 items from text, against JSON.parse',
      ratio: resumedText / parsed,
      limit: 8,
      better: 'below',
      note: `${resumedText.toFixed(0)} ms against ${parsed.toFixed(1)} ms`,
    },
  ]
}

/**
 * The heap of a session of 2,000 items with its decisions and trackers, compared with its record alone. Both are measured
 * several times in turns, after a warm-up.
 */
function memoryRow(): BenchRow {
  const kept: unknown[] = []
  const held = (build: (messages: readonly MessageDraft[]) => unknown): number => {
    const before = heap()
    kept.push(build(createSession(66).take(1_000)))
    const size = heap() - before
    kept.pop()
    return size
  }
  const record = (messages: readonly MessageDraft[]): unknown => {
    const own = createRecord()
    own.append(messages)
    return own
  }
  const whole = (messages: readonly MessageDraft[]): unknown => {
    const own = engine()
    own.request(messages)
    return own
  }
  const rounds = 7
  const [recordBytes = 0, wholeBytes = 0] = medians(rounds, [() => held(record), () => held(whole)])
  return {
    name: 'engine: memory, against the record alone',
    ratio: wholeBytes / recordBytes,
    limit: 2,
    better: 'below',
    note: `${(wholeBytes / 1e6).toFixed(1)} MB against ${(recordBytes / 1e6).toFixed(1)} MB`,
  }
}

function heap(): number {
  for (let pass = 0; pass < 4; pass++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** A request with these messages, as Anthropic's clients send it. */
export function bodyOf(messages: readonly MessageDraft[]): string {
  const wire = messages.map(({ role, items }) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: items.flatMap((item): readonly object[] => {
      if (item.kind === 'call') {
        return [
          {
            type: 'tool_use',
            id: item.call,
            name: item.tool,
            input: inputOf(item.text),
          },
        ]
      }
      if (item.kind === 'result')
        return [{ type: 'tool_result', tool_use_id: item.call, content: item.text }]
      return item.kind === 'text' ? [{ type: 'text', text: item.text }] : []
    }),
  }))
  return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1000, messages: wire })
}

/** Wraps an input that is not a JSON object, as some agents send. */
function inputOf(text: string): unknown {
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input === 'object' && input !== null) return input
  } catch {}
  return { input: text }
}

/** Time of some work in milliseconds, after collecting the garbage of earlier work. */
export function timed(work: () => unknown): number {
  globalThis.gc?.({ type: 'minor' })
  const start = performance.now()
  work()
  return performance.now() - start
}

/** The medians of several measurements, taken in turns so that a busy machine slows all of them equally. */
export function medians(passes: number, measures: readonly (() => number)[]): readonly number[] {
  for (const measure of measures) for (let warmUp = 0; warmUp < 5; warmUp++) measure()
  const times = measures.map((): number[] => [])
  for (let pass = 0; pass < passes; pass++) {
    for (const [index, measure] of measures.entries()) times[index]?.push(measure())
  }
  return times.map((taken) => taken.sort((one, other) => one - other)[passes >> 1] ?? 0)
}
