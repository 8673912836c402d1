import { isMap, isScalar, parseDocument } from 'yaml'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject, type JsonObject } from '../core/words/json.ts'

/** @throws PalimpsestError with code `configuration` for a text that is not YAML. */
export function parseYaml(text: string, file: string): JsonObject {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined)
    throw new PalimpsestError(
      'configuration',
      `${file}: this is not valid YAML (${problem.message.split('\n', 1)[0]}). Mend it, and try again.`,
      { cause: problem },
    )
  const value: unknown = document.toJS()
  return isJsonObject(value) ? value : {}
}

export interface YamlValue {
  /** Where the map with the key stands: names of keys and positions in lists. */
  readonly path: readonly (string | number)[]
  readonly key: string
  /** null: the key does not stand there. */
  readonly was: string | null
  readonly value: string | null
}

/** Replaces, adds or removes a string where it stands; everything else keeps its bytes. null when it is not found there. */
export function withYamlValue(text: string, { path, key, was, value }: YamlValue): string | null {
  const map = parseDocument(text).getIn(path, true)
  if (!isMap(map) || map.flow === true) return null
  const pair = map.items.find((each) => isScalar(each.key) && each.key.value === key)
  if (pair === undefined) {
    const first = map.items[0]
    if (was !== null || value === null || first === undefined) return null
    const place = rangeOf(first.key)
    const end = rangeOf(first.value)
    if (place === null || end === null) return null
    const indent = ' '.repeat(place[0] - text.lastIndexOf('\n', place[0] - 1) - 1)
    const after = lineEnd(text, end[1])
    const [before, rest] = [text.slice(0, after), text.slice(after)]
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    const line = `${indent}${key}: ${value}`
    return before.endsWith('\n')
      ? `${before}${line}${newline}${rest}`
      : `${before}${newline}${line}`
  }
  const range = rangeOf(pair.value)
  if (!isScalar(pair.value) || range === null || pair.value.value !== was) return null
  if (value !== null) return `${text.slice(0, range[0])}${value}${text.slice(range[1])}`
  const start = text.lastIndexOf('\n', range[0] - 1) + 1
  return text.slice(0, start) + text.slice(lineEnd(text, range[1]))
}

function rangeOf(node: unknown): readonly [start: number, end: number] | null {
  const range = isScalar(node) ? node.range : null
  return range == null ? null : [range[0], range[1]]
}

/** Behind the end of the line that a place is on. */
function lineEnd(text: string, place: number): number {
  const end = text.indexOf('\n', place)
  return end === -1 ? text.length : end + 1
}
