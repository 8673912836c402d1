import { isJsonObject, type JsonObject } from '../core/words/json.ts'

interface SameJsonOptions {
  /** A key to ignore at any depth. */
  readonly ignoring?: string
}

/**
 * True if two parsed JSON values are equal, in any order of keys. Not recursive, because `JSON.parse` accepts nesting
 * that would overflow the stack.
 */
export function sameJson(left: unknown, right: unknown, options: SameJsonOptions = {}): boolean {
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
