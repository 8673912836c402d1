import { isJsonObject, type JsonObject } from '../../core/words/json.ts'

/** A member that is an object, under the key that the body spells it with. */
export interface SpelledMember {
  readonly key: string
  readonly value: JsonObject
}

/** The object under the first of these keys that has one: Gemini takes `camelCase` and `snake_case` alike. */
export function memberOf(object: JsonObject, ...keys: readonly string[]): SpelledMember | null {
  for (const key of keys) {
    const value = object[key]
    if (isJsonObject(value)) return { key, value }
  }
  return null
}

/** The text under the first of these keys that has one, or the empty string. */
export function stringOf(object: JsonObject, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = object[key]
    if (typeof value === 'string') return value
  }
  return ''
}
