import type { ItemDraft } from '../../core/words/item.ts'
import { type JsonObject, parseJsonObject } from '../../core/words/json.ts'
import type { ItemChange, RefusedChange, RequestRead, Rewritten } from '../format.ts'
import type { ListDialect, Place, SlotEdit } from './dialect.ts'
import { type ReadMessage, readList, stateOf } from './read-list.ts'

type List = readonly unknown[]

/** The edits of one message. */
interface MessageEdits {
  /** The new content, if the content is one text. */
  content: string | null
  readonly parts: Map<number, SlotEdit[]>
  readonly removed: Set<number>
  readonly items: Set<number>
  removedItems: number
}

/**
 * Returns a new list that shares all unchanged messages and parts with the old one, which is not modified. A change that
 * is not possible is refused with a reason.
 */
export function rewriteList(
  dialect: ListDialect,
  read: RequestRead<List>,
  changes: readonly ItemChange[],
): Rewritten<List> {
  if (changes.length === 0) return { source: read.source, refused: [] }
  if (read.problem !== null) {
    return refuseAll(read, changes, `the list is not understood from ${read.problem.where} on`)
  }
  const state = stateOf(read) ?? stateOf(readList(dialect, read.source)) ?? []
  const edits = new Map<number, MessageEdits>()
  const refused: RefusedChange[] = []
  for (const change of changes) {
    const reason = take(state, edits, change)
    if (reason !== null) refused.push({ change, reason })
  }
  try {
    return { source: writeList(dialect, read.source, edits), refused }
  } catch {
    return refuseAll(read, changes, 'the list is not what was read any more')
  }
}

function refuseAll(
  read: RequestRead<List>,
  changes: readonly ItemChange[],
  reason: string,
): Rewritten<List> {
  return { source: read.source, refused: changes.map((change) => ({ change, reason })) }
}

/** Adds a change, or returns the reason why it is refused. */
function take(
  state: readonly ReadMessage[],
  edits: Map<number, MessageEdits>,
  change: ItemChange,
): string | null {
  const message = state[change.message]
  const item = message?.draft.items[change.item]
  if (message === undefined || item === undefined) return 'there is no such item'
  const own: MessageEdits = edits.get(change.message) ?? {
    content: null,
    parts: new Map(),
    removed: new Set(),
    items: new Set(),
    removedItems: 0,
  }
  if (own.items.has(change.item)) return 'the item is already changed by an earlier change'
  const reason = note(message, item, change, own)
  if (reason !== null) return reason
  own.items.add(change.item)
  edits.set(change.message, own)
  return null
}

function note(
  message: ReadMessage,
  item: ItemDraft,
  change: ItemChange,
  edits: MessageEdits,
): string | null {
  if (item.opaque === true) return 'the item belongs to the provider'
  const place = message.places[change.item]!
  const { text } = change
  if (text === null) return remove(message, item, place, edits)
  if (text === '') return 'an empty text is not allowed'
  if (item.kind !== 'attachment' && text === item.text) return null
  if (place.write !== null) return place.write
  if (
    place.slot.kind === 'input' &&
    place.slot.takes === 'json' &&
    parseJsonObject(text) === null
  ) {
    return 'the input must be a JSON object'
  }
  if (place.part === null) edits.content = text
  else {
    const earlier = edits.parts.get(place.part) ?? []
    edits.parts.set(place.part, [...earlier, { slot: place.slot, text }])
  }
  return null
}

function remove(
  message: ReadMessage,
  item: ItemDraft,
  place: Place,
  edits: MessageEdits,
): string | null {
  if (item.kind !== 'reasoning' && item.kind !== 'marker') {
    return 'only reasoning and markers can be removed'
  }
  if (place.remove !== null) return place.remove
  if (place.part === null) return 'the item cannot be removed'
  const { items } = message.draft
  const said = items.filter(({ kind }) => kind !== 'marker').length
  // Markers are not sent to the model, so a message of markers only would be empty.
  const counts = said === 0 || item.kind !== 'marker'
  if (counts && edits.removedItems + 1 >= (said === 0 ? items.length : said)) {
    return 'the message would become empty'
  }
  if (counts) edits.removedItems++
  edits.removed.add(place.part)
  return null
}

function writeList(dialect: ListDialect, source: List, edits: Map<number, MessageEdits>): List {
  let written: unknown[] | null = null
  for (const [index, edit] of edits) {
    if (edit.content === null && edit.parts.size === 0 && edit.removed.size === 0) continue
    written ??= [...source]
    const message = source[index] as JsonObject
    const content = edit.content ?? writeParts(dialect, message[dialect.parts] as List, edit)
    written[index] = { ...message, [dialect.parts]: content }
  }
  return written ?? source
}

function writeParts(dialect: ListDialect, parts: List, edit: MessageEdits): List {
  const written = [...parts]
  for (const [index, edits] of edit.parts) {
    written[index] = dialect.writePart(parts[index] as JsonObject, edits)
  }
  return written.filter((_part, index) => !edit.removed.has(index))
}
