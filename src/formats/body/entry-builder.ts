import type { ItemDraft, Role } from '../../core/words/item.ts'
import type { RawNode } from '../json/raw-node.ts'
import { removeFromList } from '../json/splice.ts'
import {
  addCall,
  answerById,
  answerInOrder,
  type CallIndex,
  callOfId,
  type KnownCall,
} from './call-index.ts'
import type { Entry, Malformed, Path, Place, TextFrame, Write } from './dialect.ts'

/** Collects the items of one element, each with its place. */
export class EntryBuilder {
  readonly node: RawNode
  calls: CallIndex
  readonly #items: ItemDraft[] = []
  readonly #places: Place[] = []

  constructor(node: RawNode, calls: CallIndex) {
    this.node = node
    this.calls = calls
  }

  /** Registers a call. */
  addCall(id: string, tool: string): KnownCall {
    const { calls, known } = addCall(this.calls, id, tool)
    this.calls = calls
    return known
  }

  /** The call that a result answers: by its id, or in order if the id is empty. */
  answeredCall(id: string, tool: string): KnownCall {
    if (id === '') {
      const { calls, known } = answerInOrder(this.calls, tool)
      this.calls = calls
      return known
    }
    const known = callOfId(this.calls, id)
    this.calls = answerById(this.calls, known)
    return known.tool === '' ? { ...known, tool } : known
  }

  /** Adds an item that cannot be removed. */
  add(item: ItemDraft, write: Write): void {
    this.#items.push(item)
    this.#places.push({ write, remove: null, element: 0 })
  }

  /** Adds an item that can be removed together with the block or member at `remove`. */
  addRemovable(item: ItemDraft, write: Write, remove: Path): void {
    this.#items.push(item)
    this.#places.push({ write, remove, element: 0 })
  }

  /** Adds a text unless it is empty. */
  addText(text: string, path: Path): void {
    if (text !== '') this.add({ kind: 'text', text }, { kind: 'string', path })
  }

  /** Adds a block of the provider or of an unknown type. */
  addOpaque(marker: string, path: Path): void {
    this.add({ kind: 'marker', marker, text: this.rawTextAt(path), opaque: true }, opaqueWrite)
  }

  /** The raw JSON at `path` without its cache marker, which clients move between requests. */
  rawTextAt(path: Path): string {
    const node = this.node.at(path)
    return node === null ? '' : rawTextWithoutCacheMarker(node)
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

export function malformed(path: Path, message: string): Malformed {
  return { kind: 'malformed', path, message }
}

function rawTextWithoutCacheMarker(node: RawNode): string {
  const spans = node.children.map((child) => ({ start: child.start, end: child.node.end }))
  const markers = new Set<number>()
  for (const [index, child] of node.children.entries()) {
    if (child.key === 'cache_control') markers.add(index)
  }
  if (markers.size === 0 || markers.size === spans.length) return node.rawText
  let text = ''
  let position = node.start
  for (const edit of removeFromList(spans, markers)) {
    text += node.document.copy(position, edit.start)
    position = edit.end
  }
  return text + node.document.copy(position, node.end)
}
