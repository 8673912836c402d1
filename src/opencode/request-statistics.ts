import { savedTokens } from '../report/decided-items.ts'
import type { Besides } from '../store/session-writer.ts'
import type { PreparedList } from './conversation.ts'

/** What a request adds to the statistics that the store keeps of a conversation. */
export function requestStatistics(prepared: PreparedList, resumedTurn: number): Besides {
  const statistics: Record<string, number> = { requests: 1 }
  const add = (name: string, value: number): void => {
    statistics[name] = (statistics[name] ?? 0) + value
  }
  const { epoch } = prepared.turn.receipt
  if (epoch !== null) add(`epochs.${epoch.reason}`, 1)
  for (const decided of prepared.decided) {
    const { strategy, turn } = decided.decision
    if (turn <= resumedTurn) continue
    add(`prunes.${strategy}`, 1)
    add(`saved.${strategy}`, Math.max(0, savedTokens(decided)))
  }
  return { statistics, receipts: prepared.receipts }
}
