import type { ItemDraft, Role } from '../../core/words/item.ts'
import { findOnlyMember, findValue } from '../json/find-value.ts'
import type { RawNode } from '../json/raw-node.ts'
import { skipValue } from '../json/scan.ts'
import { removeFromList } from '../json/splice.ts'
import { addCall, type CallIndex, type KnownCall } from './call-index.ts'
import type { Entry, Misshapen, Path, Place, TextFrame, Write } from './dialect.ts'

/** Never added to. A list that grows from empty gets room for many, and most elements have one item. */
const none: never[] = []

/** Collects the items of one element, each with its place. */
export class EntryBuilder {
  readonly node: RawNode
  calls: CallIndex
  #items: ItemDraft[] = none
  #places: Place[] = none

  constructor(node: RawNode, calls: CallIndex) {
    this.node = node
    this.calls = calls
  }

  /** Takes note of a call of this id. */
  addCall(id: string, tool: string): KnownCall {
    const { calls, known } = addCall(this.calls, id, tool)
    this.calls = calls
    return known
  }

  /** How the value at a path is spelled. `key` is the last step to it, which is there. */
  valueAt(path: Path, key: string): string {
    const { document, start, end } = this.node
    let at = findOnlyMember(document.scan, start, end, key)
    if (at < 0) at = findValue(document.scan, start, path)
    if (at >= 0) return document.copy(at, skipValue(document.scan, at))
    return this.node.at(path)?.spelling ?? ''
  }

  /** Adds an item that stays where it is, whatever its text becomes. */
  add(item: ItemDraft, write: Write): void {
    this.addAt(item, { write, remove: null, element: 0 })
  }

  /** The same, with a place that may be that of others as well. */
  addAt(item: ItemDraft, place: Place): void {
    if (this.#items === none) {
      this.#items = [item]
      this.#places = [place]
    } else {
      this.#items.push(item)
      this.#places.push(place)
    }
  }

  /** Adds an item that can also be taken out, together with the block or member at `remove`. */
  addRemovable(item: ItemDraft, write: Write, remove: Path): void {
    this.addAt(item, { write, remove, element: 0 })
  }

  /** Adds a text, unless it is empty: then there is nothing to show or not. */
  addText(text: string, path: Path): void {
    if (text !== '') this.add({ kind: 'text', text }, { kind: 'string', path })
  }

  /** Adds a block that belongs to the provider, or that nothing here knows. */
  addOpaque(marker: string, path: Path): void {
    this.add({ kind: 'marker', marker, text: this.spellingAt(path), opaque: true }, opaqueWrite)
  }

  /** How the value at `path` is spelled, without its cache marker: markers move, and what is said stays the same. */
  spellingAt(path: Path): string {
    const node = this.node.at(path)
    return node === null ? '' : spellingWithoutCacheMarker(node)
  }

  entry(role: Role, group: string | null = null): Entry {
    return {
      kind: 'entry',
      role,
      items: this.#items,
      places: this.#places,
      calls: this.calls,
      group,
    }
  }
}

export const opaqueWrite: Write = { kind: 'refuse', reason: 'the block belongs to the provider' }

export const signedWrite: Write = {
  kind: 'refuse',
  reason: 'the reasoning is signed: it stays whole or goes whole',
}

/** A block of the shape `{"type":…,"text":…}`. */
export function textFrame(type: string): TextFrame {
  return { before: `{"type":${JSON.stringify(type)},"text":`, after: '}' }
}

export function misshapen(path: Path, message: string): Misshapen {
  return { kind: 'misshapen', path, message }
}

function spellingWithoutCacheMarker(node: RawNode): string {
  const spans = node.children.map((child) => ({ start: child.start, end: child.node.end }))
  const markers = new Set<number>()
  for (const [index, child] of node.children.entries()) {
    if (child.key === 'cache_control') markers.add(index)
  }
  if (markers.size === 0 || markers.size === spans.length) return node.spelling
  let text = ''
  let position = node.start
  for (const edit of removeFromList(spans, markers)) {
    text += node.document.copy(position, edit.start)
    position = edit.end
  }
  return text + node.document.copy(position, node.end)
}
