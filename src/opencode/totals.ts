import { shortTokens } from '../report/short-tokens.ts'
import { addTallies, pruningTallies } from '../report/stats.ts'
import { effectivenessRows } from '../report/stats-table.ts'
import { type Totals, totalStats } from '../report/total-stats.ts'
import type { Store } from '../store/store.ts'

/** The statistics of all conversations together. */
export async function totalsIn(store: Store | null): Promise<Totals> {
  const totals: Record<string, number> = { conversations: 0 }
  if (store === null) return totals
  for (const session of await store.sessions()) {
    if (session.origin !== 'opencode') continue
    totals.conversations = (totals.conversations ?? 0) + 1
    const { statistics } = await store.load(session)
    for (const [name, value] of Object.entries(statistics)) {
      totals[name] = (totals[name] ?? 0) + value
    }
  }
  return totals
}

export function totalLines(totals: Totals): readonly string[] {
  const stats = totalStats(totals)
  const tallies = [
    ...Object.values(stats.autoSupersede),
    ...pruningTallies(stats).map(([, tally]) => tally),
  ]
  const { conversations = 0, requests = 0 } = totals
  const saved = shortTokens(addTallies(tallies).tokens).toLowerCase()
  return [
    `All time: ${conversations} conversations, ${requests} requests, ~${saved} tokens saved`,
    ...effectivenessRows(stats),
  ]
}
