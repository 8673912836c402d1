import type { Proposal } from '../words/decision.ts'
import type { Message } from '../words/item.ts'
import type { LedgerEntry } from '../words/ledger.ts'

/** What a person or the agent asked for; it is carried over when a history is edited or forked. */
export interface AskedFor {
  readonly handle: string
  readonly turn: number
  /** Index of the newest message of the history for which it was asked; null where nobody knows it any more. */
  readonly after: number | null
  /** null takes the decision back that stands or is to come. */
  readonly proposal: Omit<Proposal, 'item' | 'by'> | null
}

/** What was asked for, and the turn at which it holds in another history. */
export interface Inherited {
  readonly asked: AskedFor
  readonly due: number
}

/** What a person or the agent had asked for, out of a ledger that was written out. */
export function askedIn(entries: readonly LedgerEntry[]): readonly AskedFor[] {
  return entries.flatMap((entry): readonly AskedFor[] => {
    if (entry.kind !== 'decision' && entry.kind !== 'revert') return []
    const { handle, turn } = entry
    if (entry.kind === 'revert') return [{ handle, turn, after: null, proposal: null }]
    const { rendition, reason, strategy } = entry
    const isAsked = reason === 'agent' || reason === 'user'
    return isAsked ? [{ handle, turn, after: null, proposal: { rendition, reason, strategy } }] : []
  })
}

/** What had been asked for by the request that followed these messages; it may have had another last message. */
export function askedBy(
  messages: readonly Message[],
  asked: readonly AskedFor[],
): readonly AskedFor[] {
  const turns = countTurns(messages)
  return asked.filter(({ turn }) => turn <= turns + 1)
}

/**
 * What holds in a history: all that was asked for on the way to where it is now, at the turn at which it was. `kept` is
 * what is taken over besides, from the history that this one was made of; its turns may be counted anew, so that it holds
 * at the latest now.
 */
export function inheritedBy(
  history: readonly Message[],
  asked: readonly AskedFor[],
  kept: readonly AskedFor[],
): readonly Inherited[] {
  const messages = new Set(history.map(({ index }) => index))
  const turns = countTurns(history)
  const taken = new Set(kept)
  return asked.flatMap((each): readonly Inherited[] => {
    if (each.after !== null && messages.has(each.after)) return [{ asked: each, due: each.turn }]
    if (each.after !== null && !taken.has(each)) return []
    return [{ asked: each, due: Math.min(each.turn, turns + 1) }]
  })
}

function countTurns(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length
}
