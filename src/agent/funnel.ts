import { shortTokens } from '../report/short-tokens.ts'
import { isSupersedeKind } from '../report/stats.ts'
import { type AgentSession, placedItems, shownTokens } from './session.ts'

/** The tokens of a conversation by what removed them. */
export interface Funnel {
  readonly raw: number
  readonly autoSupersede: number
  readonly manual: number
  readonly autoPrune: number
  readonly active: number
}

/** Counts each item once, under its current decision. */
export function funnelOf(session: AgentSession): Funnel {
  const sums = { raw: 0, autoSupersede: 0, manual: 0, autoPrune: 0, active: 0 }
  for (const { item } of placedItems(session)) {
    const shown = shownTokens(item, session)
    sums.raw += item.tokens
    sums.active += shown
    const decision = session.engine.ledger.of(item.index)
    if (decision === undefined) continue
    const { reason, strategy } = decision
    const isManual = reason === 'agent' || reason === 'user'
    const isSuperseded = isSupersedeKind(reason) || strategy === 'pruneToolInputs'
    sums[isManual ? 'manual' : isSuperseded ? 'autoSupersede' : 'autoPrune'] += item.tokens - shown
  }
  return sums
}

/** The funnel as lines, with the share of each stage. */
export function funnelLines({
  raw,
  autoSupersede,
  manual,
  autoPrune,
  active,
}: Funnel): readonly string[] {
  const row = (label: string, tokens: number): string => {
    const percent = raw === 0 ? 0 : Math.round((tokens / raw) * 100)
    return `  ${label.padEnd(16)} ${shortTokens(tokens).padStart(7)} ${`${percent}%`.padStart(5)}`
  }
  return [
    'Pruning funnel:',
    row('Raw context', raw),
    row('▼ Auto-Supersede', autoSupersede),
    row('▼ Manual', manual),
    row('▼ Auto-Prune', autoPrune),
    row('Active context', active),
  ]
}
