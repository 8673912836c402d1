import { parseJson } from '../../core/words/json.ts'
import type { Body, ReadProblem } from '../format.ts'
import { type Document, findInvalidUtf8, openDocument } from '../json/document.ts'
import { RawNode } from '../json/raw-node.ts'
import { skipSpace, skipString, skipValue } from '../json/scan.ts'
import { checkSyntax, type SyntaxProblem, unexpected } from '../json/syntax-error.ts'
import {
  type BodyState,
  type ElementSpan,
  messageOf,
  OpenMessage,
  type ReadMessage,
  type RequestHead,
} from './body-state.ts'
import { noCalls } from './call-index.ts'
import type { Dialect, Path } from './dialect.ts'

/** Where a reader resumes: after the first `taken` messages of an earlier read. */
interface Resumption {
  readonly state: BodyState
  readonly taken: number
}

const emptyHead: RequestHead = { model: null, system: '', tools: '' }

/**
 * Reads a body once, from its start or from where it differs from an earlier read. Each value is parsed separately, so
 * messages before a problem are still available. The read methods return the position after the value, or -1 if reading
 * stopped.
 */
export class BodyReader {
  readonly elements: ElementSpan[]
  readonly messages: ReadMessage[]
  head: RequestHead = emptyHead
  headBefore: RequestHead = emptyHead
  /** How many times the body has its conversation as an array. Only 1 can be resumed. */
  conversations = 0
  problem: ReadProblem | null = null
  readonly #dialect: Dialect
  readonly #document: Document
  readonly #invalidAt: number
  #hasConversation = false
  #open: OpenMessage | null = null

  constructor(dialect: Dialect, source: Body, resumption?: Resumption) {
    this.#dialect = dialect
    const { from, elements, messages } = takenOver(resumption)
    this.elements = elements
    this.messages = messages
    this.#invalidAt = typeof source === 'string' ? -1 : findInvalidUtf8(source, from)
    const end = this.#invalidAt < 0 ? source.length : this.#invalidAt
    this.#document = openDocument(source, from, end)
    if (resumption === undefined) return
    this.head = resumption.state.headBefore
    this.headBefore = resumption.state.headBefore
    this.conversations = 1
    this.#hasConversation = true
  }

  /** Reads from the body's first character. */
  readWhole(): void {
    const { scan } = this.#document
    const start = skipSpace(scan, 0)
    if (scan.charAt(start) !== '{') this.#stopAt(unexpected(scan, start))
    else {
      const inside = skipSpace(scan, start + 1)
      if (scan.charAt(inside) === '}') this.#readEnd(inside + 1)
      else this.#readMembers(inside)
    }
    this.#finish()
  }

  /** Continues after an element of the conversation. */
  readRest(): void {
    const after = this.#readElements(0)
    if (after >= 0) this.#readMembersAfter(after)
    this.#finish()
  }

  #finish(): void {
    this.#closeMessage()
    if (this.#invalidAt >= 0) {
      this.problem = { where: `offset ${this.#invalidAt}`, message: 'not valid UTF-8' }
    } else if (this.problem === null && !this.#hasConversation) {
      if (this.#dialect.conversationOptional) return
      this.problem = { where: this.#dialect.conversation[0]!, message: 'missing' }
    }
  }

  #readMembers(at: number): number {
    const { scan } = this.#document
    let position = at
    for (;;) {
      if (scan.charAt(position) !== '"') return this.#stopAt(unexpected(scan, position))
      const keyEnd = skipString(scan, position)
      const key = keyEnd < 0 ? undefined : this.#parse(position, keyEnd)
      if (typeof key !== 'string') return this.#stopIn(position)
      const colon = skipSpace(scan, keyEnd)
      if (scan.charAt(colon) !== ':') return this.#stopAt(unexpected(scan, colon))
      const end = this.#readMember(key, skipSpace(scan, colon + 1))
      if (end < 0) return -1
      const comma = skipSpace(scan, end)
      if (scan.charAt(comma) === '}') return this.#readEnd(comma + 1)
      if (scan.charAt(comma) !== ',') return this.#stopAt(unexpected(scan, comma))
      position = skipSpace(scan, comma + 1)
    }
  }

  #readMembersAfter(end: number): number {
    const { scan } = this.#document
    const comma = skipSpace(scan, end)
    if (scan.charAt(comma) === ',') return this.#readMembers(skipSpace(scan, comma + 1))
    if (scan.charAt(comma) === '}') return this.#readEnd(comma + 1)
    return this.#stopAt(unexpected(scan, comma))
  }

  #readEnd(at: number): number {
    const { scan } = this.#document
    const end = skipSpace(scan, at)
    return end < scan.length ? this.#stopAt(unexpected(scan, end)) : end
  }

  /** Reads the value of a member. */
  #readMember(key: string, at: number): number {
    if (this.#dialect.conversation.includes(key)) return this.#readConversation(key, at)
    const end = skipValue(this.#document.scan, at)
    const value = end < 0 ? undefined : this.#parse(at, end)
    if (value === undefined) return this.#stopIn(at)
    if (key === 'model')
      this.head = { ...this.head, model: typeof value === 'string' ? value : null }
    // Copied, because a slice would keep the whole body in memory.
    const raw = (): string => (value === null ? '' : this.#document.copy(at, end))
    if (this.#dialect.system.includes(key)) this.head = { ...this.head, system: raw() }
    if (this.#dialect.tools.includes(key)) this.head = { ...this.head, tools: raw() }
    return end
  }

  #readConversation(key: string, at: number): number {
    const { scan } = this.#document
    this.elements.length = 0
    this.messages.length = 0
    this.#open = null
    this.#hasConversation = true
    if (scan.charAt(at) === '[') {
      this.conversations++
      this.headBefore = this.head
      const inside = skipSpace(scan, at + 1)
      return scan.charAt(inside) === ']'
        ? inside + 1
        : this.#readElements(this.#readElement(inside))
    }
    const end = skipValue(scan, at)
    const value = end < 0 ? undefined : this.#parse(at, end)
    if (value === undefined) return this.#stopIn(at)
    // Only an array can be resumed.
    this.conversations += 2
    if (typeof value === 'string' && this.#dialect.readString !== null) {
      this.elements.push(this.#spanOf(at, end))
      this.#open = new OpenMessage(this.#dialect.readString(value), 0)
      return end
    }
    if (value === null && this.#dialect.conversationOptional) return end
    this.problem = { where: key, message: 'expected an array of messages' }
    return -1
  }

  /** Reads the elements after the one that ends at `at`. Returns the position after the array, or -1. */
  #readElements(at: number): number {
    const { scan } = this.#document
    let end = at
    while (end >= 0) {
      const position = skipSpace(scan, end)
      const next = scan.charAt(position)
      if (next === ']') return position + 1
      if (next !== ',') return this.#stopAt(unexpected(scan, position))
      end = this.#readElement(skipSpace(scan, position + 1))
    }
    return -1
  }

  /** Reads one element. Returns the position after it, or -1. */
  #readElement(at: number): number {
    const end = skipValue(this.#document.scan, at)
    const value = end < 0 ? undefined : this.#parse(at, end)
    if (value === undefined) return this.#stopIn(at)
    return this.#takeElement(value, at, end) ? end : -1
  }

  #takeElement(value: unknown, start: number, end: number): boolean {
    const last = this.#open ?? this.messages.at(-1)
    const node = new RawNode(this.#document, start, end)
    const entry = this.#dialect.readElement(value, node, last?.calls ?? noCalls)
    if (entry.kind === 'malformed') {
      this.problem = { where: this.#whereIs(entry.path), message: entry.message }
      return false
    }
    if (last !== undefined && entry.group !== null && entry.group === last.group) {
      this.#open ??= OpenMessage.reopen(this.messages.pop()!)
      this.#open.add(entry)
    } else {
      this.#closeMessage()
      // An element without a group is a complete message.
      if (entry.group === null) this.messages.push(messageOf(entry, this.elements.length))
      else this.#open = new OpenMessage(entry, this.elements.length)
    }
    this.elements.push(this.#spanOf(start, end))
    return true
  }

  #closeMessage(): void {
    if (this.#open !== null) this.messages.push(this.#open.finish())
    this.#open = null
  }

  #whereIs(path: Path): string {
    return [this.#dialect.conversation[0], this.elements.length, ...path].join('.')
  }

  #spanOf(start: number, end: number): ElementSpan {
    return { start: this.#document.base + start, end: this.#document.base + end }
  }

  /** The value, or undefined if the text is not JSON. */
  #parse(start: number, end: number): unknown {
    return parseJson(this.#document.text(start, end))
  }

  /** Records the first syntax error of the value at `at` and stops. */
  #stopIn(at: number): number {
    const { scan } = this.#document
    const found = checkSyntax(scan, at)
    return this.#stopAt(typeof found === 'number' ? unexpected(scan, found) : found)
  }

  #stopAt({ offset, message }: SyntaxProblem): number {
    this.problem = { where: `offset ${this.#document.base + offset}`, message }
    return -1
  }
}

function takenOver(resumption: Resumption | undefined): {
  readonly from: number
  readonly elements: ElementSpan[]
  readonly messages: ReadMessage[]
} {
  if (resumption === undefined) return { from: 0, elements: [], messages: [] }
  const messages = resumption.state.messages.slice(0, resumption.taken)
  const last = messages.at(-1)!
  const elements = resumption.state.elements.slice(0, last.firstElement + last.elementCount)
  return { from: elements.at(-1)!.end, elements, messages }
}
