import { remembered } from './remembered.ts'

/** The input of a call, with keys that differ only in spelling (`file_path`, `filePath`) read as one. */
export interface Fields {
  /** The first of the keys that holds a string. Keys are given in lower case without separators. */
  text(...keys: readonly string[]): string | null
  /** The first of the keys that holds a whole number, also when a model wrote it as a string. */
  number(...keys: readonly string[]): number | null
  flag(...keys: readonly string[]): boolean
  list(...keys: readonly string[]): readonly unknown[] | null
  record(...keys: readonly string[]): Fields | null
  has(...keys: readonly string[]): boolean
  /** The value under exactly this key; dots lead into nested objects. */
  exact(key: string): unknown
  /** The input itself. */
  readonly source: Readonly<Record<string, unknown>>
}

export type CallInput =
  | { readonly kind: 'object'; readonly fields: Fields }
  /** The tool takes text of its own: a patch, a command line. */
  | { readonly kind: 'raw'; readonly text: string }

/** Reads a call's text as JSON where it is JSON, and as raw text otherwise. Never throws. */
export function readCallInput(text: string): CallInput {
  const value = parseJson(text)
  if (isRecord(value)) return { kind: 'object', fields: fieldsOf(value) }
  if (typeof value === 'string') {
    // Some providers hand the arguments on as a JSON string of JSON.
    const inner = parseJson(value)
    return isRecord(inner)
      ? { kind: 'object', fields: fieldsOf(inner) }
      : { kind: 'raw', text: value }
  }
  return { kind: 'raw', text }
}

export function fieldsOf(record: Readonly<Record<string, unknown>>): Fields {
  const values = new Map<string, unknown>()
  for (const [key, value] of Object.entries(record)) {
    const plain = plainKey(key)
    if (value !== null && value !== undefined && !values.has(plain)) values.set(plain, value)
  }
  const first = <Value>(
    keys: readonly string[],
    convert: (value: unknown) => Value | null,
  ): Value | null => {
    for (const key of keys) {
      const converted = convert(values.get(key))
      if (converted !== null) return converted
    }
    return null
  }
  return {
    text: (...keys) => first(keys, (value) => (typeof value === 'string' ? value : null)),
    number: (...keys) => first(keys, wholeNumber),
    flag: (...keys) => keys.some((key) => values.get(key) === true || values.get(key) === 'true'),
    list: (...keys) => first(keys, listOf),
    record: (...keys) => first(keys, (value) => (isRecord(value) ? fieldsOf(value) : null)),
    has: (...keys) => keys.some((key) => values.has(key)),
    exact: (key) => valueAt(record, key),
    source: record,
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function wholeNumber(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : null
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  // Models that are unsure of nested schemas send the list as a string.
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
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

const plainKey = remembered((key) => key.toLowerCase().replaceAll(/[_\- ]/g, ''))
