import { parseJson } from '../../core/words/json.ts'
import type { Body } from '../format.ts'
import { type Document, findInvalidUtf8, openDocument } from './document.ts'
import { skipSpace, skipString, skipValue } from './scan.ts'

/** A member of an object or an element of an array, by its positions in the document's `scan`. */
export interface RawChild {
  /** null for the elements of an array. */
  readonly key: string | null
  /** Where it starts: at its key, or at the element itself. */
  readonly start: number
  readonly node: RawNode
}

/**
 * A value of valid JSON as raw text. Children are found on first use and cached.
 */
export class RawNode {
  readonly document: Document
  readonly start: number
  readonly end: number
  #children: readonly RawChild[] | null = null

  constructor(document: Document, start: number, end: number) {
    this.document = document
    this.start = start
    this.end = end
  }

  /** A copy of its raw text. */
  get rawText(): string {
    return this.document.copy(this.start, this.end)
  }

  /** The parsed value; undefined if it is not JSON. */
  parse(): unknown {
    return parseJson(this.document.text(this.start, this.end))
  }

  get isArray(): boolean {
    return this.document.scan.charAt(this.start) === '['
  }

  /** Members or elements in order, duplicate keys included. Empty for strings, numbers and other scalars. */
  get children(): readonly RawChild[] {
    this.#children ??= this.#findChildren()
    return this.#children
  }

  /** The element at an index, or the last member with a key, which is the one that `JSON.parse` uses. */
  child(key: string | number): RawNode | null {
    if (typeof key === 'number') return this.children[key]?.node ?? null
    return this.children.findLast((child) => child.key === key)?.node ?? null
  }

  /** The value at a path, or null if there is none. */
  at(path: readonly (string | number)[]): RawNode | null {
    let node: RawNode | null = this
    for (const step of path) {
      if (node === null) return null
      node = node.child(step)
    }
    return node
  }

  #findChildren(): RawChild[] {
    const { scan } = this.document
    const children: RawChild[] = []
    const opening = scan.charAt(this.start)
    if (opening !== '{' && opening !== '[') return children
    let position = skipSpace(scan, this.start + 1)
    while (position < this.end - 1) {
      const start = position
      let key: string | null = null
      if (opening === '{') {
        const keyEnd = skipString(scan, position)
        if (keyEnd < 0) break
        key = parseKey(this.document, position, keyEnd)
        position = skipSpace(scan, skipSpace(scan, keyEnd) + 1)
      }
      const end = skipValue(scan, position)
      if (end < 0 || end > this.end) break
      children.push({ key, start, node: new RawNode(this.document, position, end) })
      position = skipSpace(scan, skipSpace(scan, end) + 1)
    }
    return children
  }
}

/** Returns the raw text of a key that is not JSON, so that reading a broken body never throws. */
function parseKey(document: Document, start: number, end: number): string {
  const spelling = document.text(start, end)
  const key = parseJson(spelling)
  return typeof key === 'string' ? key : spelling
}

/** The body's object, or null if the body is not an object. */
export function rootOf(body: Body): RawNode | null {
  if (typeof body !== 'string' && findInvalidUtf8(body, 0) >= 0) return null
  const document = openDocument(body, 0, body.length)
  const start = skipSpace(document.scan, 0)
  const end = skipValue(document.scan, start)
  return end < 0 || document.scan.charAt(start) !== '{' ? null : new RawNode(document, start, end)
}
