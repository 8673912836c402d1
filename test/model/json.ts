import { stringify } from 'safe-stable-stringify'

/** Any JSON object; its fields are unknown until a guard has looked at them. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** JSON with sorted keys: equal values have equal text, however a client ordered them. */
export function stableJson(value: unknown): string {
  return stringify(value) ?? 'null'
}
