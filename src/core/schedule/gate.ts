import type { ItemSizes } from '../record/item-sizes.ts'
import { type Bank, priceOf } from './bank.ts'
import type { Pending, PendingItem } from './pending.ts'
import { leavesEnough, type PromptFloor, type PromptRules } from './prompt-rules.ts'
import type { Cached } from './provider-caches.ts'
import type { Regime } from './regimes.ts'

/** The input of the gate before a request. Places count the items of the history from 0. */
export interface GateView {
  readonly sizes: ItemSizes
  readonly pending: Pending
  /** Regimes that may apply. The first `priced` decide whether a cut pays; none of them may be overdrawn by one. */
  readonly regimes: readonly Regime[]
  readonly priced: number
  readonly bank: Bank
  /** For each regime, up to which place the provider still caches what was sent. */
  readonly cached: readonly Cached[]
  /** The same for the session's other models, to which it may return. */
  readonly cachedByOthers: readonly (readonly Cached[])[]
  readonly prompt: PromptRules
  readonly floor: PromptFloor
  /** How many later requests are expected to reuse what this one writes to the cache. */
  readonly horizon: number
}

type CachedView = Pick<GateView, 'sizes' | 'regimes' | 'cached' | 'prompt'>

/** From which place on sent bytes change, and how many characters that removes and rewrites. */
export interface Opening {
  readonly from: number
  /** Characters that leave the context. */
  readonly removed: number
  /** Cached characters that have to be written again, under the regime with the most. */
  readonly rewritten: number
}

/** How many of the newest pending items are compared. Further back, more would be rewritten than gained. */
const mostCompared = 256
/** Characters only approximate tokens, so costs are rounded up and gains down. */
const costCaution = 1.1
const gainCaution = 0.93

/**
 * The best place to cut, or null when no cut pays. A cut pays when, over the expected requests, the cheaper reads outweigh
 * rewriting what follows the cut. It is affordable when it overdraws no regime's bank.
 */
export function bestOpening(view: GateView): Opening | null {
  const { sizes } = view
  let best: Opening | null = null
  let bestValue = 0
  let compared = 0
  const fetched = { requests: 0, characters: 0 }
  for (const { place, need, removed } of cutsOf(view)) {
    if (++compared > mostCompared) break
    fetched.requests += need
    fetched.characters += need * (sizes.originalBefore(place + 1) - sizes.originalBefore(place))
    const value = netValue(place, removed, view) - fetchPrice(fetched, view)
    if (value <= bestValue || !isAffordable(place, removed, view)) continue
    bestValue = value
    best = { from: place, removed, rewritten: mostRewritten(place, view) }
  }
  return best
}

/**
 * The first place from a given one on at which bytes may change without overdrawing a regime: that place itself, or the
 * place of the oldest pending item behind it that can be paid for.
 */
export function firstAffordable(from: number, view: GateView): number {
  let first = Infinity
  let all = 0
  for (const { place, removed } of cutsOf(view)) {
    if (place < from) break
    all = removed
    if (isAffordable(place, removed, view)) first = place
  }
  return isAffordable(from, all, view) ? from : first
}

interface Cut extends PendingItem {
  /** How many characters a cut at this item removes, with what is pending behind it. */
  readonly removed: number
}

/** The cuts at pending items, the newest first. */
function* cutsOf({ pending, sizes, floor }: GateView): Iterable<Cut> {
  const behind: PendingItem[] = []
  let sum = 0
  for (const item of pending.newestFirst()) {
    behind.push(item)
    sum += item.gain
    const removed = leavesEnough(floor, sizes, sum) ? sum : removedAbove(floor, sizes, behind)
    yield { ...item, removed }
  }
}

/** An epoch takes the oldest first, and leaves out what would make the prompt too short. */
function removedAbove(
  floor: PromptFloor,
  sizes: ItemSizes,
  newestFirst: readonly PendingItem[],
): number {
  let removed = 0
  for (const { gain } of newestFirst.toReversed())
    if (leavesEnough(floor, sizes, removed + gain)) removed += gain
  return removed
}

/** The gain of a cut minus its cost, summed over the regimes that decide. */
function netValue(place: number, removed: number, view: GateView): number {
  const gain = removed * gainCaution
  const { regimes, priced, horizon } = view
  let sum = 0
  for (let index = 0; index < priced; index++) {
    const { read } = regimes[index] as Regime
    sum += horizon * read * gain - costNow(index, place, gain, view)
  }
  return sum
}

/** The expected price of restoring originals: one request each, plus the restored text over the horizon. */
function fetchPrice(
  fetched: { readonly requests: number; readonly characters: number },
  { sizes, regimes, priced, horizon }: GateView,
): number {
  const whole = sizes.shownBefore(sizes.length)
  let price = 0
  for (const { read, write } of regimes.slice(0, priced)) {
    price = price + fetched.requests * read * whole + fetched.characters * (write + horizon * read)
  }
  return price
}

/** What a cut adds to the price of this request; negative when it makes it cheaper. */
function costNow(index: number, place: number, gain: number, view: GateView): number {
  const { write, read } = view.regimes[index] as Regime
  return (write - read) * cachedBehind(index, place, view) * costCaution - write * gain
}

/** Whether a cut overdraws no regime's bank, now or when the session returns to another model. */
function isAffordable(place: number, removed: number, view: GateView): boolean {
  return view.regimes.every(({ write, read }, index) => {
    const spare = (view.bank.balances[index] ?? 0) + savedAt(index, view, null)
    let cost = costNow(index, place, removed * gainCaution, view)
    for (const { shown } of view.cachedByOthers[index] ?? []) {
      cost += (write - read) * shownBetween(place, shown, view.sizes) * costCaution
    }
    return spare - cost >= 0
  })
}

/** How much less this request costs than without us, with or without a cut. */
export function savedAt(
  index: number,
  view: CachedView,
  cut: { readonly from: number; readonly removed: number } | null,
): number {
  const { sizes, regimes } = view
  const regime = regimes[index] as Regime
  const shared = sizes.shownBefore(readTo(index, cut?.from ?? Infinity, view))
  const shown = sizes.shownBefore(sizes.length) - (cut?.removed ?? 0)
  const lost = cut === null ? 0 : (regime.write - regime.read) * lostAround(index, cut.from, view)
  const costs = priceOf(regime, { read: shared, written: shown - shared })
  return costWithout(index, view) - costs - lost
}

/** What this request would cost without us. */
export function costWithout(index: number, { sizes, regimes, cached }: CachedView): number {
  const read = sizes.originalBefore(cached[index]?.original ?? 0)
  const written = sizes.originalBefore(sizes.length) - read
  return priceOf(regimes[index] as Regime, { read, written })
}

/** How many cached characters have to be written again when bytes change from a place on. */
function cachedBehind(index: number, place: number, view: CachedView): number {
  const { shown } = view.cached[index] as Cached
  const behind = shownBetween(readTo(index, place, view), shown, view.sizes)
  return behind + lostAround(index, place, view)
}

/** What a cut costs in addition: the last step of an automatic cache, and the prefix when nothing behind it is found. */
function lostAround(index: number, place: number, view: CachedView): number {
  const { shown } = view.cached[index] as Cached
  if (place >= shown) return 0
  const { prefix, step, isPrefixKept } = view.prompt
  return readTo(index, place, view) > 0 || isPrefixKept ? step : prefix
}

function shownBetween(from: number, to: number, sizes: ItemSizes): number {
  return Math.max(0, sizes.shownBefore(to) - sizes.shownBefore(from))
}

/** Whether fewer than `most` sent items follow a place. Empty items, such as OpenCode's step markers, are never sent. */
function endsWithin(sizes: ItemSizes, place: number, most: number): boolean {
  let left = most
  for (let at = sizes.length - 1; at >= place && left > 0; at--) if (sizes.shownSize(at) > 0) left--
  return left > 0
}

/** Up to where the cache is read when bytes change from a place on. */
function readTo(index: number, place: number, view: CachedView): number {
  const { regimes, cached, sizes, prompt } = view
  const { shown, ends } = cached[index] as Cached
  if (place >= shown) return shown
  const to = ends === undefined ? place : (ends.findLast((end) => end <= place) ?? 0)
  // The client marks the end of this request, and an entry is found only near a mark.
  const reach = regimes[index]?.lookbackItems
  if (reach !== undefined && !endsWithin(sizes, to, reach)) return 0
  return prompt.prefix + sizes.shownBefore(to) < prompt.least ? 0 : to
}

function mostRewritten(place: number, view: GateView): number {
  return Math.max(...view.regimes.map((_, index) => cachedBehind(index, place, view)), 0)
}
