import { parseJsonObject } from '../../core/words/json.ts'
import type { Body } from '../format.ts'
import { openDocument } from '../json/document.ts'
import { RawNode } from '../json/raw-node.ts'
import { type Edit, removeFromList } from '../json/splice.ts'
import type { ElementSpan } from './body-state.ts'
import type { Path, TextFrame, Write } from './dialect.ts'

/** Collects edits of a body. Only the edited elements are scanned. */
export class BodyEdits {
  readonly #source: Body
  readonly #elements: readonly ElementSpan[]
  readonly #roots = new Map<number, RawNode>()
  readonly #edits: Edit[] = []
  readonly #removedElements = new Set<number>()
  /** The children to remove, by their object or array. */
  readonly #removedChildren = new Map<RawNode, Set<number>>()

  constructor(source: Body, elements: readonly ElementSpan[]) {
    this.#source = source
    this.#elements = elements
  }

  /** All edits, as offsets of the body. */
  list(): readonly Edit[] {
    const edits = [...this.#edits, ...removeFromList(this.#elements, this.#removedElements)]
    for (const [node, removed] of this.#removedChildren) {
      const { base } = node.document
      const spans = node.children.map((child) => ({
        start: base + child.start,
        end: base + child.node.end,
      }))
      edits.push(...removeFromList(spans, removed))
    }
    return edits
  }

  /** Adds an edit for a new text, or returns the reason why that is not possible. */
  write(element: number, write: Write, text: string): string | null {
    switch (write.kind) {
      case 'refuse':
        return write.reason
      case 'string':
        return this.#set(element, write.path, JSON.stringify(text))
      case 'json':
        if (parseJsonObject(text) === null) return 'the input must be a JSON object'
        return this.#set(element, write.path, escapeLoneSurrogates(text))
      case 'json-string':
        if (parseJsonObject(text) === null) return 'the input must be a JSON object'
        return this.#set(element, write.path, JSON.stringify(text))
      case 'block': {
        const node = this.#root(element).at(write.path)
        if (node === null) return 'the block is not there'
        this.#replace(node, frameText(write.frame, text, cacheMarkerOf(node)))
        return null
      }
      case 'texts':
        return this.#setTexts(element, write, text)
    }
  }

  /** Removes a block or member; the empty path is the whole element. Returns a reason if that is not possible. */
  remove(element: number, path: Path): string | null {
    const key = path.at(-1)
    if (key === undefined) {
      if (this.#removedElements.size + 1 >= this.#elements.length) {
        return 'the conversation would become empty'
      }
      this.#removedElements.add(element)
      return null
    }
    const container = this.#root(element).at(path.slice(0, -1))
    if (container === null) return 'the block is not there'
    const going = indexesOf(container, key)
    const removed = this.#removedChildren.get(container) ?? new Set()
    const stay = container.children.length - removed.size - going.length
    if (stay <= 0) return 'the message would become empty'
    for (const index of going) removed.add(index)
    this.#removedChildren.set(container, removed)
    return null
  }

  #setTexts(
    element: number,
    write: Extract<Write, { readonly kind: 'texts' }>,
    text: string,
  ): string | null {
    const list = this.#root(element).at(write.path)
    if (list === null) return 'the blocks are not there'
    const [first, ...others] = write.texts
    if (first === undefined) {
      const comma = list.children.length === 0 ? '' : ','
      this.#insert(list, list.start + 1, frameText(write.frame, text, null) + comma)
      return null
    }
    this.#set(element, [...write.path, first, 'text'], JSON.stringify(text))
    for (const index of others) this.remove(element, [...write.path, index])
    const kept = list.child(first)!
    const marker = others.map((index) => cacheMarkerOf(list.child(index)!)).findLast(Boolean)
    if (marker !== undefined && marker !== null && cacheMarkerOf(kept) === null) {
      this.#insert(kept, kept.end - 1, `,"cache_control":${marker}`)
    }
    return null
  }

  #set(element: number, path: Path, json: string): string | null {
    const root = this.#root(element)
    const node = root.at(path)
    if (node !== null) {
      this.#replace(node, json)
      return null
    }
    const object = root.at(path.slice(0, -1))
    if (object === null) return 'the block is not there'
    const comma = object.children.length === 0 ? '' : ','
    this.#insert(object, object.end - 1, `${comma}${JSON.stringify(path.at(-1))}:${json}`)
    return null
  }

  #replace(node: RawNode, text: string): void {
    const { base } = node.document
    this.#edits.push({ start: base + node.start, end: base + node.end, text })
  }

  #insert(node: RawNode, at: number, text: string): void {
    const offset = node.document.base + at
    this.#edits.push({ start: offset, end: offset, text })
  }

  #root(element: number): RawNode {
    const known = this.#roots.get(element)
    if (known !== undefined) return known
    const { start, end } = this.#elements[element]!
    const document = openDocument(this.#source, start, end)
    const root = new RawNode(document, 0, document.scan.length)
    this.#roots.set(element, root)
    return root
  }
}

/** The element at an index, or all members with a key, because removing only the last would expose an earlier one. */
function indexesOf(container: RawNode, key: string | number): readonly number[] {
  if (typeof key === 'number') return [key]
  return container.children.flatMap((child, index) => (child.key === key ? [index] : []))
}

/** UTF-8 cannot encode a lone surrogate, so it is written as an escape. */
function escapeLoneSurrogates(json: string): string {
  return json.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}

function frameText(frame: TextFrame, text: string, cacheMarker: string | null): string {
  const marker = cacheMarker === null ? '' : `,"cache_control":${cacheMarker}`
  return `${frame.before}${JSON.stringify(text)}${marker}${frame.after}`
}

/** The raw text of a block's cache marker, which must be kept because the client placed it. */
function cacheMarkerOf(node: RawNode): string | null {
  return node.child('cache_control')?.rawText ?? null
}
