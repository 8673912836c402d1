import { dollarsOf, type Regime } from './regimes.ts'

/** One piece of a prompt: what it is, so that equal prefixes are recognised, and how large. */
export interface PromptPiece {
  readonly id: string
  readonly tokens: number
}

/**
 * Prices requests under exact prefix caching: a request reads the longest prefix that one before it left in the cache
 * within its lifetime, which refreshes it, and writes the rest. The grain is one piece.
 */
export interface PrefixCost {
  /** Dollars of one more request; `at` null counts as directly after the one before. */
  price(pieces: readonly PromptPiece[], at: number | null): number
}

interface Node {
  readonly next: Map<string, Node>
  usedAt: number
}

export function createPrefixCost(regime: Regime): PrefixCost {
  const root: Node = { next: new Map(), usedAt: 0 }
  let now = 0
  return {
    price(pieces, at) {
      now = Math.max(now, at ?? now)
      let node = root
      let stillCached = regime.lifetimeMs !== null
      let read = 0
      let written = 0
      for (const { id, tokens } of pieces) {
        let next = node.next.get(id)
        if (next === undefined || now - next.usedAt > (regime.lifetimeMs ?? 0)) stillCached = false
        if (next === undefined) {
          next = { next: new Map(), usedAt: now }
          node.next.set(id, next)
        }
        if (stillCached) read += tokens
        else written += tokens
        next.usedAt = now
        node = next
      }
      return dollarsOf(regime, { read, written })
    },
  }
}
