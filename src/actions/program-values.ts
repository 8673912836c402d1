import type { Token } from './program-tokens.ts'

/** Constants of a program, by name. */
export type Constants = ReadonlyMap<string, unknown>

/** A value read from tokens, and where it ends. */
export interface ReadValue {
  readonly value: unknown
  readonly end: number
}

/** Reads a literal, list or object, strings joined with `+`, or a constant. null if only running it would tell. */
export function valueAt(
  tokens: readonly Token[],
  start: number,
  constants: Constants,
): ReadValue | null {
  let read = single(tokens, start, constants)
  while (read !== null && isSign(tokens[read.end], '+')) {
    const next = single(tokens, read.end + 1, constants)
    if (next === null || typeof read.value !== 'string' || typeof next.value !== 'string')
      return null
    read = { value: read.value + next.value, end: next.end }
  }
  return read
}

function single(tokens: readonly Token[], at: number, constants: Constants): ReadValue | null {
  const token = tokens[at]
  switch (token?.kind) {
    case 'text':
      return { value: token.text, end: at + 1 }
    case 'template':
      return token.inner === undefined ? { value: token.text, end: at + 1 } : null
    case 'number': {
      const value = Number(token.text.replaceAll('_', ''))
      return Number.isNaN(value) ? null : { value, end: at + 1 }
    }
    case 'name':
      return named(tokens, at, constants)
    case 'sign':
      if (token.text === '[') return list(tokens, at, constants)
      return token.text === '{' ? object(tokens, at, constants) : null
    default:
      return null
  }
}

const words: ReadonlyMap<string, unknown> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

function named(tokens: readonly Token[], at: number, constants: Constants): ReadValue | null {
  const { text } = tokens[at]!
  const template = tokens[at + 3]
  if (text === 'String' && isSign(tokens[at + 1], '.') && tokens[at + 2]?.text === 'raw') {
    const isRaw = template?.kind === 'template' && template.raw !== undefined
    return isRaw ? { value: template.raw, end: at + 4 } : null
  }
  const known = words.has(text) ? words : constants
  return known.has(text) ? { value: known.get(text), end: at + 1 } : null
}

/** A list, or the string that `join` makes of it. */
function list(tokens: readonly Token[], at: number, constants: Constants): ReadValue | null {
  const values: unknown[] = []
  let next = at + 1
  while (!isSign(tokens[next], ']')) {
    const read = valueAt(tokens, next, constants)
    if (read === null) return null
    values.push(read.value)
    next = read.end
    if (isSign(tokens[next], ',')) next += 1
    else if (!isSign(tokens[next], ']')) return null
  }
  const end = next + 1
  const [dot, method, open, separator, close] = tokens.slice(end, end + 5)
  if (!isSign(dot, '.')) return { value: values, end }
  const isJoin = method?.text === 'join' && isSign(open, '(') && isSign(close, ')')
  if (!isJoin || !values.every((value) => typeof value === 'string')) return null
  const isSpelled = separator?.kind === 'text' || separator?.kind === 'template'
  if (!isSpelled || separator.inner !== undefined) return null
  return { value: values.join(separator.text), end: end + 5 }
}

function object(tokens: readonly Token[], at: number, constants: Constants): ReadValue | null {
  const value: Record<string, unknown> = {}
  let next = at + 1
  while (!isSign(tokens[next], '}')) {
    const key = tokens[next]
    if (key?.kind !== 'name' && key?.kind !== 'text') return null
    const isShort = key.kind === 'name' && !isSign(tokens[next + 1], ':')
    if (!isShort && !isSign(tokens[next + 1], ':')) return null
    const read = isShort ? named(tokens, next, constants) : valueAt(tokens, next + 2, constants)
    if (read === null || key.text === '__proto__') return null
    value[key.text] = read.value
    next = read.end
    if (isSign(tokens[next], ',')) next += 1
    else if (!isSign(tokens[next], '}')) return null
  }
  return { value, end: next + 1 }
}

export function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text
}

export function isName(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text
}
