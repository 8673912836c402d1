import { parseRegExp, type RegExpNode } from './regexp-nodes.ts'

/** Tests a text like a `RegExp` of the same source, in time linear in the text; null for a text that is too long. */
export type LinearTest = (text: string) => boolean | null

type Step =
  | { readonly op: 'character'; readonly fits: (character: string) => boolean }
  /** Continues at the first step, and at the second when that fails. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'start' | 'end' }
  | { op: 'look'; readonly found: boolean; behind: number }
  | { readonly op: 'match' }

const mostSteps = 1_000
/** The limit for the steps of the pattern times the characters of the text. */
const mostStates = 20_000_000

/**
 * Compiles JavaScript regular expressions without back-references and lookbehinds; null for any other.
 *
 * It searches like a backtracking engine, but records which steps failed at which characters, and never tries one twice.
 */
export function linearRegExp(source: string, flags: string): LinearTest | null {
  const node = parseRegExp(source, flags.includes('i') ? 'is' : 's')
  if (node === null) return null
  const steps: Step[] = []
  if (!emit(node, steps)) return null
  steps.push({ op: 'match' })
  return (text) => {
    if (steps.length * (text.length + 1) > mostStates) return null
    const search = new Search(steps, text)
    for (let start = 0; start <= text.length; start++) if (search.matchesAt(start)) return true
    return false
  }
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
    case 'sequence':
      return node.nodes.every((each) => emit(each, steps))
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
  { node, least, most }: RegExpNode & { readonly kind: 'repeat' },
  steps: Step[],
): boolean {
  for (let count = 0; count < least; count++) if (!emit(node, steps)) return false
  const optional = (): ((end: number) => void) => {
    const split = { op: 'split' as const, first: steps.length + 1, second: 0 }
    steps.push(split)
    return (end) => {
      split.second = end
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

class Search {
  readonly #steps: readonly Step[]
  readonly #text: string
  /** 1 for every step and position that did not lead to a match. */
  readonly #tried: Uint8Array

  constructor(steps: readonly Step[], text: string) {
    this.#steps = steps
    this.#text = text
    this.#tried = new Uint8Array(steps.length * (text.length + 1))
  }

  matchesAt(start: number): boolean {
    return this.#run(0, start, null)
  }

  #run(first: number, from: number, visited: number[] | null): boolean {
    // Pairs of a step and a position to continue from.
    const open: number[] = [first, from]
    while (open.length > 0) {
      let at = open.pop() as number
      let step: number | null = open.pop() as number
      while (step !== null) {
        const state: number = step * (this.#text.length + 1) + at
        if (this.#tried[state] === 1) break
        this.#tried[state] = 1
        visited?.push(state)
        const taken = this.#steps[step] as Step
        if (taken.op === 'match') return true
        if (taken.op === 'split') open.push(taken.second, at)
        step = this.#after(taken, step, at)
        if (taken.op === 'character') at++
      }
    }
    return false
  }

  /** The step after this one; null when it does not fit. */
  #after(taken: Step, step: number, at: number): number | null {
    switch (taken.op) {
      case 'character':
        return at < this.#text.length && taken.fits(this.#text.charAt(at)) ? step + 1 : null
      case 'split':
        return taken.first
      case 'jump':
        return taken.to
      case 'look':
        return this.#looksAt(step + 1, at) === taken.found ? taken.behind : null
      case 'start':
        return at === 0 ? step + 1 : null
      case 'end':
        return at === this.#text.length ? step + 1 : null
      case 'match':
        return null
    }
  }

  #looksAt(step: number, at: number): boolean {
    const visited: number[] = []
    const isThere = this.#run(step, at, visited)
    // The states that led to a match did not fail.
    if (isThere) for (const state of visited) this.#tried[state] = 0
    return isThere
  }
}
