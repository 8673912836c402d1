import type { PromptPiece } from './cached-prefixes.ts'
import type { CacheRules } from './models/model-row.ts'

/** A block of a prompt. The provider reads tools, then the system prompt, then messages, however they are listed. */
export interface CachePiece extends PromptPiece {
  /** Messages, where it is not said. */
  readonly section?: 'tools' | 'system' | 'messages'
  /** The client asks for the prompt to be kept up to here. */
  readonly breakpoint?: true
}

const sections = ['tools', 'system', 'messages'] as const

type Section = (typeof sections)[number]

const sectionOf = (piece: CachePiece): Section => piece.section ?? 'messages'

export function inReadingOrder(pieces: readonly CachePiece[]): readonly CachePiece[] {
  if (pieces.every(({ section }) => section === undefined)) return pieces
  return sections.flatMap((section) => pieces.filter((piece) => sectionOf(piece) === section))
}

/**
 * After how many pieces a request leaves entries: at the client's breakpoints, or, where it has none, behind each
 * section, as clients do. An automatic cache keeps every prefix.
 */
export function entryDepths(rules: CacheRules, pieces: readonly CachePiece[]): readonly number[] {
  switch (rules.kind) {
    case 'none':
      return []
    case 'automatic':
      return Array.from({ length: pieces.length + 1 }, (_, depth) => depth)
    case 'breakpoints': {
      const chosen = pieces.flatMap((piece, at) => (piece.breakpoint ? [at + 1] : []))
      return chosen.length > 0 ? chosen.slice(-rules.breakpoints) : sectionEnds(pieces)
    }
  }
}

function sectionEnds(pieces: readonly CachePiece[]): readonly number[] {
  const ends = pieces.flatMap((piece, at) => {
    const next = pieces[at + 1]
    return next === undefined || sectionOf(next) !== sectionOf(piece) ? [at + 1] : []
  })
  // A section that is not among the pieces stands before them, and has its end there.
  return ends.length < sections.length ? [0, ...ends] : ends
}

/** Whether an entry is found by a request that has breakpoints at these depths. What stands before all pieces always is. */
export function isInReach(rules: CacheRules, depth: number, depths: readonly number[]): boolean {
  if (rules.kind !== 'breakpoints' || rules.lookbackBlocks === null || depth === 0) return true
  const reach = rules.lookbackBlocks
  return depths.some((end) => end >= depth && end - depth < reach)
}

/** How much of a prefix is kept: nothing below the minimum, and whole steps. */
export function keptTokens(rules: CacheRules, tokens: number): number {
  if (rules.kind === 'none' || tokens < rules.minimumTokens) return 0
  return rules.kind === 'automatic' ? tokens - (tokens % rules.stepTokens) : tokens
}
