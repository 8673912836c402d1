import { parseRegExp, type RegExpNode } from './regexp-nodes.ts'

/**
 * Tests and replaces like a `RegExp` of the same source, in time linear in the text. Returns null for a text that is too
 * long.
 */
export interface LinearRegExp {
  test(text: string): boolean | null
  /** Like `String.prototype.replace`; also null when the pattern repeats something that may be empty. */
  replace(text: string, replacement: string): string | null
}

type Step =
  | { readonly op: 'character'; readonly fits: (character: string) => boolean }
  /** Continues at the first step, and at the second when that fails. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'start' | 'end' }
  | { readonly op: 'edge'; readonly isEdge: boolean }
  | { op: 'look'; readonly found: boolean; behind: number }
  | { readonly op: 'match' }

const mostSteps = 1_000
/** The limit for the steps of the pattern times the characters of the text. */
const mostStates = 20_000_000

/**
 * Compiles JavaScript regular expressions without back-references and lookbehinds; null for any other.
 *
 * It finds the same matches as a backtracking engine, but records which steps failed at which characters, and never tries
 * one twice.
 */
export function linearRegExp(source: string, flags: string): LinearRegExp | null {
  const parsed = parseRegExp(source, flags.includes('i') ? 'is' : 's')
  if (parsed === null) return null
  const steps: Step[] = []
  if (!emit({ kind: 'group', index: 0, node: parsed.node }, steps)) return null
  steps.push({ op: 'match' })
  const slots = 2 * (parsed.groups + 1)
  return {
    test: (text) => {
      const find = search(steps, slots, text)
      return find === null ? null : find(0) !== undefined
    },
    replace: (text, replacement) => {
      const find = parsed.repeatsEmpty ? null : search(steps, slots, text)
      if (find === null) return null
      const parts: string[] = []
      let last = 0
      for (let at = 0; at <= text.length; ) {
        const found = find(at)
        if (found === undefined) break
        const [start = 0, end = 0] = found
        parts.push(text.slice(last, start), filled(replacement, text, found))
        last = end
        at = end > start ? end : end + 1
        if (!flags.includes('g')) break
      }
      return parts.join('') + text.slice(last)
    },
  }
}

/** The replacement with `$&`, `$1` and `$$` expanded. */
function filled(replacement: string, text: string, found: readonly number[]): string {
  return replacement.replace(/\$([$&]|[1-9])/g, (written, what: string) => {
    if (what === '$') return '$'
    const group = what === '&' ? 0 : Number(what)
    if (group * 2 >= found.length) return written
    const [start = -1, end = -1] = found.slice(group * 2)
    return start < 0 || end < 0 ? '' : text.slice(start, end)
  })
}

/** Appends the steps of a node; false when there are too many. */
function emit(node: RegExpNode, steps: Step[]): boolean {
  if (steps.length > mostSteps) return false
  switch (node.kind) {
    case 'character':
      steps.push({ op: 'character', fits: node.fits })
      return true
    case 'start':
    case 'end':
      steps.push({ op: node.kind })
      return true
    case 'edge':
      steps.push({ op: 'edge', isEdge: node.isEdge })
      return true
    case 'sequence':
      return node.nodes.every((each) => emit(each, steps))
    case 'group': {
      steps.push({ op: 'save', slot: node.index * 2 })
      const isWhole = emit(node.node, steps)
      steps.push({ op: 'save', slot: node.index * 2 + 1 })
      return isWhole
    }
    case 'look': {
      const look: Step = { op: 'look', found: node.found, behind: 0 }
      steps.push(look)
      const isWhole = emit(node.node, steps)
      steps.push({ op: 'match' })
      look.behind = steps.length
      return isWhole
    }
    case 'either':
      return emitEither(node.nodes, steps)
    case 'repeat':
      return emitRepeat(node, steps)
  }
}

function emitEither(nodes: readonly RegExpNode[], steps: Step[]): boolean {
  const ends: { op: 'jump'; to: number }[] = []
  const isWhole = nodes.every((node, index) => {
    if (index === nodes.length - 1) return emit(node, steps)
    const split = { op: 'split' as const, first: steps.length + 1, second: 0 }
    steps.push(split)
    const isEmitted = emit(node, steps)
    const end = { op: 'jump' as const, to: 0 }
    steps.push(end)
    ends.push(end)
    split.second = steps.length
    return isEmitted
  })
  for (const end of ends) end.to = steps.length
  return isWhole
}

function emitRepeat(
  { node, least, most, lazy }: RegExpNode & { readonly kind: 'repeat' },
  steps: Step[],
): boolean {
  for (let count = 0; count < least; count++) if (!emit(node, steps)) return false
  const optional = (): ((end: number) => void) => {
    const split = { op: 'split' as const, first: 0, second: 0 }
    steps.push(split)
    const inside = steps.length
    return (end) => {
      split.first = lazy ? end : inside
      split.second = lazy ? inside : end
    }
  }
  if (most === Number.POSITIVE_INFINITY) {
    const again = steps.length
    const close = optional()
    if (!emit(node, steps)) return false
    steps.push({ op: 'jump', to: again })
    close(steps.length)
    return true
  }
  const closes: ((end: number) => void)[] = []
  for (let count = least; count < most; count++) {
    closes.push(optional())
    if (!emit(node, steps)) return false
  }
  for (const close of closes) close(steps.length)
  return true
}

type Find = (from: number) => readonly number[] | undefined

/** A function that finds the leftmost match from a position on; null when the text is too long. */
function search(steps: readonly Step[], slots: number, text: string): Find | null {
  const width = text.length + 1
  if (steps.length * width > mostStates) return null
  const tried = new Uint8Array(steps.length * width)

  function run(first: number, from: number, found: number[], visited: number[] | null): boolean {
    // Pairs: a step and a position to continue from, or `~slot` and a saved value to restore.
    const open: number[] = [first, from]
    while (open.length > 0) {
      let at = open.pop() as number
      let step = open.pop() as number
      if (step < 0) {
        found[~step] = at
        continue
      }
      for (;;) {
        const state = step * width + at
        if (tried[state] === 1) break
        tried[state] = 1
        visited?.push(state)
        const taken = steps[step] as Step
        if (taken.op === 'match') return true
        if (taken.op === 'character') {
          if (at >= text.length || !taken.fits(text.charAt(at))) break
          at++
          step++
        } else if (taken.op === 'split') {
          open.push(taken.second, at)
          step = taken.first
        } else if (taken.op === 'jump') step = taken.to
        else if (taken.op === 'save') {
          open.push(~taken.slot, found[taken.slot] as number)
          found[taken.slot] = at
          step++
        } else if (taken.op === 'look') {
          if (looksAt(step + 1, at) !== taken.found) break
          step = taken.behind
        } else {
          if (!holds(taken, at)) break
          step++
        }
      }
    }
    return false
  }

  function looksAt(step: number, at: number): boolean {
    const visited: number[] = []
    const isThere = run(step, at, new Array<number>(slots).fill(-1), visited)
    // The states that led to a match did not fail.
    if (isThere) for (const state of visited) tried[state] = 0
    return isThere
  }

  function holds(step: Step, at: number): boolean {
    if (step.op === 'start') return at === 0
    if (step.op === 'end') return at === text.length
    return step.op === 'edge' && (isWord(text, at - 1) !== isWord(text, at)) === step.isEdge
  }

  return (from) => {
    for (let start = from; start <= text.length; start++) {
      const found = new Array<number>(slots).fill(-1)
      if (!run(0, start, found, null)) continue
      // Other states that were tried after the match's start failed; those at its end must be tried again.
      const end = found[1] as number
      for (let step = 0; step < steps.length; step++) tried[step * width + end] = 0
      return found
    }
    return undefined
  }
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at))
}
