/** The syntax tree of a regular expression. */
export type RegExpNode =
  | { readonly kind: 'character'; readonly fits: (character: string) => boolean }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'either'; readonly nodes: readonly RegExpNode[] }
  /** `(?=…)` and `(?!…)`. */
  | { readonly kind: 'look'; readonly found: boolean; readonly node: RegExpNode }
  | {
      readonly kind: 'repeat'
      readonly node: RegExpNode
      readonly least: number
      readonly most: number
    }

const deepest = 100

function quoted(character: string): string {
  return /\w/.test(character) ? character : `\\${character}`
}

/** Parses JavaScript's syntax without the `u` and `v` modes; null for syntax that these nodes do not support. */
export function parseRegExp(source: string, flags: string): RegExpNode | null {
  if (compiled(source, flags) === null) return null
  return new RegExpParser(source, flags).readAll()
}

class RegExpParser {
  readonly #source: string
  readonly #flags: string
  #at = 0
  #depth = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  readAll(): RegExpNode | null {
    const node = this.#readEither()
    return this.#at < this.#source.length ? null : node
  }

  #readEither(): RegExpNode | null {
    const nodes: RegExpNode[] = []
    if (++this.#depth > deepest) return null
    for (;;) {
      const sequence = this.#readSequence()
      if (sequence === null) return null
      nodes.push(sequence)
      if (this.#source[this.#at] !== '|') break
      this.#at++
    }
    this.#depth--
    return nodes.length === 1 ? (nodes[0] as RegExpNode) : { kind: 'either', nodes }
  }

  #readSequence(): RegExpNode | null {
    const nodes: RegExpNode[] = []
    while (
      this.#at < this.#source.length &&
      this.#source[this.#at] !== '|' &&
      this.#source[this.#at] !== ')'
    ) {
      const atom = this.#readAtom()
      const node = atom === null ? null : this.#readRepeat(atom)
      if (node === null) return null
      nodes.push(node)
    }
    return { kind: 'sequence', nodes }
  }

  #readAtom(): RegExpNode | null {
    const character = this.#source[this.#at] as string
    if (character === '(') return this.#readBracket()
    if (character === '[') return this.#readClass()
    if (character === '\\') return this.#readEscape()
    this.#at++
    if (character === '^') return { kind: 'start' }
    if (character === '$') return { kind: 'end' }
    if ('*+?{'.includes(character)) return null
    return oneOf(this.#flags, character === '.' ? '[^\\n\\r\\u2028\\u2029]' : quoted(character))
  }

  #readBracket(): RegExpNode | null {
    const opening =
      /^\((?:\?(?:[:=!]|.))?/s.exec(this.#source.slice(this.#at, this.#at + 3))?.[0] ?? ''
    this.#at += opening.length
    if (opening.length === 3 && !':=!'.includes(opening[2] as string)) return null
    const node = this.#readEither()
    if (node === null || this.#source[this.#at] !== ')') return null
    this.#at++
    if (opening === '(?:' || opening === '(') return node
    return { kind: 'look', found: opening === '(?=', node }
  }

  #readClass(): RegExpNode | null {
    const start = this.#at++
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']')
      this.#at += this.#source[this.#at] === '\\' ? 2 : 1
    if (this.#at >= this.#source.length) return null
    this.#at++
    return oneOf(this.#flags, this.#source.slice(start, this.#at))
  }

  #readEscape(): RegExpNode | null {
    const escaped = this.#source[this.#at + 1] ?? ''
    this.#at += 2
    // Other letters and digits are word boundaries, back-references, code points or unknown escapes.
    if (/[A-Za-z0-9]/.test(escaped) && !/[dDwWsSntrfv]/.test(escaped)) return null
    return escaped === '' ? null : oneOf(this.#flags, `\\${escaped}`)
  }

  #readRepeat(node: RegExpNode): RegExpNode | null {
    const written = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(
      this.#source.slice(this.#at, this.#at + 13),
    )
    if (written === null) return node
    if (node.kind === 'start' || node.kind === 'end') return null
    const [whole, least, range, most] = written
    this.#at += whole.length
    const endless = Number.POSITIVE_INFINITY
    if (whole[0] === '*') return { kind: 'repeat', node, least: 0, most: endless }
    if (whole[0] === '+') return { kind: 'repeat', node, least: 1, most: endless }
    if (whole[0] === '?') return { kind: 'repeat', node, least: 0, most: 1 }
    const from = Number(least)
    const to = range === undefined ? from : most === '' ? endless : Number(most)
    return { kind: 'repeat', node, least: from, most: to }
  }
}

/** A node for one character, which JavaScript's own `RegExp` tests. */
function oneOf(flags: string, pattern: string): RegExpNode | null {
  const expression = compiled(`^${pattern}$`, flags)
  if (expression === null) return null
  const known = new Map<string, boolean>()
  const fits = (character: string): boolean => {
    const before = known.get(character)
    if (before !== undefined) return before
    const isFit = expression.test(character)
    if (known.size < 256) known.set(character, isFit)
    return isFit
  }
  return { kind: 'character', fits }
}

function compiled(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return null
  }
}
