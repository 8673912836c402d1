import { describeOperation } from '../core/render/index.ts'
import { findItem } from './find-item.ts'
import { type AgentSession, shownTokens } from './session.ts'

/** Describes for a person what an item is, how it is shown, since when and why. */
export function explainLines(session: AgentSession, handle: string): readonly string[] {
  const found = findItem(session, handle)
  if (found.kind === 'unknown') return [`${handle}: no item of this conversation has this handle`]
  if (found.kind === 'ambiguous') return [`${handle} is ambiguous: ${found.handles.join(', ')}`]
  const { item } = found
  const { engine } = session
  const operation = engine.operationOf(item)
  const what =
    operation === undefined ? `${item.kind} of the ${item.role}` : describeOperation(operation)
  const lines = [`${item.handle}: ${what}, turn ${item.turn}, ~${item.tokens} tokens`]
  const decision = engine.ledger.of(item.index)
  if (decision === undefined) {
    const waiting = engine.pending.find(({ proposal }) => proposal.item.index === item.index)
    const isKept = engine.ledger.isReverted(item.index)
    if (waiting === undefined || isKept) return [...lines, 'shown in full']
    const { strategy, reason } = waiting.proposal
    return [
      ...lines,
      `shown in full; ${strategy} (${reason}) waits for an epoch since turn ${waiting.turn}`,
    ]
  }
  const { rendition, reason, strategy, by, turn } = decision
  const newer = by === null ? undefined : engine.record.items[by]
  const newerOperation = newer === undefined ? undefined : engine.operationOf(newer)
  return [
    ...lines,
    `shown as ${rendition.how} since turn ${turn} (~${shownTokens(item, session)} tokens), by ${strategy}: ${reason}`,
    ...(newer === undefined
      ? []
      : [
          `replaced by ${newer.handle}: ${newerOperation === undefined ? newer.kind : describeOperation(newerOperation)}, turn ${newer.turn}`,
        ]),
    ...(rendition.text === null ? [] : ['', rendition.text]),
  ]
}
