/** Stands for the unknown path of a temporary file. */
export const TEMPORARY_MARK = '\0temporary'

/** The values of variables in a script; several for a loop or a list. */
export type Names = ReadonlyMap<string, readonly string[]>

interface Reading {
  readonly values: readonly string[]
  readonly end: number
}

const LONGEST = 1_000
const MOST_VALUES = 64

/**
 * Reads a path expression of Python or JavaScript: a string, a known variable, `Path('a') / 'b'`, `os.path.join(…)`,
 * `path.join(…)`, a concatenation, or a list of these. null for anything else.
 */
export function readExpression(text: string, at: number, names: Names, depth = 0): Reading | null {
  if (depth > 6) return null
  let left = readTerm(text, skipSpace(text, at), names, depth)
  while (left !== null) {
    const next = skipSpace(text, left.end)
    const operator = text[next]
    if ((operator !== '+' && operator !== '/') || text[next + 1] === '/') return left
    const right = readTerm(text, skipSpace(text, next + 1), names, depth + 1)
    if (right === null) return null
    const glue = operator === '/' ? '/' : ''
    left = { values: combine(left.values, right.values, glue), end: right.end }
  }
  return null
}

const TERM =
  /(?:[rbu]{0,2}(['"`])|(?:new\s+)?((?:[A-Za-z_$][\w$]*\.)*(?:Path|PurePath|join|resolve|str|abspath|fspath|URL|realpath))\(|(?:sys\.|process\.)?argv\[(\d+)\]|(?:[\w.]*\b)?(?:tempfile\.\w+|mkdtempSync|mkdtemp|tmpdir)\(|([A-Za-z_$][\w$]*)|(\[|\())/y

function readTerm(text: string, at: number, names: Names, depth: number): Reading | null {
  TERM.lastIndex = at
  const match = TERM.exec(text)
  if (match === null) return null
  const [whole, quote, call, argument, name, bracket] = match
  const end = at + whole.length
  let reading: Reading | null
  if (quote !== undefined) reading = readString(text, end, quote)
  else if (call !== undefined) reading = readCall(text, end, names, depth)
  else if (argument !== undefined) reading = readName(`argv[${argument}]`, end, names)
  else if (name !== undefined) reading = readName(name, end, names)
  else if (bracket !== undefined) reading = readList(text, end, names, depth)
  else reading = { values: [TEMPORARY_MARK], end: closingBracket(text, end) }
  return reading === null ? null : skipMethods(text, reading)
}

function readString(text: string, start: number, quote: string): Reading | null {
  for (let at = start; at < text.length && at - start < LONGEST; at++) {
    const character = text[at]
    if (character === '\n' || character === '\\') return null
    if (quote === '`' && character === '$' && text[at + 1] === '{') return null
    if (character === quote) return { values: [text.slice(start, at)], end: at + 1 }
  }
  return null
}

function readName(name: string, end: number, names: Names): Reading | null {
  const values = names.get(name)
  return values === undefined ? null : { values, end }
}

/** The arguments of `Path(…)` or `join(…)`, joined with slashes. */
function readCall(text: string, start: number, names: Names, depth: number): Reading | null {
  const parts = readItems(text, start, names, depth, ')')
  if (parts === null) return null
  const values = parts.items.reduce<readonly string[] | null>(
    (before, item) => (before === null ? item : combine(before, item, '/')),
    null,
  )
  return values === null ? null : { values, end: parts.end }
}

function readList(text: string, start: number, names: Names, depth: number): Reading | null {
  const parts = readItems(text, start, names, depth, text[start - 1] === '[' ? ']' : ')')
  return parts === null ? null : { values: parts.items.flat(), end: parts.end }
}

function readItems(
  text: string,
  start: number,
  names: Names,
  depth: number,
  close: string,
): { readonly items: readonly (readonly string[])[]; readonly end: number } | null {
  const items: (readonly string[])[] = []
  let at = skipSpace(text, start)
  while (items.length < MOST_VALUES) {
    if (text[at] === close) return { items, end: at + 1 }
    const item = readExpression(text, at, names, depth + 1)
    if (item === null) return null
    items.push(item.values)
    at = skipSpace(text, item.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    else if (text[at] !== close) return null
  }
  return null
}

const METHODS = /(?:\.(?:resolve|expanduser|absolute|as_posix)\(\)|\.name\b)*/y

function skipMethods(text: string, reading: Reading): Reading {
  METHODS.lastIndex = reading.end
  return { ...reading, end: reading.end + (METHODS.exec(text)?.[0].length ?? 0) }
}

function combine(
  left: readonly string[],
  right: readonly string[],
  glue: string,
): readonly string[] {
  return left
    .flatMap((first) =>
      right.map((second) => (first.endsWith('/') ? first : first + glue) + second),
    )
    .slice(0, MOST_VALUES)
}

function closingBracket(text: string, start: number): number {
  const close = text.indexOf(')', start)
  return close === -1 || close - start > LONGEST ? start : close + 1
}

export function skipSpace(text: string, at: number): number {
  let next = at
  while (next < text.length && next - at < LONGEST && /\s/.test(text[next]!)) next++
  return next
}
