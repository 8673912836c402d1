import { parseJson } from '../../words/json.ts'
import { cutMiddle } from '../cut.ts'
import { cut } from '../marks.ts'
import { shortLine } from './clean-lines.ts'
import type { DigestLimits } from './digest-types.ts'
import { indexNames } from './name-index.ts'
import type { Output, OutputKind } from './output.ts'

/** Longer texts are not parsed, because a digest would show only a few lines of them. */
const longestParsed = 4_000_000
/** The number of list entries that are shown in one line each, after those shown in full. */
const mostBrief = 40
/** How much is shown of each level, from most to least. */
const shapes: readonly Shape[] = [
  { entries: 20, brief: mostBrief, keys: 60, string: 400, depth: 6 },
  { entries: 6, brief: mostBrief, keys: 40, string: 200, depth: 5 },
  { entries: 3, brief: mostBrief, keys: 30, string: 120, depth: 4 },
  { entries: 2, brief: 20, keys: 16, string: 80, depth: 3 },
  { entries: 1, brief: 8, keys: 10, string: 60, depth: 2 },
  { entries: 1, brief: 0, keys: 6, string: 40, depth: 1 },
]
/** Keys that are shown first, because later calls use their values. */
const identifying =
  /^(?:id|name|path|file|title|message|error|errors|status|code|url|sha|ref|number|type|kind|key|version)$/i

/** Keys of written text, which gets more characters than other values. */
const prose = /^(?:body|text|content|description|summary|output|stdout|stderr|reason|details?)$/i
/** Keys of API addresses, which every object repeats. */
const address = /^(?!html_).*_urls?$|^_links$|^gravatar_id$|^node_id$/i

/** JSON: its shape, with the first values of each list and the counts of the others. */
export const json: OutputKind = {
  kind: 'json',
  bestFit: 0.86,
  fits: (output) => (parseDocument(output) === null ? 0 : 0.86),
  digest(output, limits) {
    const found = parseDocument(output)
    return found === null ? output.source.text : render(found, output, limits)
  },
}

interface Document {
  /** The agent's lines before and after it. */
  readonly before: readonly string[]
  readonly values: readonly unknown[]
  readonly after: readonly string[]
}

const opens = /^\s*[[{]/
const closes = /[\]}]\s*,?\s*$/
const frameLines = 9

function parseDocument({ lines, source }: Output): Document | null {
  if (source.text.length > longestParsed) return null
  const first = lines.slice(0, frameLines + 1).findIndex((line) => opens.test(line))
  if (first === -1) return null
  const behind = lines.slice(-frameLines).findLastIndex((line) => closes.test(line))
  const last = lines.length - Math.min(frameLines, lines.length) + behind
  if (behind === -1 || last < first) return null
  const body = lines.slice(first, last + 1)
  const values = parseWhole(body) ?? parseLines(body)
  return values === null
    ? null
    : { before: lines.slice(0, first), values, after: lines.slice(last + 1) }
}

function parseWhole(body: readonly string[]): readonly unknown[] | null {
  const value = parseJson(body.join('\n'))
  return isContainer(value) ? [value] : null
}

/** Parses one value per line. */
function parseLines(body: readonly string[]): readonly unknown[] | null {
  const filled = body.filter((line) => line.trim() !== '')
  if (filled.length < 2 || !isContainer(parseJson(filled[0] as string))) return null
  const values = filled.map(parseJson)
  return values.every(isContainer) ? values : null
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function render({ before, values, after }: Document, output: Output, limits: DigestLimits): string {
  const { source } = output
  const value = values.length === 1 ? values[0] : values
  const frame = (text: string): string => [...before, text, ...after].join('\n').trim()
  for (const shape of shapes) {
    const body = frame(shown(value, shape, 0))
    if (body.length > limits.targetChars * 0.6 && shape !== shapes.at(-1)) continue
    const chars = Math.max(0, limits.targetChars - body.length)
    const { names, more } = indexNames(stringsIn(value), body, { chars })
    const count = source.text.length - body.length
    if (count <= 0) return body
    const namesLeftOut = cut.namedThere(names, more)
    return `${body}\n${cut.closing(cut.leftOut(count, 'characters'), namesLeftOut, limits.recall)}`
  }
  return source.text
}

interface Shape {
  readonly entries: number
  readonly brief: number
  readonly keys: number
  readonly string: number
  readonly depth: number
}

function shown(value: unknown, shape: Shape, level: number): string {
  if (typeof value === 'string') return JSON.stringify(shortString(value, shape.string))
  if (!isContainer(value)) return String(JSON.stringify(value) ?? 'null')
  if (Array.isArray(value)) return shownList(value, shape, level)
  return shownFields(value as Fields, shape, level)
}

function shortString(value: string, most: number): string {
  return most > 300 ? cutMiddle(value, most) : shortLine(value, most)
}

/** Every string in a value and then its keys, without recursion because nesting may be deep. */
function* stringsIn(value: unknown): Generator<string> {
  const keys = new Set<string>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') yield next
    else if (typeof next === 'number') yield String(next)
    if (!isContainer(next)) continue
    for (const [key, entry] of Object.entries(next).toReversed()) {
      open.push(entry)
      if (!Array.isArray(next) && keys.size < 1000) keys.add(key)
    }
  }
  yield* keys
}

function shownList(list: readonly unknown[], shape: Shape, level: number): string {
  if (list.length === 0) return '[]'
  if (level >= shape.depth) return `[… ${list.length}]`
  const entries = list.slice(0, shape.entries).map((entry) => shown(entry, shape, level + 1))
  const brief = list.slice(shape.entries, shape.entries + shape.brief).map(briefly)
  if (brief.every((entry) => entry !== '')) entries.push(...brief)
  if (list.length > entries.length) entries.push(`… ${list.length - entries.length} more`)
  return wrapped('[', entries, ']', level)
}

/** An object's short identifying fields; the empty string when it has none. */
function briefly(entry: unknown): string {
  if (!isContainer(entry) || Array.isArray(entry)) return ''
  const fields = Object.entries(entry).filter(
    ([key, value]) => identifying.test(key) && !isContainer(value) && String(value).length <= 120,
  )
  return fields.length === 0
    ? ''
    : `{${fields.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')}, …}`
}

type Fields = Readonly<Record<string, unknown>>

function shownFields(fields: Fields, shape: Shape, level: number): string {
  const keys = Object.keys(fields)
  if (keys.length === 0) return '{}'
  const isDeep = level >= shape.depth
  const candidates = keys.filter((key) => (isDeep ? identifying.test(key) : !address.test(key)))
  const kept = candidates.filter(
    (key, at) => at < shape.keys || identifying.test(key) || prose.test(key),
  )
  const entries = kept.map(
    (key) => `${JSON.stringify(key)}: ${shown(fields[key], shapeFor(key, shape), level + 1)}`,
  )
  if (keys.length > entries.length) entries.push(`… ${keys.length - entries.length} more keys`)
  return wrapped('{', entries, '}', level)
}

function shapeFor(key: string, shape: Shape): Shape {
  if (prose.test(key)) return { ...shape, string: shape.string * 6 }
  return identifying.test(key) ? { ...shape, string: shape.string * 3 } : shape
}

/** Short lists on one line, long ones with one entry per line. */
function wrapped(open: string, entries: readonly string[], close: string, level: number): string {
  const line = `${open}${entries.join(', ')}${close}`
  if (line.length <= 160 && !line.includes('\n')) return line
  const indent = ' '.repeat(level + 1)
  return `${open}\n${entries.map((entry) => indent + entry).join(',\n')}\n${' '.repeat(level)}${close}`
}
