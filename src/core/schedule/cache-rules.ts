import type { PromptPiece } from './cached-prefixes.ts'
import type { CacheRules } from './models/model-row.ts'

/** A block of a prompt. Providers read tools first, then the system prompt, then messages, in whatever order they are sent. */
export interface CachePiece extends PromptPiece {
  /** `messages` when left out. */
  readonly section?: 'tools' | 'system' | 'messages'
  /** The client asks to cache the prompt up to here. */
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
 * The numbers of pieces after which a request creates cache entries: at the client's breakpoints, or after each section
 * where it has none, as clients usually do. An automatic cache keeps every prefix.
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
  // A section without pieces precedes them, so it ends at 0.
  return ends.length < sections.length ? [0, ...ends] : ends
}

/** Whether a request with breakpoints at these depths finds an entry. The part before all pieces is always found. */
export function isInReach(rules: CacheRules, depth: number, depths: readonly number[]): boolean {
  if (rules.kind !== 'breakpoints' || rules.lookbackBlocks === null || depth === 0) return true
  const reach = rules.lookbackBlocks
  return depths.some((end) => end >= depth && end - depth < reach)
}

/** How much of a prefix is cached: nothing below the minimum, and only whole steps. */
export function keptTokens(rules: CacheRules, tokens: number): number {
  if (rules.kind === 'none' || tokens < rules.minimumTokens) return 0
  return rules.kind === 'automatic' ? tokens - (tokens % rules.stepTokens) : tokens
}
