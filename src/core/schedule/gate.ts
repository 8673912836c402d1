import type { Page } from '../record/page.ts'
import { type Bank, type Load, priceOf } from './bank.ts'
import type { Pending } from './pending.ts'
import type { Cached } from './provider-caches.ts'
import type { Regime } from './regimes.ts'

/** What the gate looks at before a request. Places count the items of the history from 0. */
export interface GateView {
  readonly page: Page
  readonly pending: Pending
  readonly regimes: readonly Regime[]
  readonly bank: Bank
  /** For each regime, up to where the provider still holds what was sent. */
  readonly cached: readonly Cached[]
  /** And what the providers of other models hold, to which the session may come back. */
  readonly elsewhere: readonly (readonly Cached[])[]
  /** How many requests are expected to reuse what this one leaves in the cache. */
  readonly horizon: number
}

type CachedView = Pick<GateView, 'page' | 'regimes' | 'cached'>

/** From which place on sent bytes are to change, and what that costs and brings, in characters at the base price. */
export interface Opening {
  readonly from: number
  /** Characters that leave the page. */
  readonly removed: number
  /** Characters that the provider has and takes in again, where it is dearest. */
  readonly rewritten: number
}

/** So many of the newest pending items are compared; further back there is more to write again than to gain. */
const mostCompared = 256
/**
 * Providers count tokens, and a character of one text may be more of a token than that of another: what would be written
 * again is taken for more than it is, and what would leave for less.
 */
const costCaution = 1.1
const gainCaution = 0.93
/** Where one price holds, nothing else keeps cuts rare, and what is missed costs more than its price. */
const fetchCaution = 1.5

/**
 * The best place to cut, or null when no cut pays. A cut pays when, over the requests to come, reading less outweighs
 * writing again what stands behind it; and it is affordable when no regime's bank would be overdrawn at this request.
 */
export function bestOpening(view: GateView): Opening | null {
  const { pending, page } = view
  let best: Opening | null = null
  let bestValue = 0
  let removed = 0
  let compared = 0
  const fetched = { requests: 0, characters: 0 }
  for (const { place, gain, need } of pending.newestFirst()) {
    if (++compared > mostCompared) break
    removed += gain
    fetched.requests += need
    fetched.characters += need * (page.originalBefore(place + 1) - page.originalBefore(place))
    const value = netValue(place, removed, view) - fetchPrice(fetched, view)
    if (value <= bestValue || !isAffordable(place, removed, view)) continue
    bestValue = value
    best = { from: place, removed, rewritten: mostRewritten(place, view) }
  }
  return best
}

/** Over all regimes that may hold, what a cut brings beyond its cost. */
function netValue(place: number, removed: number, view: GateView): number {
  const gain = removed * gainCaution
  const { regimes, horizon } = view
  let sum = 0
  for (let index = 0; index < regimes.length; index++) {
    const { read } = regimes[index] as Regime
    sum += horizon * read * gain - costNow(index, place, gain, view)
  }
  return sum
}

/** What is expected to be fetched back: requests of their own, and what they bring, for as long as the horizon. */
function fetchPrice(
  fetched: { readonly requests: number; readonly characters: number },
  { page, regimes, horizon }: GateView,
): number {
  const whole = page.shownBefore(page.length)
  const caution = regimes.length > 1 ? 1 : fetchCaution
  let price = 0
  for (const { read, write } of regimes) {
    price = price + fetched.requests * read * whole + fetched.characters * (write + horizon * read)
  }
  return caution * price
}

/** What a cut adds to the price of this request; negative when it takes something off. */
function costNow(index: number, place: number, gain: number, view: GateView): number {
  const { write, read } = view.regimes[index] as Regime
  return (write - read) * cachedBehind(index, place, view) * costCaution - write * gain
}

/** Whether no regime's bank would be overdrawn, now or when the session comes back to a model that it left. */
export function isAffordable(place: number, removed: number, view: GateView): boolean {
  return view.regimes.every(({ write, read }, index) => {
    const spare = (view.bank.balances[index] ?? 0) + savedAt(index, view, null)
    let cost = costNow(index, place, removed * gainCaution, view)
    for (const { shown } of view.elsewhere[index] ?? []) {
      cost += (write - read) * shownBetween(place, shown, view.page) * costCaution
    }
    return spare - cost >= 0
  })
}

/** What this request costs less than without us, when bytes change from a place on, or nowhere. */
export function savedAt(
  index: number,
  view: CachedView,
  cut: { readonly from: number; readonly removed: number } | null,
): number {
  const { page, regimes, cached } = view
  const regime = regimes[index] as Regime
  const read = page.originalBefore(cached[index]?.original ?? 0)
  const without: Load = { read, written: page.originalBefore(page.length) - read }
  const shared = page.shownBefore(readTo(index, cut?.from ?? Infinity, view))
  const shown = page.shownBefore(page.length) - (cut?.removed ?? 0)
  return priceOf(regime, without) - priceOf(regime, { read: shared, written: shown - shared })
}

/** How much of what the provider has cached it takes in again when bytes change from a place on. */
function cachedBehind(index: number, place: number, view: CachedView): number {
  const { shown } = view.cached[index] as Cached
  return shownBetween(readTo(index, place, view), shown, view.page)
}

function shownBetween(from: number, to: number, page: Page): number {
  return Math.max(0, page.shownBefore(to) - page.shownBefore(from))
}

/** Up to where the cache is read when bytes change from a place on. */
function readTo(index: number, place: number, { regimes, cached }: CachedView): number {
  const { shown } = cached[index] as Cached
  const reach = regimes[index]?.lookbackItems ?? Infinity
  // An entry is found only near the breakpoint that the client puts at the end.
  return shown - place > reach ? 0 : Math.min(shown, place)
}

function mostRewritten(place: number, view: GateView): number {
  return Math.max(...view.regimes.map((_, index) => cachedBehind(index, place, view)), 0)
}
