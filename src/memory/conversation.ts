import { randomUUID } from 'node:crypto'
import type { ContextOptions } from './context/context.ts'
import type { CurrentContext, LocalMemoryStore } from './local-memory-store.ts'
import { type Message, type Observation, observe } from './observe.ts'
import { type Correction, findCorrections } from './understand/corrections.ts'

/** One message of a conversation. A message without an id counts as a new one. */
export type SpokenMessage = Omit<Message, 'id'> & { readonly id?: string }

/**
 * Finds corrections in what a user says: "not X, use Y", "change from X to Y", "I meant X", "actually, Y",
 * "instead of X, do Y".
 *
 * @example
 * new ContextExtractor().extractCorrections('not npm, use pnpm')
 * // [{ old: 'npm', new: 'pnpm', text: 'not npm, use pnpm' }]
 */
export class ContextExtractor {
  extractCorrections(text: string): readonly Correction[] {
    return findCorrections(text)
  }
}

/**
 * Reads a conversation into a store, message by message. A newer fact or decision supersedes an older one about the same thing,
 * and a newer preference one with the same key. Conflicts that only the user can settle are flagged.
 *
 * @example
 * const conversation = new ConversationManager(LocalMemoryStore.inMemory())
 * conversation.addMessage({ role: 'user', text: 'I always use VS Code' })
 * conversation.addMessage({ role: 'user', text: "I've switched to Neovim" })
 * conversation.getCurrentContext().preferences[0]?.value // 'Neovim'
 */
export class ConversationManager {
  readonly store: LocalMemoryStore

  constructor(store: LocalMemoryStore) {
    this.store = store
  }

  /** Returns the corrections in the message and what it changed in the memory. */
  addMessage({ id = randomUUID(), ...message }: SpokenMessage): Observation {
    return observe(this.store.memory, { id, ...message }, this.store.place)
  }

  /** The current items, without superseded ones. */
  getCurrentContext(options: ContextOptions = {}): CurrentContext {
    return this.store.getCurrentContext(options)
  }
}
