import type { Injected } from '../inject/injected.ts'
import type { ItemSource, MemoryItem, MemoryKind } from '../item.ts'

/** Whether an attribute can have many values at once. */
export type Cardinality = 'single' | 'many'

/**
 * What happened to the memory, in order. The state is derived from these events only. `at` is when it was recorded,
 * `validAt` when it was true.
 */
export type MemoryEvent =
  | { readonly kind: 'added'; readonly at: number; readonly item: MemoryItem }
  /** `old` was true until `validAt`, then `new` took its place. */
  | {
      readonly kind: 'superseded'
      readonly at: number
      readonly old: string
      readonly new: string
      readonly validAt: number
      readonly reason?: string
    }
  /** The link was wrong, or another item belongs between the two. */
  | { readonly kind: 'unlinked'; readonly at: number; readonly old: string; readonly new: string }
  /** It was true until `validAt`, without a successor. */
  | { readonly kind: 'ended'; readonly at: number; readonly id: string; readonly validAt: number }
  | { readonly kind: 'resumed'; readonly at: number; readonly id: string }
  /** It was never true. */
  | {
      readonly kind: 'retracted'
      readonly at: number
      readonly id: string
      readonly reason?: string
    }
  | { readonly kind: 'unretracted'; readonly at: number; readonly id: string }
  /** The same thing was said again, as true at `validAt`. */
  | {
      readonly kind: 'reinforced'
      readonly at: number
      readonly id: string
      readonly validAt: number
      readonly source: ItemSource
    }
  /** Two items seem to contradict each other; the user has to decide. */
  | {
      readonly kind: 'flagged'
      readonly at: number
      readonly id: string
      readonly items: readonly [string, string]
      readonly reason: string
    }
  | {
      readonly kind: 'reviewed'
      readonly at: number
      readonly flag: string
      readonly verdict: ReviewOutcome
    }
  /** Declares that this attribute has one value or many. */
  | {
      readonly kind: 'declared'
      readonly at: number
      readonly attribute: string
      readonly cardinality: Cardinality
    }
  /** A message, stored as the source of items and for search. */
  | { readonly kind: 'heard'; readonly at: number; readonly message: HeardMessage }
  /** Memory that was injected into a conversation, and where, so that later requests have the same bytes there. */
  | { readonly kind: 'told'; readonly at: number; readonly told: Injected }
  /** Where the memory was exported to, so that `forget` can edit the file. */
  | {
      readonly kind: 'exported'
      readonly at: number
      readonly path: string
      readonly format: 'jsonl' | 'markdown' | 'adr'
      readonly project: string
      /** Its id in the user's export registry; see `export-registry.ts`. */
      readonly id?: string
    }
  /** All that is left of a forgotten item. */
  | {
      readonly kind: 'forgotten'
      readonly at: number
      readonly id: string
      readonly was: MemoryKind
    }

/** One message of a conversation. */
export interface HeardMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly session: string
  /** The project in which it was said, when it is known. */
  readonly project?: string
  /** When it was said. */
  readonly saidAt: number
}

/** Identifies a message across sessions. */
export function heardKey(message: { readonly session: string; readonly id: string }): string {
  return `${message.session}\u001f${message.id}`
}

/** `newer` or `older` is right, or `both` are. */
export type ReviewOutcome = 'newer' | 'older' | 'both'

export interface LoggedEvent {
  /** Position in the log, from 1, ascending; gaps are allowed. */
  readonly sequence: number
  readonly event: MemoryEvent
}
