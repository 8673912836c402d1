import type { ItemDraft } from '../../core/words/item.ts'
import type { Body, ItemChange, RefusedChange, RequestRead, Rewritten } from '../format.ts'
import { splice } from '../json/splice.ts'
import { BodyEdits } from './body-edits.ts'
import { type BodyState, type ReadMessage, stateOf } from './body-state.ts'
import type { Dialect } from './dialect.ts'
import { readBody } from './read-body.ts'

/**
 * Splices changed items into the raw body. A change that the format does not allow is refused with a reason. A body that
 * was not read completely is never changed. With `from`, returns only the part after that offset.
 */
export function rewriteBody(
  dialect: Dialect,
  read: RequestRead<Body>,
  changes: readonly ItemChange[],
  from = 0,
): Rewritten<Body> {
  if (changes.length === 0) return { source: splice(read.source, [], from), refused: [] }
  if (read.problem !== null) {
    const reason = `the body is not understood from ${read.problem.where} on`
    const refused = changes.map((change) => ({ change, reason }))
    return { source: splice(read.source, [], from), refused }
  }
  const state = stateOf(read) ?? stateOf(readBody(dialect, read.source))
  const refused: RefusedChange[] = []
  if (state === null) return { source: splice(read.source, [], from), refused }
  const rewriting = new Rewriting(read.source, state)
  for (const change of changes) {
    const reason = rewriting.take(change)
    if (reason !== null) refused.push({ change, reason })
  }
  return { source: splice(read.source, rewriting.edits.list(), from), refused }
}

class Rewriting {
  readonly edits: BodyEdits
  readonly #state: BodyState
  readonly #changed = new Map<number, Set<number>>()
  readonly #removedItems = new Map<number, number>()

  constructor(source: Body, state: BodyState) {
    this.edits = new BodyEdits(source, state.elements)
    this.#state = state
  }

  /** Adds the edits of a change, or returns the reason why it is refused. */
  take(change: ItemChange): string | null {
    const message = this.#state.messages[change.message]
    const item = message?.draft.items[change.item]
    if (message === undefined || item === undefined) return 'there is no such item'
    const changed = this.#changed.get(change.message) ?? new Set()
    if (changed.has(change.item)) return 'the item is already changed by an earlier change'
    const reason = this.#edit(message, item, change)
    if (reason !== null) return reason
    this.#changed.set(change.message, changed.add(change.item))
    return null
  }

  #edit(message: ReadMessage, item: ItemDraft, change: ItemChange): string | null {
    if (item.opaque === true) return 'the item belongs to the provider'
    if (change.text === null) return this.#remove(message, item, change)
    if (change.text === '') return 'an empty text is not allowed'
    if (item.kind !== 'attachment' && change.text === item.text) return null
    const place = message.places[change.item]!
    return this.edits.write(message.firstElement + place.element, place.write, change.text)
  }

  #remove(message: ReadMessage, item: ItemDraft, change: ItemChange): string | null {
    if (item.kind !== 'reasoning' && item.kind !== 'marker') {
      return 'only reasoning and markers can be removed'
    }
    const place = message.places[change.item]!
    if (place.remove === null) return 'the item cannot be removed'
    const removed = (this.#removedItems.get(change.message) ?? 0) + 1
    if (removed === message.draft.items.length) return 'the message would become empty'
    const reason = this.edits.remove(message.firstElement + place.element, place.remove)
    if (reason === null) this.#removedItems.set(change.message, removed)
    return reason
  }
}
