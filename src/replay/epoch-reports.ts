import type { Regime } from '../core/schedule/regimes.ts'
import { createPieces } from './prompt-pieces.ts'
import type { ReplayedRequest, Shown } from './replay.ts'
import { createEpochs } from './trace.ts'

/** A request at which we changed bytes that had been sent. */
export interface EpochReport {
  /** Its number, from 1. */
  readonly request: number
  /** Why, in one word; `at once` under `eager`. */
  readonly reason: string
  /** How much smaller the part that had been sent became. */
  readonly removedTokens: number
  /** What had been sent behind the first change and has to be written to the cache again. */
  readonly rewrittenTokens: number
  /** What that costs more than reading it from the cache; 0 on a cold cache. */
  readonly dollars: number
  /** After how many requests, this one included, the savings cover the cost; null for never. */
  readonly paysBackAfter: number | null
}

/** Follows the requests of a session and reports each that changed what we had sent. */
export interface EpochReports {
  after(request: ReplayedRequest): void
  readonly all: readonly EpochReport[]
}

interface SentPiece {
  readonly item: number
  readonly id: string
  readonly tokens: number
}

export function createEpochReports(regime: Regime): EpochReports {
  const epochs = createEpochs()
  const pieceOf = createPieces()
  const sentPiece = (shown: Shown): SentPiece => ({ item: shown.item.index, ...pieceOf(shown) })
  const all: EpochReport[] = []
  let before: readonly SentPiece[] = []
  let unchangedBefore: readonly SentPiece[] = []
  let last: Pick<ReplayedRequest, 'at' | 'model'> | null = null
  let count = 0
  return {
    all,
    after(request) {
      const now = request.view.map(sentPiece)
      const unchanged = request.unchanged.map(sentPiece)
      const epoch = epochs.after(request.view, request.unchanged)
      if (epoch > count) {
        const kept = unchanged.slice(0, commonPrefix(unchangedBefore, unchanged))
        const sizes = changed(before, now, { all: itemsOf(unchanged), kept: itemsOf(kept) })
        const reason = request.turn?.receipt.epoch?.reason ?? 'at once'
        const isCold = isColdAfter(last, request, regime)
        all.push({ request: request.n, reason, ...sizes, ...price(sizes, regime, isCold) })
      }
      count = epoch
      before = now
      unchangedBefore = unchanged
      last = { at: request.at, model: request.model }
    },
  }
}

type Sizes = Pick<EpochReport, 'removedTokens' | 'rewrittenTokens'>

/** What the agent itself shows: all items, and those that it has not changed since the last request. */
interface OwnItems {
  readonly all: ReadonlySet<number>
  readonly kept: ReadonlySet<number>
}

function changed(before: readonly SentPiece[], now: readonly SentPiece[], own: OwnItems): Sizes {
  const same = commonPrefix(before, now)
  const sum = (pieces: readonly SentPiece[]): number =>
    pieces.reduce((total, { tokens }) => total + tokens, 0)
  // What the agent removed itself, and the cache writes that this causes, do not count.
  const sent = before.slice(same).filter(({ item }) => own.all.has(item))
  const sentItems = itemsOf(sent)
  const again = now.slice(same).filter(({ item }) => sentItems.has(item))
  return {
    removedTokens: sum(sent) - sum(again),
    rewrittenTokens: sum(again.filter(({ item }) => own.kept.has(item))),
  }
}

function itemsOf(pieces: readonly SentPiece[]): ReadonlySet<number> {
  return new Set(pieces.map(({ item }) => item))
}

function commonPrefix(one: readonly SentPiece[], other: readonly SentPiece[]): number {
  let length = 0
  while (length < one.length && one[length]?.id === other[length]?.id) length++
  return length
}

function isColdAfter(
  last: Pick<ReplayedRequest, 'at' | 'model'> | null,
  { at, model }: ReplayedRequest,
  { lifetimeMs }: Regime,
): boolean {
  if (last === null || lifetimeMs === null || last.model !== model) return true
  return at !== null && last.at !== null && at - last.at > lifetimeMs
}

function price(
  { removedTokens, rewrittenTokens }: Sizes,
  { read, write, inputPrice }: Regime,
  isCold: boolean,
): Pick<EpochReport, 'dollars' | 'paysBackAfter'> {
  const extra = isCold ? 0 : Math.max(0, write - read) * rewrittenTokens
  const saved = read * removedTokens
  return {
    dollars: (extra * inputPrice) / 1_000_000,
    paysBackAfter: extra === 0 ? 0 : saved > 0 ? Math.ceil(extra / saved) : null,
  }
}
