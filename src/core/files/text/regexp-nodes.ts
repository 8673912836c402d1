/** The syntax tree of a regular expression. */
export type RegExpNode =
  | { readonly kind: 'character'; readonly fits: (character: string) => boolean }
  | { readonly kind: 'start' | 'end' }
  /** `\b` and `\B`. */
  | { readonly kind: 'edge'; readonly isEdge: boolean }
  | { readonly kind: 'sequence' | 'either'; readonly nodes: readonly RegExpNode[] }
  /** A capturing group; 0 is the whole match. */
  | { readonly kind: 'group'; readonly index: number; readonly node: RegExpNode }
  /** `(?=…)` and `(?!…)`. */
  | { readonly kind: 'look'; readonly found: boolean; readonly node: RegExpNode }
  | {
      readonly kind: 'repeat'
      readonly node: RegExpNode
      readonly least: number
      readonly most: number
      readonly lazy: boolean
    }

export interface ParsedRegExp {
  readonly node: RegExpNode
  readonly groups: number
  /** True when something that may be empty is repeated; JavaScript has special rules for captures in it. */
  readonly repeatsEmpty: boolean
}

const deepest = 100

function quoted(character: string): string {
  return /\w/.test(character) ? character : `\\${character}`
}

/** Parses JavaScript's syntax without the `u` and `v` modes; null for syntax that these nodes do not support. */
export function parseRegExp(source: string, flags: string): ParsedRegExp | null {
  let at = 0
  let groups = 0
  let depth = 0
  let repeatsEmpty = false

  function readEither(): RegExpNode | null {
    const nodes: RegExpNode[] = []
    if (++depth > deepest) return null
    for (;;) {
      const sequence = readSequence()
      if (sequence === null) return null
      nodes.push(sequence)
      if (source[at] !== '|') break
      at++
    }
    depth--
    return nodes.length === 1 ? (nodes[0] as RegExpNode) : { kind: 'either', nodes }
  }

  function readSequence(): RegExpNode | null {
    const nodes: RegExpNode[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const atom = readAtom()
      const node = atom === null ? null : readRepeat(atom)
      if (node === null) return null
      nodes.push(node)
    }
    return { kind: 'sequence', nodes }
  }

  function readAtom(): RegExpNode | null {
    const character = source[at] as string
    if (character === '(') return readBracket()
    if (character === '[') return readClass()
    if (character === '\\') return readEscape()
    at++
    if (character === '^') return { kind: 'start' }
    if (character === '$') return { kind: 'end' }
    if ('*+?{'.includes(character)) return null
    return oneOf(character === '.' ? '[^\\n\\r\\u2028\\u2029]' : quoted(character))
  }

  function readBracket(): RegExpNode | null {
    const opening = /^\((?:\?(?:[:=!]|.))?/s.exec(source.slice(at, at + 3))?.[0] ?? ''
    at += opening.length
    if (opening.length === 3 && !':=!'.includes(opening[2] as string)) return null
    const index = opening === '(' ? ++groups : 0
    const node = readEither()
    if (node === null || source[at] !== ')') return null
    at++
    if (opening === '(?:') return node
    if (opening === '(') return { kind: 'group', index, node }
    return { kind: 'look', found: opening === '(?=', node }
  }

  function readClass(): RegExpNode | null {
    const start = at++
    while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
    if (at >= source.length) return null
    at++
    return oneOf(source.slice(start, at))
  }

  function readEscape(): RegExpNode | null {
    const escaped = source[at + 1] ?? ''
    at += 2
    if (escaped === 'b' || escaped === 'B') return { kind: 'edge', isEdge: escaped === 'b' }
    // Other letters and digits are back-references, code points or unknown escapes.
    if (/[A-Za-z0-9]/.test(escaped) && !/[dDwWsSntrfv]/.test(escaped)) return null
    return escaped === '' ? null : oneOf(`\\${escaped}`)
  }

  function readRepeat(node: RegExpNode): RegExpNode | null {
    const written = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(source.slice(at, at + 13))
    if (written === null) return node
    if (node.kind === 'start' || node.kind === 'end' || node.kind === 'edge') return null
    const [whole, least, range, most] = written
    at += whole.length
    if (mayBeEmpty(node)) repeatsEmpty = true
    const lazy = whole.length > 1 && whole.endsWith('?')
    const endless = Number.POSITIVE_INFINITY
    if (whole[0] === '*') return { kind: 'repeat', node, least: 0, most: endless, lazy }
    if (whole[0] === '+') return { kind: 'repeat', node, least: 1, most: endless, lazy }
    if (whole[0] === '?') return { kind: 'repeat', node, least: 0, most: 1, lazy }
    const from = Number(least)
    const to = range === undefined ? from : most === '' ? endless : Number(most)
    return { kind: 'repeat', node, least: from, most: to, lazy }
  }

  /** A node for one character, which JavaScript's own `RegExp` tests. */
  function oneOf(pattern: string): RegExpNode | null {
    const expression = compiled(`^${pattern}$`)
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

  function compiled(pattern: string): RegExp | null {
    try {
      return new RegExp(pattern, flags)
    } catch {
      return null
    }
  }

  if (compiled(source) === null) return null
  const node = readEither()
  return node === null || at < source.length ? null : { node, groups, repeatsEmpty }
}

function mayBeEmpty(node: RegExpNode): boolean {
  switch (node.kind) {
    case 'character':
      return false
    case 'sequence':
      return node.nodes.every(mayBeEmpty)
    case 'either':
      return node.nodes.some(mayBeEmpty)
    case 'group':
      return mayBeEmpty(node.node)
    case 'repeat':
      return node.least === 0 || mayBeEmpty(node.node)
    default:
      return true
  }
}
