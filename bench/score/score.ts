import { coverageOf, pricedPrompts } from './coverage.ts'
import { createKeptChecks, type KeptShare } from './kept.ts'
import type { Needs } from './needs.ts'
import { createJudge, type JudgedNeed, type Outcome } from './outcome.ts'
import { createPricer, type Price } from './price.ts'
import { priceWithRecalls, type RecallPrice } from './recalls.ts'
import type { TracedRequest, TracedSession } from './session.ts'
import { validate } from './validity.ts'

/** One session under one policy. */
export interface SessionScore {
  readonly file: string
  readonly format: string
  readonly policy: string
  readonly requests: number
  /** Tokens of all requests, without the constant prefix. */
  readonly tokens: number
  /** The largest request, without the constant prefix. */
  readonly peak: number
  readonly price: Price
  readonly recalls: RecallPrice
  readonly busts: number
  readonly E1: Readonly<Record<Outcome, number>>
  readonly E2: Readonly<Record<Outcome, number>>
  readonly E4: KeptShare
  readonly E5: KeptShare
  readonly faults: readonly string[]
  readonly coverage: number
  /** Items that were shown in another way than the agent itself showed them, at some time. */
  readonly prunedItems: number
  readonly misses: readonly JudgedNeed[]
}

/** Scores what a policy made of a session. `unpruned` is the trace of the same recording without any policy. */
export function scoreSession(
  unpruned: TracedSession,
  session: TracedSession,
  needs: Needs,
): SessionScore {
  const outcomes = (): Record<Outcome, number> => ({
    current: 0,
    stale: 0,
    recoverable: 0,
    lost: 0,
  })
  const counts = { E1: outcomes(), E2: outcomes() }
  const judge = createJudge(needs, unpruned)
  const misses: JudgedNeed[] = []
  for (const need of needs.needs) {
    const request = session.requests[need.n - 1]
    const judged: JudgedNeed =
      request === undefined
        ? { need, outcome: 'lost', missing: need.spans, hidden: null }
        : judge(need, request)
    counts[need.class][judged.outcome]++
    if (judged.outcome !== 'current') misses.push(judged)
  }
  const pricer = createPricer()
  let tokens = 0
  let peak = 0
  const coverage = coverageOf(unpruned, session)
  for (const { pieces, at } of pricedPrompts(unpruned, session, coverage)) {
    const size = pieces.reduce((sum, piece) => sum + piece.tokens, 0)
    tokens += size
    peak = Math.max(peak, size)
    pricer.add(pieces, at)
  }
  const price = pricer.total()
  return {
    file: session.file,
    format: unpruned.format,
    policy: session.policy,
    requests: session.requests.length,
    tokens,
    peak,
    price,
    recalls: priceWithRecalls(unpruned, session, { misses, price }),
    busts: bustsOf(unpruned, session),
    ...counts,
    ...createKeptChecks(unpruned)(session),
    faults: validate(unpruned, session, coverage),
    coverage: coverage.share,
    prunedItems: prunedItems(unpruned, session),
    misses,
  }
}

/** Requests that do not extend the one before them, where the agent's own request would have. */
function bustsOf(unpruned: TracedSession, session: TracedSession): number {
  return session.requests.filter((request, index) => {
    const own = unpruned.requests[index]
    const ownBefore = unpruned.requests[index - 1]
    const before = session.requests[index - 1]
    if (own === undefined || ownBefore === undefined || before === undefined) return false
    return !extendsRequest(request, before) && extendsRequest(own, ownBefore)
  }).length
}

function extendsRequest({ view }: TracedRequest, before: TracedRequest): boolean {
  return before.view.every(({ r }, index) => view[index]?.r === r)
}

function prunedItems(unpruned: TracedSession, session: TracedSession): number {
  const pruned = new Set<number>()
  for (const [index, request] of session.requests.entries()) {
    const shown = new Map(request.view.map(({ item, text }) => [item.i, text]))
    for (const { item, text } of unpruned.requests[index]?.view ?? [])
      if (shown.get(item.i) !== text) pruned.add(item.i)
  }
  return pruned.size
}
