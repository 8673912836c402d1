import type { Injected } from '../inject/injected.ts'
import type { ItemSource, MemoryItem, MemoryKind } from '../item.ts'

/** How many values an attribute can have at once. */
export type Cardinality = 'single' | 'many'

/**
 * What happened to the memory, in the order in which it was written. The state is derived from these and from nothing
 * else. `at` is the recorded clock; `validAt` the clock of the world.
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
  /** The link was a mistake, or another item belongs between the two. */
  | { readonly kind: 'unlinked'; readonly at: number; readonly old: string; readonly new: string }
  /** It was true until `validAt`, and nothing took its place. */
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
  /** Two items seem to contradict each other; somebody has to say which holds. */
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
      readonly verdict: Verdict
    }
  /** From now on this attribute has one value, or many. */
  | {
      readonly kind: 'declared'
      readonly at: number
      readonly attribute: string
      readonly cardinality: Cardinality
    }
  /** What somebody said, kept so that items can be traced to it and questions be answered from it. */
  | { readonly kind: 'heard'; readonly at: number; readonly message: HeardMessage }
  /** What a conversation was told, and where: its later requests have the same there. */
  | { readonly kind: 'told'; readonly at: number; readonly told: Injected }
  /** Where the memory was written to, so that forgetting reaches it. */
  | {
      readonly kind: 'exported'
      readonly at: number
      readonly path: string
      readonly format: 'jsonl' | 'markdown' | 'adr'
      readonly project: string
      /** Its name among the exports that the user's own folder knows; see `export-registry.ts`. */
      readonly id?: string
    }
  /** What is left of a forgotten item: that there was one. */
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
  /** The project in which it was said, where that is known. */
  readonly project?: string
  /** When it was said. */
  readonly saidAt: number
}

/** Names a message among those of all sessions. */
export function heardKey(message: { readonly session: string; readonly id: string }): string {
  return `${message.session}\u001f${message.id}`
}

/** `newer` and `older`: that one holds. `both`: no contradiction. */
export type Verdict = 'newer' | 'older' | 'both'

export interface LoggedEvent {
  /** Position in the log, from 1, ascending; gaps are allowed. */
  readonly sequence: number
  readonly event: MemoryEvent
}
