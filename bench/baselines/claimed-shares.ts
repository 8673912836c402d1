import type { Reason } from '../../src/core/words/decision.ts'
import { sessionFor } from '../../src/replay/recorded-session.ts'
import { type ReplayedRequest, replay } from '../../src/replay/replay.ts'
import { applyPolicy } from '../score/policy.ts'
import { viewTokens } from '../score/session.ts'
import type { BenchSession } from '../score/sources.ts'
import type { Table } from '../score/tables.ts'
import { type Claim, claims } from './claims.ts'
import { keepRecent30 } from './keep-recent-results.ts'
import { presetBaselines } from './preset-baselines.ts'

/** The claimed and the measured savings of a strategy, as shares of the tokens without system prompt and tools. */
export interface ClaimedShare extends Claim {
  /** Share of all requests of all sessions. */
  readonly ofTokensSent: number
  /** Share of the last request of each session, for documents that consider a single history. */
  readonly ofLastRequests: number
}

type BaselineName = Claim['baseline']

/** A policy that is not ours gives no reasons. */
type SavedFor = Reason | 'no reason given'

interface Saved {
  readonly sent: Map<SavedFor, number>
  readonly last: Map<SavedFor, number>
}

/** Sums up over sessions. */
export interface ShareCount {
  add(session: BenchSession): void
  shares(): readonly ClaimedShare[]
}

export function countShares(): ShareCount {
  const saved = new Map<BaselineName, Saved>()
  let sent = 0
  let last = 0
  const savedBy = (name: BaselineName): Saved => {
    const known = saved.get(name) ?? { sent: new Map(), last: new Map() }
    saved.set(name, known)
    return known
  }
  return {
    add(session) {
      const { requests } = session.unpruned
      for (const { view } of requests) sent += viewTokens(view)
      last += viewTokens(requests.at(-1)?.view ?? [])
      for (const { name, config } of presetBaselines) {
        const into = savedBy(name as BaselineName)
        const pruned = sessionFor(session.recording, { config })
        for (const step of replay(session.recording, pruned)) {
          if (step.kind !== 'request') continue
          const isLast = step.n === requests.length
          for (const [reason, tokens] of savedIn(step)) {
            increase(into.sent, reason, tokens)
            if (isLast) increase(into.last, reason, tokens)
          }
        }
      }
      const pruned = applyPolicy(session.unpruned, keepRecent30).requests
      const into = savedBy('keep-recent-30')
      for (const [index, { view }] of pruned.entries()) {
        const tokens = viewTokens(requests[index]?.view ?? []) - viewTokens(view)
        increase(into.sent, 'no reason given', tokens)
        if (index === pruned.length - 1) increase(into.last, 'no reason given', tokens)
      }
    },
    shares: () =>
      claims.map((claim) => {
        const of = savedBy(claim.baseline)
        return {
          ...claim,
          ofTokensSent: sum(of.sent, claim.reasons) / Math.max(1, sent),
          ofLastRequests: sum(of.last, claim.reasons) / Math.max(1, last),
        }
      }),
  }
}

/** The tokens that one request does not send, by the reason of the decision. */
function* savedIn(request: ReplayedRequest): Generator<readonly [Reason, number]> {
  const shown = new Map(request.view.map((each) => [each.item.index, each]))
  for (const { item, rendition } of request.unchanged) {
    const now = shown.get(item.index)
    const before = (rendition?.text ?? item.text).length
    if (now === undefined) yield ['marker', before / 4]
    else if (now.rendition?.reason !== undefined)
      yield [now.rendition.reason, (before - now.rendition.text.length) / 4]
  }
}

function increase(counts: Map<SavedFor, number>, reason: SavedFor, by: number): void {
  counts.set(reason, (counts.get(reason) ?? 0) + by)
}

function sum(counts: ReadonlyMap<SavedFor, number>, reasons: readonly SavedFor[] | null): number {
  let total = 0
  for (const [reason, count] of counts) if (reasons?.includes(reason) ?? true) total += count
  return total
}

export function claimTable(shares: readonly ClaimedShare[]): Table {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
  return [
    ['source', 'strategy', 'claimed', 'of all tokens sent', 'of the last requests'],
    ...shares.map(({ source, strategy, claim, ofTokensSent, ofLastRequests }) => [
      source,
      strategy,
      claim,
      percent(ofTokensSent),
      percent(ofLastRequests),
    ]),
  ]
}
