import type { Regime } from '../../src/core/schedule/regimes.ts'
import { scoredRegimes } from './regimes.ts'
import { prefixTokens, type Rendition, shownTokens } from './session.ts'

/** One piece of a prompt. Equal ids mean equal bytes. */
export interface Piece {
  readonly id: number
  readonly tokens: number
}

/** The cost of a series of requests, in multiples of the price of an input token. */
export interface Price {
  /** One sum for each regime, in their order: that of `regimeNames` unless others were given. */
  readonly cost: readonly number[]
  /** Tokens that were read from the cache, by regime. */
  readonly read: readonly number[]
  /** All tokens, the constant prefix included. */
  readonly sent: number
}

export interface Pricer {
  /** `at` null counts as directly after the request before. */
  add(pieces: readonly Piece[], at: number | null): void
  total(): Price
}

type PricedRegime = Pick<Regime, 'write' | 'read' | 'lifetimeMs'>

interface Node {
  readonly next: Map<number, Node>
  usedAt: number
}

/**
 * Prices requests in every regime at once. Each request leaves all its prefixes in the cache, and reads the longest
 * one that was used within the lifetime. The grain is one piece.
 */
export function createPricer(regimes: readonly PricedRegime[] = scoredRegimes): Pricer {
  const root: Node = { next: new Map(), usedAt: Number.NEGATIVE_INFINITY }
  const read = regimes.map(() => 0)
  let sent = 0
  let now = 0
  return {
    add(pieces, at) {
      now = Math.max(now, at ?? now)
      const whole = prefixTokens + pieces.reduce((sum, { tokens }) => sum + tokens, 0)
      sent += whole
      // Prefixes are used at least as lately as what extends them, so that ages only grow along the way.
      const reach = regimes.map(() => 0)
      const extend = (age: number, tokens: number): void => {
        for (let at = 0; at < regimes.length; at++) {
          const { lifetimeMs } = regimes[at] as PricedRegime
          if (lifetimeMs !== null && age <= lifetimeMs) reach[at] = (reach[at] as number) + tokens
        }
      }
      extend(now - root.usedAt, prefixTokens)
      root.usedAt = now
      let node = root
      for (const { id, tokens } of pieces) {
        let next = node.next.get(id)
        if (next === undefined) {
          next = { next: new Map(), usedAt: now }
          node.next.set(id, next)
        } else {
          extend(now - next.usedAt, tokens)
          next.usedAt = now
        }
        node = next
      }
      for (const [index, tokens] of reach.entries()) read[index] = (read[index] as number) + tokens
    },
    total: () => ({
      read,
      sent,
      cost: regimes.map(
        (regime, index) =>
          (read[index] as number) * regime.read + (sent - (read[index] as number)) * regime.write,
      ),
    }),
  }
}

export function piecesOf(view: readonly Rendition[]): readonly Piece[] {
  return view.map((rendition) => ({ id: rendition.r, tokens: shownTokens(rendition) }))
}
