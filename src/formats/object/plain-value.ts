import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/words/json.ts'

/** Binary data in a plain copy: its size and digest. */
export interface PlainBytes {
  readonly byteLength: number
  readonly sha256: string
}

/** Cache markers move between requests and are not part of the prompt. */
const cacheKeys: ReadonlySet<string> = new Set(['cacheControl', 'cache_control', 'cachePoint'])

/** A limit, because objects that share parts can expand to a huge copy. */
const MOST_VALUES = 500_000

/**
 * Copies a value as JSON would write it, without accessors, proxies, classes and cache markers; binary data becomes a
 * description. Throws if the value throws, contains itself or is too large.
 */
export function plainCopy(value: unknown): unknown {
  if (typeof value === 'string' || value === undefined) return value
  return copy(value, { left: MOST_VALUES })
}

function copy(value: unknown, budget: { left: number }): unknown {
  if (--budget.left < 0) throw new RangeError('too many values')
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : copyObject(value, budget)
    default:
      return undefined
  }
}

function copyObject(value: object, budget: { left: number }): unknown {
  if (Array.isArray(value)) {
    const elements: unknown[] = []
    const { length } = value
    for (let index = 0; index < length; index++) {
      elements.push(copy(value[index], budget) ?? null)
    }
    return elements
  }
  if (ArrayBuffer.isView(value)) return describeBytes(value)
  if (value instanceof ArrayBuffer) return describeBytes(new Uint8Array(value))
  const members = value as JsonObject
  if (typeof members.toJSON === 'function') return copy(members.toJSON(), budget)
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(members)) {
    if (cacheKeys.has(key)) continue
    const member = copy(members[key], budget)
    if (member === undefined) continue
    if (key === '__proto__') setOwn(result, key, member)
    else result[key] = member
  }
  return result
}

/** Also works for the key `__proto__`, where an assignment would change the prototype. */
function setOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function describeBytes(view: ArrayBufferView): PlainBytes {
  const base64 = Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64')
  const sha256 = createHash('sha256').update(base64).digest('hex').slice(0, 16)
  return { byteLength: view.byteLength, sha256 }
}

export function isPlainBytes(value: JsonObject): boolean {
  return typeof value.byteLength === 'number' && typeof value.sha256 === 'string'
}
