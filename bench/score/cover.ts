import { requestOf } from './anatomy.ts'
import type { Needs } from './needs.ts'
import type { TracedItem, TracedSession } from './session.ts'

/** For each item the last request whose needs it has to meet; 0 for none. */
export type LastNeeded = readonly number[]

/**
 * Which items have to stay, and until when, so that every need is met at the least cost: of the items that hold what an
 * action copied, those that are small, few, and wanted anyway. Items that `isKept` names stay for nothing.
 */
export function cheapestCover(
  session: TracedSession,
  { needs }: Needs,
  isKept: (item: TracedItem) => boolean,
): LastNeeded {
  const enteredAt = requestOf(session)
  const until = session.items.map(() => 0)
  const costOf = (item: number, n: number): number => {
    const from = Math.max(until[item] ?? 0, enteredAt[item] ?? 0)
    return (session.items[item]?.text.length ?? 0) * Math.max(0, n - from)
  }
  // From the last need back: what is kept for a later one is free for those before it.
  for (const { n, spans } of needs.toReversed()) {
    let open = spans.filter(
      ({ holders }) =>
        !holders.some((holder) => {
          const item = session.items[holder]
          return item !== undefined && isKept(item)
        }),
    )
    const meets = (holder: number): boolean => (until[holder] ?? 0) >= n
    open = open.filter(({ holders }) => !holders.some(meets))
    while (open.length > 0) {
      const held = new Map<number, number>()
      for (const { holders } of open)
        for (const holder of holders) held.set(holder, (held.get(holder) ?? 0) + 1)
      const price = (holder: number): number => costOf(holder, n) / (held.get(holder) ?? 1)
      const best = [...held.keys()].reduce((a, b) => (price(b) < price(a) ? b : a))
      until[best] = n
      open = open.filter(({ holders }) => !holders.includes(best))
    }
  }
  return until
}
