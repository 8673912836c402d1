import { hash } from 'node:crypto'
import { isJsonObject, parseJsonObject } from './json.ts'
import type { CallItem } from './operation.ts'

/** Longer inputs are known by their hash, so that an index never keeps a second copy of a written file. */
const longestInput = 200
/** Several strategies ask about a call, one after the other. */
let newest: { readonly call: CallItem; readonly key: string } | null = null

/** The same for two calls with the same tool and input, however its JSON was spelled. */
export function callKey(call: CallItem): string {
  return `${call.tool}\n${inputKey(call)}`
}

/** The same for two calls of one tool; mostly the input itself, which is found faster than what is put together. */
export function inputKey(call: CallItem): string {
  if (newest?.call === call) return newest.key
  const input = canonicalInput(call.text)
  const key = input.length > longestInput ? hash('sha256', input) : input
  newest = { call, key }
  return key
}

export function isSameCall(one: CallItem, other: CallItem): boolean {
  if (one.tool !== other.tool) return false
  return one.text === other.text || inputKey(one) === inputKey(other)
}

/** One member whose key and value are plain strings, as commands have it: in canonical form already. */
const oneMember = /^\{"[^"\\\ud800-\udfff]*":"[^"\\\ud800-\udfff]*"\}$/

/**
 * JSON with sorted keys and without members that are null; any other text as it is.
 *
 * ```ts
 * canonicalInput('{ "limit": null, "b": 2, "a": 1 }') // '{"a":1,"b":2}'
 * ```
 */
export function canonicalInput(text: string): string {
  if (text.trim() === '') return '{}'
  if (!startsAsJson(text) || oneMember.test(text)) return text
  try {
    return canonicalValue(JSON.parse(text) as unknown)
  } catch {
    // Not JSON, or nested deeper than the stack: equal only to the same text.
    return text
  }
}

/** The members of an input that is a JSON object, by key in lower case without separators; null for any other text. */
export function inputFields(text: string): ReadonlyMap<string, unknown> | null {
  if (!startsAsJson(text)) return null
  const value = parseJsonObject(text)
  if (value === null) return null
  return new Map(Object.entries(value).map(([key, member]) => [plainKey(key), member]))
}

/** Most texts that are no JSON are commands and patches, and to let the parser find out costs more than to look. */
function startsAsJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** What an input says besides the given keys and besides null members, in canonical form. */
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

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
