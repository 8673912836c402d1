import { Buffer } from 'node:buffer'
import { createRecord } from '../src/core/record/record.ts'
import { anthropic } from '../src/formats/anthropic/index.ts'
import type { Body, ItemChange, RequestRead } from '../src/formats/format.ts'
import type { BenchRow } from './bench-row.ts'

interface BenchOptions {
  readonly quick: boolean
}

/** Code as agents see it: many lines, quotes and tabs, and in every fifth file characters outside ASCII. */
function sourceText(seed: number, lines: number): string {
  const text: string[] = []
  for (let line = 1; line <= lines; line++) {
    const name = `value${(seed * 31 + line * 7) % 997}`
    const shapes = [
      `import { ${name} } from "./parts/${name}.ts"`,
      `\tif (${name} === "none") return { kind: "empty", at: ${seed + line} }`,
      `  console.log("${name} ${seed % 5 === 0 ? '→' : '>'} " + JSON.stringify(${name}, null, 2))`,
      '',
      `export function read${name}(input: string): ${name} | null {`,
    ]
    text.push(`${line}\t${shapes[(seed + line) % shapes.length]}`)
  }
  return text.join('\n')
}

function turn(ordinal: number): readonly unknown[] {
  const id = `toolu_${String(ordinal).padStart(12, '0')}`
  const path = `src/parts/file${ordinal % 40}.ts`
  const text = sourceText(ordinal, 60 + ((ordinal * 37) % 120))
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Next I look at ${path}.` },
        { type: 'tool_use', id, name: 'Read', input: { file_path: path, limit: 200 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
  ]
}

/** The bodies of two requests of one session, the second one turn longer, as Claude Code spells them. */
function bodies(bytes: number): {
  readonly before: Buffer<ArrayBuffer>
  readonly after: Buffer<ArrayBuffer>
} {
  const messages: unknown[] = [{ role: 'user', content: 'Find out why the build is slow.' }]
  let size = 0
  for (let ordinal = 0; size < bytes; ordinal++) {
    const added = turn(ordinal)
    size += JSON.stringify(added).length
    messages.push(...added)
  }
  const body = (count: number): Buffer<ArrayBuffer> => {
    const request = {
      model: 'claude-sonnet-4-5',
      messages: messages.slice(0, count),
      system: [{ type: 'text', text: sourceText(0, 100), cache_control: { type: 'ephemeral' } }],
      max_tokens: 32_000,
      stream: true,
    }
    return Buffer.from(JSON.stringify(request))
  }
  return { before: body(messages.length - 2), after: body(messages.length) }
}

/** Reads and rewrites a body with one decision, into a record that has all turns except the last. */
export function benchBody({ quick }: BenchOptions): readonly BenchRow[] {
  const { before, after } = bodies(2 * 1024 * 1024)
  const text = after.toString('utf8')
  const known = anthropic.read(before)
  const requestTime = (previous?: RequestRead<Body>): number => {
    const record = createRecord()
    const { anchor } = record.append(known.messages)
    const start = performance.now()
    const read = anthropic.read(after, previous)
    if (previous === undefined) record.append(read.messages)
    else record.append(read.messages, { ...anchor, length: Math.min(anchor.length, read.shared) })
    const { source, refused } = anthropic.rewrite(read, [middleResult(read)])
    const elapsed = performance.now() - start
    if (refused.length > 0 || source === after) throw new Error('the decision was not applied')
    return elapsed
  }
  const parseTime = (): number => {
    const start = performance.now()
    JSON.parse(text)
    return performance.now() - start
  }
  const [parse, incremental, cold] = medians(quick ? 15 : 60, [
    parseTime,
    () => requestTime(known),
    () => requestTime(),
  ])
  if (parse === undefined || incremental === undefined || cold === undefined) return []
  const note = `${(after.length / 1e6).toFixed(1)} MB, JSON.parse ${parse.toFixed(1)} ms`
  return [
    {
      name: 'body: bytes to rewritten bytes, against JSON.parse',
      ratio: incremental / parse,
      limit: 6,
      better: 'below',
      note: `${note}, the request before is known`,
    },
    {
      name: 'body: the same without the request before',
      ratio: cold / parse,
      limit: 6,
      better: 'below',
      note,
    },
  ]
}

function middleResult(read: RequestRead<Body>): ItemChange {
  const middle = read.messages.length >> 1
  for (let message = middle; message < read.messages.length; message++) {
    const item = read.messages[message]!.items.findIndex(({ kind }) => kind === 'result')
    if (item >= 0) return { message, item, text: '[read src/parts/file.ts · replaced]' }
  }
  throw new Error('the body has no result')
}

/** The medians of several measurements, taken in turns so that a busy machine slows all of them equally. */
function medians(passes: number, measures: readonly (() => number)[]): readonly number[] {
  for (const measure of measures) for (let warmUp = 0; warmUp < 5; warmUp++) measure()
  const times = measures.map((): number[] => [])
  for (let pass = 0; pass < passes; pass++) {
    for (const [index, measure] of measures.entries()) times[index]!.push(measure())
  }
  return times.map((taken) => taken.sort((one, other) => one - other)[passes >> 1]!)
}
