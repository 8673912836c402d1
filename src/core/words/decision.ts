import type { Item } from './item.ts'

/** The kinds of supersession, in the order in which they run. */
export type SupersedeKind =
  | 'hash'
  | 'file'
  | 'todo'
  | 'url'
  | 'search'
  | 'query'
  | 'snapshot'
  | 'retry'
  | 'context'

/** Why an item is shown differently. */
export type Reason =
  | SupersedeKind
  /** A superseded call's input, reduced to the fields that identify it. */
  | 'input'
  /** An old error, shortened or purged. */
  | 'error'
  /** A large output, cut in its middle. */
  | 'output'
  | 'reasoning'
  | 'attachment'
  | 'marker'
  /** Text that the client itself added to the user's turn. */
  | 'injected'
  /** A long fenced block in a user's message. */
  | 'code-block'
  /** Several edits of one file, shown as the list of their intents. */
  | 'edits'
  /** The context would have exceeded the model's limit. */
  | 'pressure'
  /** The agent's own `context_prune`. */
  | 'agent'
  | 'user'

export type How =
  | 'pointer'
  | 'truncated'
  | 'superseded'
  | 'stripped'
  | 'distilled'
  | 'discarded'
  | 'masked'
  | 'view'

/** How an item is shown when it is not shown in full. */
export interface Rendition {
  readonly how: How
  /** Never longer than the original and never empty; null removes the whole item (reasoning and markers only). */
  readonly text: string | null
  /** For a call: the first `inputChars` characters of `text` are its input; the rest is appended to its result. */
  readonly inputChars?: number
}

/** "Show item X as rendition Y, because Z." */
export interface Decision {
  readonly item: number
  readonly handle: string
  readonly rendition: Rendition
  readonly reason: Reason
  /** The configuration key of the strategy that decided. */
  readonly strategy: string
  /** The item that replaced it, if any. */
  readonly by: number | null
  /** The request for which it was decided, counted from 1. */
  readonly turn: number
}

/** A proposed rendition of an item. The engine adds handle and turn; the guard may veto it. */
export interface RenditionProposal {
  readonly kind: 'show'
  readonly item: Item
  readonly rendition: Rendition
  readonly reason: Reason
  readonly strategy: string
  readonly by: Item | null
  /** Characters that other items lose because of this one, which may be longer by as many. */
  readonly sparedChars?: number
  /** The probability that the item will be restored; 0 when missing. */
  readonly need?: number
}

export function decisionOf(proposal: RenditionProposal, turn: number): Decision {
  const { item, rendition, reason, strategy, by } = proposal
  return {
    item: item.index,
    handle: item.handle,
    rendition,
    reason,
    strategy,
    by: by?.index ?? null,
    turn,
  }
}

/** Identifies a rendition of an item; stable across processes. */
export function decisionKey(handle: string, { how, text }: Rendition): string {
  return `${handle} ${how} ${text}`
}
