import { isJsonObject, type JsonObject } from '../../core/words/json.ts'

/** An object member and the spelling of its key in the body. */
export interface SpelledMember {
  readonly key: string
  readonly value: JsonObject
}

/** The first of these keys that has an object. Gemini accepts `camelCase` and `snake_case`. */
export function memberOf(object: JsonObject, ...keys: readonly string[]): SpelledMember | null {
  for (const key of keys) {
    const value = object[key]
    if (isJsonObject(value)) return { key, value }
  }
  return null
}

/** The text of the first of these keys that has one, or the empty string. */
export function stringOf(object: JsonObject, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = object[key]
    if (typeof value === 'string') return value
  }
  return ''
}
