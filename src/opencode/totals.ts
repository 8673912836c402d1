import { shortTokens } from '../report/short-tokens.ts'
import type { Store } from '../store/store.ts'

/** The statistics of all conversations together, by name. */
export type Totals = Readonly<Record<string, number>>

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
  const strategies = Object.entries(totals).flatMap(([name, tokens]) =>
    name.startsWith('saved.') ? [{ strategy: name.slice('saved.'.length), tokens }] : [],
  )
  const saved = strategies.reduce((sum, { tokens }) => sum + tokens, 0)
  const rows = strategies
    .filter(({ tokens }) => tokens > 0)
    .toSorted((one, other) => other.tokens - one.tokens)
    .map(({ strategy, tokens }) => {
      const count = totals[`prunes.${strategy}`] ?? 0
      return `  ${strategy.padEnd(20)} ${String(count).padStart(4)} prunes, ~${shortTokens(tokens)}`
    })
  const { conversations = 0, requests = 0 } = totals
  return [
    `All time: ${conversations} conversations, ${requests} requests, ~${shortTokens(saved)} tokens saved`,
    ...rows,
  ]
}
