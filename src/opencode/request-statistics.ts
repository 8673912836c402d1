import { type DecidedItem, savedTokens } from '../report/decided-items.ts'
import { hasEffect } from '../report/stats.ts'
import { statisticName } from '../report/total-stats.ts'
import type { Besides } from '../store/session-writer.ts'
import type { PreparedList } from './conversation.ts'

/**
 * What a request adds to the statistics that the store keeps of a conversation. Each item counts once, under the last
 * decision about it, as in the table of a conversation, so an earlier decision and one that was taken back are subtracted.
 */
export function requestStatistics(
  {
    turn,
    decided,
    restored,
    receipts,
  }: Pick<PreparedList, 'turn' | 'decided' | 'restored' | 'receipts'>,
  resumedTurn: number,
): Besides {
  const statistics: Record<string, number> = { requests: 1 }
  const add = (name: string, value: number): void => {
    statistics[name] = (statistics[name] ?? 0) + value
  }
  const count = (each: DecidedItem, sign: 1 | -1): void => {
    if (!hasEffect(each)) return
    const name = statisticName(each.decision)
    add(`prunes.${name}`, sign)
    add(`saved.${name}`, sign * savedTokens(each))
  }
  const { epoch } = turn.receipt
  if (epoch !== null) add(`epochs.${epoch.reason}`, 1)
  for (const each of decided) {
    if (each.decision.turn <= resumedTurn) continue
    if (each.earlier !== null) count(each.earlier, -1)
    count(each, 1)
  }
  for (const { decided: each, turn: restoredAt } of restored) {
    if (restoredAt > resumedTurn) count(each, -1)
  }
  return { statistics, receipts }
}
