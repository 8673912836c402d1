import type { Config } from '../config/config.ts'
import { dollarsOf, regimeFor } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'
import { alreadyPruned, ranPruned } from './already-pruned.ts'
import { anatomyOf, type Tally } from './anatomy.ts'
import { priceSession } from './priced-session.ts'
import { sessionFor } from './recorded-session.ts'

/** What a recorded session cost, and what it would have cost with us. */
export interface LookedAt {
  readonly requests: number
  /** Dollars for the input by the recorded usage, or else by the cache's rules. */
  readonly cost: number
  /** Whether the cost is by usage. */
  readonly isMeasured: boolean
  /** With us and without, by the cache's rules. */
  readonly dollars: { readonly with: number; readonly without: number }
  readonly tokens: { readonly with: number; readonly without: number }
  readonly wastes: Readonly<Record<Waste, Tally>>
}

export type Waste = 'rereads' | 'readsLaterEdited' | 'repeatedCalls'

/** null for a session without requests, and for one that was pruned while it ran. */
export function lookAt(recording: Recording, config: Config): LookedAt | null {
  if (ranPruned(alreadyPruned(recording))) return null
  const regime = regimeFor(recording.model, config.models)
  const session = sessionFor(recording, { config })
  const priced = priceSession(recording, { regimes: [regime], session })
  const dollars = priced.prices[0]?.dollars
  if (priced.requests === 0 || dollars === undefined) return null
  const measured = costByUsage(recording, config)
  const { rereads, readsLaterEdited, repeatedCalls } = anatomyOf(recording, {
    mappings: config.toolMappings,
  })
  return {
    requests: priced.requests,
    cost: measured ?? dollars.without,
    isMeasured: measured !== null,
    dollars,
    tokens: priced.tokens,
    wastes: { rereads, readsLaterEdited, repeatedCalls },
  }
}

/** null when an answer has no usage. */
function costByUsage({ events, model }: Recording, { models }: Config): number | null {
  let cost = 0
  for (const event of events) {
    if (event.kind !== 'message' || event.message.role !== 'assistant') continue
    const { usage } = event.message
    if (usage === undefined) return null
    const { input, cacheRead: read, cacheWrite: written } = usage
    const regime = regimeFor(event.message.model ?? model, models)
    cost += dollarsOf(regime, { read, written, uncached: Math.max(0, input - read - written) })
  }
  return cost === 0 ? null : cost
}

/** A share with its interval: where 95 of 100 samples of as many sessions would lie. */
export interface Estimate {
  readonly share: number
  readonly low: number
  readonly high: number
}

const resamples = 2000

/**
 * The share of the cost that is saved, over sessions. The interval comes from drawing as many sessions again and again with
 * replacement (bootstrap), so that a few sessions give a wide one. null for fewer than three sessions.
 */
export function estimateSaving(sessions: readonly LookedAt[]): Estimate | null {
  const shareOf = (drawn: readonly LookedAt[]): number => {
    const without = drawn.reduce((sum, { dollars }) => sum + dollars.without, 0)
    const kept = drawn.reduce((sum, { dollars }) => sum + dollars.with, 0)
    return without === 0 ? 0 : 1 - kept / without
  }
  if (sessions.length < 3) return null
  const next = randomNumbers(sessions.length)
  const shares = Array.from({ length: resamples }, () =>
    shareOf(sessions.map(() => sessions[Math.floor(next() * sessions.length)] as LookedAt)),
  ).sort((one, other) => one - other)
  const at = (part: number): number => shares[Math.floor(part * (resamples - 1))] as number
  return { share: shareOf(sessions), low: at(0.025), high: at(0.975) }
}

/** The same numbers every time, so that the same sessions give the same interval. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
