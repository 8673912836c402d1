import { plainKey } from '../core/words/call-key.ts'
import { isJsonObject, parseJson } from '../core/words/json.ts'

/** The input of a call. Keys that differ only in case or separators (`file_path`, `filePath`) are the same. */
export interface Fields {
  /** The first of the keys with a string. Keys are in lower case without separators. */
  text(...keys: readonly string[]): string | null
  /** The first of the keys with a whole number, which may be written as a string. */
  number(...keys: readonly string[]): number | null
  flag(...keys: readonly string[]): boolean
  list(...keys: readonly string[]): readonly unknown[] | null
  record(...keys: readonly string[]): Fields | null
  has(...keys: readonly string[]): boolean
  /** The value of exactly this key; dots separate the keys of nested objects. */
  exact(key: string): unknown
  /** The input itself. */
  readonly source: Readonly<Record<string, unknown>>
}

export type CallInput =
  | { readonly kind: 'object'; readonly fields: Fields }
  /** The input is plain text, such as a patch or a command line. */
  | { readonly kind: 'raw'; readonly text: string }

/** Reads a call's text as JSON, or as raw text if it is not JSON. Never throws. */
export function readCallInput(text: string): CallInput {
  const value = parseJson(text)
  if (isJsonObject(value)) return { kind: 'object', fields: fieldsOf(value) }
  if (typeof value === 'string') {
    // Some providers encode the arguments as JSON twice.
    const inner = parseJson(value)
    return isJsonObject(inner)
      ? { kind: 'object', fields: fieldsOf(inner) }
      : { kind: 'raw', text: value }
  }
  return { kind: 'raw', text }
}

export function fieldsOf(record: Readonly<Record<string, unknown>>): Fields {
  return new RecordFields(record)
}

class RecordFields implements Fields {
  readonly source: Readonly<Record<string, unknown>>
  readonly #values = new Map<string, unknown>()

  constructor(source: Readonly<Record<string, unknown>>) {
    this.source = source
    for (const key of Object.keys(source)) {
      const value = source[key]
      if (value === null || value === undefined) continue
      const plain = plainKey(key)
      if (!this.#values.has(plain)) this.#values.set(plain, value)
    }
  }

  text(...keys: readonly string[]): string | null {
    for (const key of keys) {
      const value = this.#values.get(key)
      if (typeof value === 'string') return value
    }
    return null
  }

  number(...keys: readonly string[]): number | null {
    return this.#first(keys, wholeNumber)
  }

  flag(...keys: readonly string[]): boolean {
    for (const key of keys) {
      const value = this.#values.get(key)
      if (value === true || value === 'true') return true
    }
    return false
  }

  list(...keys: readonly string[]): readonly unknown[] | null {
    return this.#first(keys, listOf)
  }

  record(...keys: readonly string[]): Fields | null {
    return this.#first(keys, (value) => (isJsonObject(value) ? fieldsOf(value) : null))
  }

  has(...keys: readonly string[]): boolean {
    for (const key of keys) if (this.#values.has(key)) return true
    return false
  }

  exact(key: string): unknown {
    return valueAt(this.source, key)
  }

  #first<Value>(keys: readonly string[], convert: (value: unknown) => Value | null): Value | null {
    for (const key of keys) {
      const value = this.#values.get(key)
      const converted = value === undefined ? null : convert(value)
      if (converted !== null) return converted
    }
    return null
  }
}

export function wholeNumber(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : null
}

function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  // Some models send nested lists as a string.
  if (typeof value === 'string' && value.trimStart().startsWith('[')) {
    const parsed = parseJson(value)
    return Array.isArray(parsed) ? parsed : null
  }
  return null
}

function valueAt(record: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(record, key)) return record[key]
  let value: unknown = record
  for (const part of key.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}
