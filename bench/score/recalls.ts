import type { JudgedNeed } from './outcome.ts'
import type { Price } from './price.ts'
import { type ScoredRegime, scoredRegimes } from './regimes.ts'
import { prefixTokens, type TracedSession, tokensOf, viewTokens } from './session.ts'

/** The cost of fetching back the evidence that requests missed. */
export interface RecallPrice {
  /** The whole session with its recalls, one sum for each regime. */
  readonly cost: readonly number[]
  /** Requests made only to fetch evidence back. */
  readonly requests: number
  readonly items: number
}

/**
 * The price of the replayed session plus recalls. Each request that misses evidence costs one more request with the same
 * prompt, plus the smallest items with the missing evidence, which are written once and then read by every later request
 * until the agent compacts them.
 */
export function priceWithRecalls(
  unpruned: TracedSession,
  session: TracedSession,
  { misses, price }: { readonly misses: readonly JudgedNeed[]; readonly price: Price },
): RecallPrice {
  const missesOf = new Map<number, JudgedNeed[]>()
  for (const miss of misses) missesOf.set(miss.need.n, [...(missesOf.get(miss.need.n) ?? []), miss])
  const cost = [...price.cost]
  const add = (tokens: number, unitPrice: (regime: ScoredRegime) => number): void => {
    for (const [index, regime] of scoredRegimes.entries())
      cost[index] = (cost[index] as number) + tokens * unitPrice(regime)
  }
  const kept = new Set<number>()
  const sizeOf = (items: Iterable<number>): number =>
    [...items].reduce((sum, item) => sum + tokensOf(unpruned.items[item]?.text ?? ''), 0)
  let requests = 0
  let items = 0
  for (const [index, request] of session.requests.entries()) {
    const inView = new Set(unpruned.requests[index]?.view.map(({ item }) => item.i))
    for (const item of kept) if (!inView.has(item)) kept.delete(item)
    add(sizeOf(kept), ({ read }) => read)
    const wanted = recalledItems(missesOf.get(request.n) ?? [], kept, unpruned)
    if (wanted.length === 0) continue
    requests++
    items += wanted.length
    add(prefixTokens + viewTokens(request.view) + sizeOf(kept), ({ read }) => read)
    add(sizeOf(wanted), ({ write }) => write)
    for (const item of wanted) kept.add(item)
  }
  return { cost, requests, items }
}

/** For each need the item that holds most of what is missing, the smallest of such, until nothing is missing. */
function recalledItems(
  misses: readonly JudgedNeed[],
  kept: ReadonlySet<number>,
  { items }: TracedSession,
): readonly number[] {
  const here = new Set(kept)
  const size = (item: number): number => items[item]?.text.length ?? 0
  for (const { missing } of misses) {
    let open = missing.filter(({ holders }) => !holders.some((holder) => here.has(holder)))
    while (open.length > 0) {
      const holding = new Map<number, number>()
      for (const { holders } of open)
        for (const holder of holders) holding.set(holder, (holding.get(holder) ?? 0) + 1)
      const most = Math.max(...holding.values())
      const best = [...holding.keys()].filter((holder) => holding.get(holder) === most)
      const item = best.reduce((a, b) => (size(b) < size(a) ? b : a))
      here.add(item)
      open = open.filter(({ holders }) => !holders.includes(item))
    }
  }
  return [...here].filter((item) => !kept.has(item))
}
