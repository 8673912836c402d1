import { requestOf } from './anatomy.ts'
import { cheapestCover, type LastNeeded } from './cover.ts'
import { createPricer, type Piece } from './price.ts'
import { type ScoredRegime, scoredRegimes } from './regimes.ts'
import { prefixTokens, type TracedItem, type TracedSession, tokensOf } from './session.ts'
import type { BenchSession } from './sources.ts'

/** The best possible result that meets every need, with knowledge of the future. */
export const limitNames = [
  'Belady, drop at once',
  'removal only on a cold cache',
  'ideal gate under prefix caching',
  'free deletion, each item seen once (lower bound)',
  'free deletion, uncopied items never shown (floor)',
] as const

export type LimitName = (typeof limitNames)[number]

export interface Limit {
  readonly name: LimitName
  /** One sum for each regime. */
  readonly cost: readonly number[]
  /** Only where it is the same in every regime. */
  readonly tokens: number | null
}

/** Calls and results may be removed; messages stay. */
const isKept = ({ kind }: TracedItem): boolean => kind !== 'call' && kind !== 'result'

// What stands in the place of an item that is gone, so that calls keep their results.
const placeholderTokens = 5

/** True when an item was shown before and is not needed at or after a request. */
type Gone = (item: TracedItem, n: number) => boolean

interface Scene {
  readonly session: TracedSession
  readonly until: LastNeeded
  readonly isGone: Gone
}

export interface LimitOptions {
  /** Items of at most so many tokens stay; by default those that are no longer than what stands for them. */
  readonly leaves?: number | undefined
}

export function limitsOf(
  { unpruned, needs }: BenchSession,
  { leaves = placeholderTokens }: LimitOptions = {},
): readonly Limit[] {
  const until = cheapestCover(unpruned, needs, isKept)
  const enteredAt = requestOf(unpruned)
  const isGone: Gone = (item, n) =>
    !isKept(item) &&
    tokensOf(item.text) > leaves &&
    n > Math.max(enteredAt[item.i] ?? 0, until[item.i] ?? 0)
  const scene = { session: unpruned, until, isGone }
  return limitNames.map((name) => ({ name, ...limitOf(name, scene) }))
}

function limitOf(name: LimitName, scene: Scene): Omit<Limit, 'name'> {
  switch (name) {
    case 'Belady, drop at once':
      return beladyLimit(scene)
    case 'removal only on a cold cache':
      return prefixLimit(scene, coldRemoval)
    case 'ideal gate under prefix caching':
      return prefixLimit(scene, gatedRemoval)
    case 'free deletion, each item seen once (lower bound)':
      return freeLimit(scene, () => false)
    case 'free deletion, uncopied items never shown (floor)':
      return freeLimit(scene, (item) => !isKept(item) && (scene.until[item.i] ?? 0) === 0)
  }
}

const piece = (item: TracedItem, isRemoved: boolean, tokens: number): Piece =>
  isRemoved ? { id: -1 - item.i, tokens: placeholderTokens } : { id: item.i, tokens }

function beladyLimit({ session, isGone }: Scene): Omit<Limit, 'name'> {
  const pricer = createPricer()
  let tokens = 0
  for (const { n, at, view } of session.requests) {
    const pieces = view.map(({ item, text }) => piece(item, isGone(item, n), tokensOf(text)))
    tokens += pieces.reduce((sum, each) => sum + each.tokens, 0)
    pricer.add(pieces, at)
  }
  return { cost: pricer.total().cost, tokens }
}

/** Which further items a regime's rule removes at a request. */
type Removal = (moment: {
  readonly session: TracedSession
  readonly index: number
  readonly regime: ScoredRegime
  readonly isCold: boolean
  readonly isGone: Gone
  readonly removed: ReadonlySet<number>
  /** Requests from this one on that find the cache warm, this one included. */
  readonly warmRequests: number
}) => readonly number[]

function prefixLimit({ session, isGone }: Scene, removal: Removal): Omit<Limit, 'name'> {
  const cost = scoredRegimes.map((regime, column) => {
    const pricer = createPricer()
    const removed = new Set<number>()
    const cold = coldRequests(session, regime)
    for (const [index, { at, view }] of session.requests.entries()) {
      const next = cold.findIndex((isCold, later) => later > index && isCold)
      const warmRequests = (next === -1 ? session.requests.length : next) - index
      const isCold = cold[index] ?? false
      const moment = { session, index, regime, isCold, isGone, removed, warmRequests }
      for (const item of removal(moment)) removed.add(item)
      pricer.add(
        view.map(({ item, text }) => piece(item, removed.has(item.i), tokensOf(text))),
        at,
      )
    }
    return pricer.total().cost[column] ?? 0
  })
  return { cost, tokens: null }
}

const fiveMinutes = 300_000

function coldRequests({ requests }: TracedSession, { lifetimeMs }: ScoredRegime): boolean[] {
  return requests.map(({ at }, index) => {
    const before = requests[index - 1]?.at ?? null
    return at !== null && before !== null && at - before > (lifetimeMs ?? fiveMinutes)
  })
}

const coldRemoval: Removal = ({ session, index, isCold, isGone }) => {
  const request = session.requests[index]
  if (!isCold || request === undefined) return []
  return request.view
    .map(({ item }) => item)
    .filter((item) => isGone(item, request.n))
    .map(indexOf)
}

const indexOf = ({ i }: TracedItem): number => i

/**
 * Cuts where it pays most: all that is not wanted behind one place goes together, what was cached behind that place is
 * written again, and every request until the cache is cold anyway reads less.
 */
const gatedRemoval: Removal = (moment) => {
  const { session, index, regime, isCold, isGone, removed, warmRequests } = moment
  const request = session.requests[index]
  if (request === undefined) return []
  const before = session.requests[index - 1]
  const cached = new Set(isCold ? [] : (before?.view.map(({ item }) => item.i) ?? []))
  let best: readonly number[] = []
  let bestGain = 0
  let rewritten = 0
  let saved = 0
  const chosen: number[] = []
  for (const { item, text } of request.view.toReversed()) {
    const tokens = removed.has(item.i) ? placeholderTokens : tokensOf(text)
    if (!removed.has(item.i) && isGone(item, request.n)) {
      chosen.push(item.i)
      const warm = cached.has(item.i) ? warmRequests : warmRequests - 1
      const now = cached.has(item.i) ? 0 : regime.write
      saved += (tokens - placeholderTokens) * (warm * regime.read + now)
      rewritten += cached.has(item.i) ? placeholderTokens * (regime.write - regime.read) : 0
    } else if (cached.has(item.i)) rewritten += tokens * (regime.write - regime.read)
    if (saved - rewritten <= bestGain) continue
    bestGain = saved - rewritten
    best = [...chosen]
  }
  return best
}

/** The cost if items could be removed from a cached prefix without rewriting it. */
function freeLimit(
  { session, isGone }: Scene,
  isNeverShown: (item: TracedItem) => boolean,
): Omit<Limit, 'name'> {
  const cost = scoredRegimes.map((regime) => {
    const cold = coldRequests(session, regime)
    let sum = 0
    let shownBefore = new Set<number>()
    for (const [index, { n, view }] of session.requests.entries()) {
      const isWarm = index > 0 && cold[index] !== true && regime.lifetimeMs !== null
      sum += prefixTokens * (isWarm ? regime.read : regime.write)
      const shown = view.filter(({ item }) => !isGone(item, n) && !isNeverShown(item))
      for (const { item, text } of shown)
        sum += tokensOf(text) * (isWarm && shownBefore.has(item.i) ? regime.read : regime.write)
      shownBefore = new Set(shown.map(({ item }) => item.i))
    }
    return sum
  })
  return { cost, tokens: null }
}
