/** A token of a JavaScript program. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'template' | 'regex' | 'sign'
  /** The source text; for a string or a template without expressions, its value. */
  readonly text: string
  /** The value of a template as `String.raw` returns it. */
  readonly raw?: string
  /** The tokens of a template's expressions. */
  readonly inner?: readonly Token[]
  /** True if it is the first token of a line. */
  readonly startsLine: boolean
}

const blank = /(?:\s|\/\/[^\n]*)*/y
const name = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const number = /\.?\d[\w.]*/y
const regex = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
const sign =
  /=>|\?\.(?!\d)|\?\?=?|\|\|=?|&&=?|\.{3}|[=!]==?|\+\+|--|\*\*=?|<<=?|>>>?=?|[-+*/%&|^<>]=?|[{}()[\];,.:?~!=]/y

/** Maximum nesting of templates. */
const deepest = 8

/** The tokens of a program; null if they are ambiguous. */
export function tokensOf(program: string): readonly Token[] | null {
  const scanner = new Scanner(program)
  const tokens = scanner.tokens()
  return tokens !== null && scanner.at === program.length ? tokens : null
}

class Scanner {
  at = 0
  #depth = 0
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  /** All tokens up to the end, or up to the `}` that closes a template expression. */
  tokens(): Token[] | null {
    const found: Token[] = []
    let depth = 0
    for (;;) {
      const gap = this.#gap()
      if (gap === null) return null
      const startsLine = found.length === 0 || gap.includes('\n')
      const next = this.#source[this.at]
      if (next === undefined || (next === '}' && depth === 0)) return found
      const token = this.#token(next, found.at(-1))
      if (token === null) return null
      if (token.text === '{' && token.kind === 'sign') depth += 1
      if (token.text === '}' && token.kind === 'sign') depth -= 1
      found.push({ ...token, startsLine })
    }
  }

  #token(next: string, before: Token | undefined): Omit<Token, 'startsLine'> | null {
    if (next === '"' || next === "'") return this.#quoted(next)
    if (next === '`') return this.#template()
    const word = this.#take(name)
    if (word !== null) return { kind: 'name', text: word }
    const digits = this.#take(number)
    if (digits !== null) return { kind: 'number', text: digits }
    if (next === '/' && !divides(before)) {
      // After a closing bracket, a slash may be a division or a regular expression.
      if (before !== undefined && /^[)}]$/.test(before.text)) return null
      const pattern = this.#take(regex)
      return pattern === null ? null : { kind: 'regex', text: pattern }
    }
    const mark = this.#take(sign)
    return mark === null ? null : { kind: 'sign', text: mark }
  }

  /** White space and comments; null for an unclosed comment. */
  #gap(): string | null {
    const start = this.at
    for (;;) {
      this.#take(blank)
      if (!this.#source.startsWith('/*', this.at)) return this.#source.slice(start, this.at)
      const end = this.#source.indexOf('*/', this.at + 2)
      if (end === -1) return null
      this.at = end + 2
    }
  }

  #quoted(quote: string): Omit<Token, 'startsLine'> | null {
    const start = this.at + 1
    for (let end = start; end < this.#source.length; end += 1) {
      const character = this.#source[end]
      if (character === '\\') end += 1
      else if (character === '\n') return null
      else if (character === quote) {
        this.at = end + 1
        const text = unescaped(this.#source.slice(start, end))
        return text === null ? null : { kind: 'text', text }
      }
    }
    return null
  }

  #template(): Omit<Token, 'startsLine'> | null {
    const start = this.at + 1
    const inner: Token[] = []
    let hasExpressions = false
    for (let end = start; end < this.#source.length; end += 1) {
      const character = this.#source[end]
      if (character === '\\') end += 1
      else if (character === '`') {
        this.at = end + 1
        const raw = this.#source.slice(start, end).replaceAll('\r\n', '\n')
        if (hasExpressions) return { kind: 'template', text: raw, inner }
        const text = unescaped(raw)
        return text === null ? null : { kind: 'template', text, raw }
      } else if (character === '$' && this.#source[end + 1] === '{') {
        hasExpressions = true
        this.at = end + 2
        this.#depth += 1
        const tokens = this.#depth > deepest ? null : this.tokens()
        this.#depth -= 1
        if (tokens === null || this.#source[this.at] !== '}') return null
        for (const token of tokens) inner.push(token)
        end = this.at
      }
    }
    return null
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#source)?.[0]
    if (found === undefined) return null
    this.at += found.length
    return found
  }
}

/** Whether a slash after this token is a division. */
function divides(before: Token | undefined): boolean {
  if (before === undefined) return false
  if (before.kind === 'sign') return before.text === ']'
  return before.kind !== 'name' || !/^(?:return|typeof|case|of|in|await|else)$/.test(before.text)
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
}

const escapeSequence = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g

/** The value of a quoted string; null for an invalid escape. */
function unescaped(spelled: string): string | null {
  if (!spelled.includes('\\')) return spelled
  let isValid = true
  const text = spelled.replace(
    escapeSequence,
    (_, point, unit, byte, single: string | undefined) => {
      const code: string | undefined = point ?? unit ?? byte
      if (code !== undefined) {
        const value = Number.parseInt(code, 16)
        if (value <= 0x10ffff) return String.fromCodePoint(value)
        isValid = false
      }
      if (single === undefined || /[ux1-9]/.test(single)) isValid = false
      return escapes[single ?? ''] ?? single ?? ''
    },
  )
  return isValid ? text : null
}
