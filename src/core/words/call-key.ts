import { hash } from 'node:crypto'
import { isJsonObject, parseJsonObject } from './json.ts'
import type { CallItem } from './operation.ts'

/** Longer inputs are hashed, so that an index does not keep a second copy of a written file. */
const longestInput = 200

/** Equal for two calls with the same tool and input, whatever the formatting of the JSON. */
export function callKey(call: CallItem): string {
  return `${call.tool}\n${inputKey(call)}`
}

/** Equal for two calls of one tool with the same input. */
function inputKey(call: CallItem): string {
  const input = canonicalInput(call.text)
  return input.length > longestInput ? hash('sha256', input) : input
}

export function isSameCall(one: CallItem, other: CallItem): boolean {
  if (one.tool !== other.tool) return false
  return one.text === other.text || inputKey(one) === inputKey(other)
}

/**
 * JSON with sorted keys and without null members; text that is not JSON is returned unchanged.
 *
 * ```ts
 * canonicalInput('{ "limit": null, "b": 2, "a": 1 }') // '{"a":1,"b":2}'
 * ```
 */
export function canonicalInput(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? canonicalValue(value) : text
  } catch {
    // Not JSON, or nested too deep to parse.
    return text
  }
}

/** The members of a JSON object, by key in lower case without separators; null when the text is not a JSON object. */
export function inputFields(text: string): ReadonlyMap<string, unknown> | null {
  const value = parseJsonObject(text)
  if (value === null) return null
  return new Map(Object.entries(value).map(([key, member]) => [plainKey(key), member]))
}

/** The members of an input other than the given keys and null members, in canonical form. */
export function otherOptions(text: string, known: ReadonlySet<string>): string {
  const fields = inputFields(text)
  if (fields === null) return ''
  const rest = [...fields].filter(([key, member]) => !known.has(key) && member !== null)
  if (rest.length === 0) return ''
  return canonicalInput(JSON.stringify(Object.fromEntries(rest)))
}

function canonicalValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members: string[] = []
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member !== null) members.push(`${JSON.stringify(key)}:${canonicalValue(member)}`)
  }
  return `{${members.join(',')}}`
}

/** A key in lower case without separators, so that `file_path` and `filePath` are the same key. */
export function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[_\- ]/g, '')
}
