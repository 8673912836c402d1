import { stringify } from 'safe-stable-stringify'

export function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** JSON with sorted keys: equal values have equal text, however a client ordered them. */
export function stableJson(value: unknown): string {
  return stringify(value) ?? 'null'
}
