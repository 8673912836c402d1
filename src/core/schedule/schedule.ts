import { charactersToFree } from '../record/context-room.ts'
import type { Page } from '../record/page.ts'
import type { Usage } from '../words/item.ts'
import type { EpochReason, LedgerEntry, RequestEntry } from '../words/ledger.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { Schedule as ScheduleName } from '../words/settings.ts'
import { createBank } from './bank.ts'
import { bestOpening, type GateView, isAffordable, type Opening, savedAt } from './gate.ts'
import { type ModelOverride, modelFacts } from './models/model-facts.ts'
import { observedRegime } from './observed-lifetime.ts'
import type { Pending } from './pending.ts'
import { type Cached, createProviderCaches } from './provider-caches.ts'
import type { Regime } from './regimes.ts'

/** What the history looks like when a request is about to be made. */
export interface PageBeforeRequest {
  readonly turn: number
  readonly messages: number
  readonly newest: string
  readonly page: Page
  readonly pending: Pending
  /** How many items of the page went out, in this order, with the request before. */
  readonly shared: number
  /** How many items any request has shown. */
  readonly sent: number
  /** The place behind the newest reasoning that a provider signed. */
  readonly boundTo: number
  /** True when the client changed what it had sent. */
  readonly isRewritten: boolean
}

export interface ChosenEpoch extends Opening {
  readonly reason: EpochReason
  /** Characters that have to leave the page so that the context fits, whatever it costs; 0 in all other epochs. */
  readonly free: number
}

/**
 * When bytes that were sent may change. It outlives the histories of a session, because it knows what the provider has
 * cached and what the session has saved so far.
 */
export interface EpochSchedule {
  /** Whether, why and from where on sent bytes change at this request. */
  choose(before: PageBeforeRequest, moment: RequestMoment): ChosenEpoch | null
  /** The request goes out as the page is now: what it saves is booked. */
  book(before: PageBeforeRequest, from: number | null, moment: RequestMoment): RequestEntry
  /** The limit of the context in tokens for requests to a model; null when nobody knows it. */
  contextLimit(model: string | null): number | null
  /** The request that was booked last went out as it came after all. */
  takeBack(page: Page, entry: RequestEntry): RequestEntry
  /**
   * The figures of an answer correct what is thought of the provider's cache. Gives the last request's entry as it is
   * then, where they change it.
   */
  usage(usage: Usage, model: string | null): RequestEntry | null
}

export interface ScheduleOptions {
  readonly name: ScheduleName
  /** The prices and caches that may hold; `model` takes those of the model of each request. */
  readonly regimes: readonly Regime[] | 'model'
  readonly models?: readonly ModelOverride[] | undefined
  /** Takes the place of what is known of the model, in tokens. */
  readonly contextLimit: number | null
  /** What an earlier process wrote down. */
  readonly ledger: readonly LedgerEntry[]
  /** See `EngineOptions`. */
  readonly leastShare?: number | undefined
}

/**
 * So many requests to come count at most; a session may end at any time. Where several prices may hold, the strictest bank
 * is the limit before this one is.
 */
const longestHorizon = { onePrice: 30, several: 60 }
const shortestHorizon = 3

export function createEpochSchedule(options: ScheduleOptions): EpochSchedule {
  const { name, models } = options
  const last = options.ledger.findLast((entry) => entry.kind === 'request')
  const bank = createBank(last?.balances)
  const caches = createProviderCaches(last?.caches)
  let isFirst = last === undefined
  /** Looking a model up is dear, and most sessions have one. */
  let lastLimit: { readonly model: string | null; readonly tokens: number | null } | null = null
  /** What the provider had, as it is shown, before the request that was booked last. */
  let held: Pick<GateView, 'regimes' | 'cached'> = { regimes: [], cached: [] }
  let booked: RequestEntry | null = null
  /** The history that the client changed, once: the caches know of it from then on. */
  let rewritten: Page | null = null

  function regimesAt({ model }: RequestMoment): readonly Regime[] {
    if (options.regimes !== 'model') return options.regimes
    return [observedRegime(modelFacts(model, models), caches.observedOf(model))]
  }

  function gateView(page: PageBeforeRequest, moment: RequestMoment): GateView {
    if (page.isRewritten && rewritten !== page.page) {
      rewritten = page.page
      caches.rewrite(page.shared)
    }
    const regimes = regimesAt(moment)
    const longest = regimes.length > 1 ? longestHorizon.several : longestHorizon.onePrice
    return {
      ...page,
      regimes,
      bank,
      horizon: Math.min(longest, Math.max(shortestHorizon, page.turn / 2)),
      cached: regimes.map((regime) => caches.cachedFor(moment, regime)),
      elsewhere: regimes.map((regime) => caches.heldByOthers(moment, regime)),
    }
  }

  function contextLimit(model: string | null): number | null {
    if (options.contextLimit !== null) return options.contextLimit
    if (lastLimit?.model !== model || lastLimit === null) {
      lastLimit = { model, tokens: modelFacts(model, models).contextLimit }
    }
    return lastLimit.tokens
  }

  function reasonFor(page: PageBeforeRequest, { model }: RequestMoment): EpochReason {
    if (isFirst) return 'resumed'
    if (page.isRewritten && page.shared < page.sent) return 'rewritten'
    return caches.all.some((cache) => cache.model === model) ? 'idle' : 'model'
  }

  function hasOriginal({ regimes }: Pick<GateView, 'regimes'>, moment: RequestMoment): boolean {
    return regimes.some((regime) => caches.hasOriginal(moment, regime))
  }

  /** Whatever stands behind the last cached byte is written anew in any case; further back only where it pays. */
  function chooseFreely(page: PageBeforeRequest, moment: RequestMoment): ChosenEpoch | null {
    const view = gateView(page, moment)
    const cached = Math.max(...view.cached.map(({ shown }) => Math.min(shown, page.sent)), 0)
    const isPatient = name === 'cold-only' || moment.isDelegated === true
    // Where nothing is cached, there is no place before it.
    const paying = isPatient || cached === 0 ? null : bestOpening(view)
    const least = (options.leastShare ?? 0) * page.page.shownBefore(page.page.length)
    if (paying !== null && paying.from < cached && paying.removed >= least)
      return { ...paying, reason: 'pays', free: 0 }
    if (cached >= page.sent || !isAffordable(cached, 0, view)) return null
    // What could not be sent as it is shown is warm all the same, and the next request may go out as it came too.
    if (hasOriginal(view, moment)) return null
    return { from: cached, removed: 0, rewritten: 0, reason: reasonFor(page, moment), free: 0 }
  }

  /** On models that check it, reasoning is valid only while nothing before it changes. */
  function behindReasoning(
    chosen: ChosenEpoch | null,
    page: PageBeforeRequest,
    { model }: RequestMoment,
  ): ChosenEpoch | null {
    if (chosen === null || page.boundTo <= chosen.from) return chosen
    if (modelFacts(model, models).reasoning !== 'prefix-checked') return chosen
    return page.boundTo >= page.sent ? null : { ...chosen, from: page.boundTo }
  }

  return {
    choose(page, moment) {
      if (page.sent === 0) return null
      const free = charactersToFree(page.page, contextLimit(moment.model))
      if (free > 0) {
        const everything = { from: 0, removed: free, rewritten: page.page.shownBefore(page.shared) }
        return behindReasoning({ ...everything, reason: 'pressure', free }, page, moment)
      }
      if (name === 'admission-only') return null
      return behindReasoning(chooseFreely(page, moment), page, moment)
    },
    book(page, from, moment) {
      if (moment.isRepeated !== true) {
        const view = gateView(page, moment)
        const cut = from === null ? null : { from, removed: 0 }
        bank.book(view.regimes.map((_, index) => savedAt(index, view, cut)))
        isFirst = false
        const { regimes, cached } = view
        held = hasOriginal(view, moment) ? { regimes: [], cached: [] } : { regimes, cached }
        caches.send(moment, page.page.length, from)
      }
      booked = {
        kind: 'request',
        turn: page.turn,
        messages: page.messages,
        newest: page.newest,
        at: moment.at,
        model: moment.model,
        balances: [...bank.balances],
        caches: caches.all,
      }
      return booked
    },
    contextLimit,
    takeBack(page, entry) {
      bank.takeBack()
      const { regimes, cached } = held
      bank.book(regimes.map((regime, index) => -lossOf(regime, cached[index] as Cached, page)))
      caches.sentOriginal(entry.model, firstDifference(page))
      booked = { ...entry, balances: [...bank.balances], caches: caches.all }
      return booked
    },
    usage(usage, model) {
      const isNew = caches.observe(model, usage, modelFacts(model, models))
      if (!isNew || booked === null) return null
      booked = { ...booked, caches: caches.all }
      return booked
    },
  }
}

/** What a request that goes out as it came costs more than without us, where the provider had it as it is shown. */
function lossOf({ write, read }: Regime, { original, shown }: Cached, page: Page): number {
  const still = page.originalBefore(Math.min(shown, firstDifference(page)))
  return (write - read) * Math.max(0, page.originalBefore(original) - still)
}

/** The first place that is shown otherwise than it came; the end where there is none. */
function firstDifference(page: Page): number {
  let place = 0
  while (place < page.length && page.shownBefore(place + 1) === page.originalBefore(place + 1))
    place++
  return place
}
