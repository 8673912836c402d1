import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, parseDocument } from 'yaml'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject, type JsonObject } from '../core/words/json.ts'

/** @throws PalimpsestError with code `configuration` for a text that is not YAML. */
export function parseYaml(text: string, file: string): JsonObject {
  try {
    const value = parsedValue(text)
    return isJsonObject(value) ? value : {}
  } catch (cause) {
    const [problem] = cause instanceof Error ? cause.message.split('\n', 1) : []
    throw new PalimpsestError(
      'configuration',
      `${file}: this is not valid YAML (${problem}). Mend it, and try again.`,
      { cause },
    )
  }
}

/** Throws the first error of a text that is not YAML, or has an alias without its anchor. */
function parsedValue(text: string): unknown {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined) throw problem
  return document.toJS()
}

export interface YamlValue {
  /** Where the map with the key stands: names of keys and positions in lists. */
  readonly path: readonly (string | number)[]
  readonly key: string
  /** null: the key does not stand there. An empty string: it stands there without a value. */
  readonly was: string | null
  readonly value: string | null
}

/**
 * Replaces, adds or removes a string where it stands; everything else keeps its bytes. null when it is not found there, or
 * when anything else of the file would mean something else.
 */
export function withYamlValue(text: string, change: YamlValue): string | null {
  let expected: unknown
  try {
    expected = withValue(parsedValue(text), [...change.path, change.key], change.value)
  } catch {
    return null
  }
  // A string that means something else without quotes gets them.
  const forms = change.value ? [change.value, JSON.stringify(change.value)] : [change.value]
  for (const form of forms) {
    const edited = editedText(text, change, form)
    if (edited !== null && means(edited, expected)) return edited
  }
  return null
}

function means(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(parsedValue(text), expected)
  } catch {
    return false
  }
}

function withValue(
  node: unknown,
  [step, ...steps]: readonly (string | number)[],
  value: string | null,
): unknown {
  if (step === undefined) return value === '' ? null : value
  if (Array.isArray(node))
    return node.map((each, at) => (at === step ? withValue(each, steps, value) : each))
  if (!isJsonObject(node)) return node
  const { [step]: inner, ...others } = node
  if (steps.length === 0 && value === null) return others
  return { ...others, [step]: withValue(inner, steps, value) }
}

function editedText(
  text: string,
  { path, key, was }: YamlValue,
  form: string | null,
): string | null {
  const map = parseDocument(text).getIn(path, true)
  if (!isMap(map) || map.flow === true) return null
  const pair = map.items.find((each) => isScalar(each.key) && each.key.value === key)
  if (pair === undefined) {
    const first = map.items[0]
    if (was !== null || form === null || first === undefined) return null
    const place = rangeOf(first.key)
    const end = rangeOf(first.value)
    if (place === null || end === null) return null
    // An anchor in front of the first key does not indent the others.
    const marks = /^[ \t-]*/.exec(text.slice(lineStart(text, place[0]), place[0]))?.[0] ?? ''
    const after = lineEnd(text, end[1])
    const [before, rest] = [text.slice(0, after), text.slice(after)]
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    const line = `${' '.repeat(marks.length)}${key}: ${form}`
    return before.endsWith('\n')
      ? `${before}${line}${newline}${rest}`
      : `${before}${newline}${line}`
  }
  const place = rangeOf(pair.key)
  const range = rangeOf(pair.value)
  if (!isScalar(pair.value) || place === null || range === null) return null
  if (pair.value.value !== was && !(pair.value.value === null && was === '')) return null
  const [start, end] = range
  if (text.slice(start, end).includes('\n')) return null
  if (form === null) return withoutLine(text, place[0], end)
  if (start < end && form !== '') return text.slice(0, start) + form + text.slice(end)
  // The space in front of a value comes and goes with it.
  const gap = text.slice(0, start).replace(/[ \t]+$/, '').length
  return form === ''
    ? text.slice(0, gap) + text.slice(end)
    : `${text.slice(0, gap)} ${form}${text.slice(gap)}`
}

/** Without a key that stands alone on its line, or behind the dash of its item. */
function withoutLine(text: string, key: number, valueEnd: number): string | null {
  const start = lineStart(text, key)
  const end = lineEnd(text, valueEnd)
  const marks = text.slice(start, key)
  // The item's next key takes its place.
  if (/^[ \t]*-[ \t-]*$/.test(marks))
    return text.slice(0, key) + text.slice(end).replace(/^[ \t]+/, '')
  if (marks.trim() !== '') return null
  const before = text.slice(0, start)
  // It was the last line of a file without a newline at its end, and so is now the one before.
  const isLast = end === text.length && !text.endsWith('\n')
  return (isLast ? before.replace(/\r?\n$/, '') : before) + text.slice(end)
}

function rangeOf(node: unknown): readonly [start: number, end: number] | null {
  const range = isScalar(node) ? node.range : null
  return range == null ? null : [range[0], range[1]]
}

function lineStart(text: string, place: number): number {
  return text.lastIndexOf('\n', place - 1) + 1
}

/** Behind the end of the line that a place is on, or that ends just before it. */
function lineEnd(text: string, place: number): number {
  if (text[place - 1] === '\n') return place
  const end = text.indexOf('\n', place)
  return end === -1 ? text.length : end + 1
}
