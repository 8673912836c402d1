import { isJsonObject, type JsonObject } from '../core/words/json.ts'
import type { Body } from './format.ts'

/** What a body turned out to be once parsed. */
export type ParsedBody =
  | { readonly kind: 'object'; readonly body: JsonObject }
  | { readonly kind: 'not-object' }
  | { readonly kind: 'not-json' }

/** Reads a body whatever it holds; never throws. */
export function parseBody(source: Body): ParsedBody {
  let parsed: unknown
  try {
    parsed = JSON.parse(typeof source === 'string' ? source : new TextDecoder().decode(source))
  } catch {
    return { kind: 'not-json' }
  }
  return isJsonObject(parsed) ? { kind: 'object', body: parsed } : { kind: 'not-object' }
}

interface SameJsonOptions {
  /** A key that does not count, at any depth. */
  readonly ignoring?: string
}

/** True when two parsed JSON values say the same, in whatever order their keys stand. */
export function sameJson(left: unknown, right: unknown, options: SameJsonOptions = {}): boolean {
  return options.ignoring === undefined ? isSame(left, right, 0) : isSameDeep(left, right, options)
}

const mostDepth = 64

/** Every request is compared with the one before, whole: nothing is made for it that is thrown away. */
function isSame(one: unknown, other: unknown, depth: number): boolean {
  if (one === other) return true
  if (depth > mostDepth) return isSameDeep(one, other, {})
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    for (let index = 0; index < one.length; index++) {
      if (!isSame(one[index], other[index], depth + 1)) return false
    }
    return true
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(other, key) || !isSame(one[key], other[key], depth + 1)) return false
  }
  return true
}

/** It walks with a list of its own: `JSON.parse` accepts nesting that would exhaust the stack here. */
function isSameDeep(left: unknown, right: unknown, options: SameJsonOptions): boolean {
  const pending: [unknown, unknown][] = [[left, right]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [one, other] = pair
    if (one === other) continue
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return false
      for (let index = 0; index < one.length; index++) pending.push([one[index], other[index]])
      continue
    }
    if (!isJsonObject(one) || !isJsonObject(other)) return false
    const keys = countedKeys(one, options)
    if (keys.length !== countedKeys(other, options).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      pending.push([one[key], other[key]])
    }
  }
  return true
}

function countedKeys(value: JsonObject, options: SameJsonOptions): readonly string[] {
  const keys = Object.keys(value)
  return options.ignoring === undefined ? keys : keys.filter((key) => key !== options.ignoring)
}
