import { type Anchor, type Branches, type BranchStep, createBranches } from './branches.ts'
import { extendHash, handleDigits, hashMessage } from './content-hash.ts'
import { createHandles } from './handles.ts'
import { type Item, type ItemDraft, type Message, type MessageDraft, roleOfItem } from './item.ts'
import { type Relation, relate } from './relation.ts'
import { estimateTokens } from './tokens.ts'

export interface RecordOptions {
  /** Size of a text in tokens. */
  readonly sizeOf?: (text: string) => number
}

/** How much work the record has done, so that promise 9 can be checked by counting. */
export interface RecordWork {
  readonly itemsVisited: number
  readonly charactersHashed: number
}

/** What an append found and did. */
export interface Appended {
  /** How this history stands to the one that was appended before it. */
  readonly relation: Relation
  /** The end of this history; give it to the next append as `since`. */
  readonly anchor: Anchor
  /** How many leading messages the record had already. */
  readonly known: number
  readonly added: readonly Message[]
}

/**
 * All that was said in a session, append-only. Every request carries the whole history; the record recognises what it
 * has by a rolling content hash and takes in the rest. A history that was shortened, edited or forked becomes a branch
 * that shares the common part; nothing is ever removed or changed.
 *
 * @example
 * const record = createRecord()
 * const first = record.append(messages)
 * const second = record.append(moreMessages, first.anchor) // only what is new is hashed
 */
export interface SessionRecord {
  /** Every item of every branch, in the order in which they were recorded. */
  readonly items: readonly Item[]
  readonly messages: readonly Message[]
  readonly work: RecordWork
  readonly branches: number
  /**
   * `since` says that the first `since.length` messages are those of that history, because the caller compared their
   * bytes; they are not looked at again. Without it the whole list is hashed.
   */
  append(messages: readonly MessageDraft[], since?: Anchor): Appended
  /** The messages of one history, in order, from a position on. */
  history(anchor: Anchor, from?: number): readonly Message[]
  /** The item that a handle names. On several branches with the same content it is the oldest. */
  find(handle: string): Item | undefined
}

/** Where a message stands in some history, and how often it stood there before. */
interface MessagePlace {
  readonly end: Anchor
  readonly occurrence: number
}

export function createRecord(options: RecordOptions = {}): SessionRecord {
  const sizeOf = options.sizeOf ?? estimateTokens
  const branches = createBranches()
  const handles = createHandles()
  const items: Item[] = []
  const messages: Message[] = []
  const endOfHistory = new Map<string, Anchor>()
  const placesOfMessage = new Map<string, MessagePlace[]>()
  const itemByHandle = new Map<string, Item>()
  let head: Anchor | null = null
  let itemsVisited = 0
  let charactersHashed = 0

  function hash(message: MessageDraft): string {
    itemsVisited += message.items.length
    for (const item of message.items) charactersHashed += item.text.length
    return hashMessage(message)
  }

  /** How often the same message stands earlier in this history: one more than at its last place there. */
  function occurrencesBefore(messageHash: string, anchor: Anchor): number {
    const places = placesOfMessage.get(messageHash) ?? []
    for (let latest = places.length - 1; latest >= 0; latest--) {
      const place = places[latest] as MessagePlace
      if (branches.commonLength(place.end, anchor) >= place.end.length) return place.occurrence + 1
    }
    return 0
  }

  function place(
    draft: MessageDraft,
    messageHash: string,
    occurrence: number,
    turns: number,
  ): Message {
    const index = messages.length
    const placed = draft.items.map((item, ordinal): Item => {
      const added: Item = {
        ...item,
        index: items.length,
        message: index,
        role: roleOfItem(item, draft.role),
        turn: turnOf(item, draft, turns),
        handle: handles.name(handleDigits(messageHash, occurrence, ordinal)),
        tokens: sizeOf(item.text),
      }
      items.push(added)
      if (!itemByHandle.has(added.handle)) itemByHandle.set(added.handle, added)
      return added
    })
    const message: Message = { ...draft, index, items: placed, hash: messageHash }
    messages.push(message)
    return message
  }

  function append(drafts: readonly MessageDraft[], since?: Anchor): Appended {
    let at = startingPoint(branches, drafts.length, since)
    let history = historyHash(branches, at)
    const hashes: string[] = []

    for (let position = at.length; position < drafts.length; position++) {
      const messageHash = hash(drafts[position] as MessageDraft)
      const next = extendHash(history, messageHash)
      const known = endOfHistory.get(next)
      if (known === undefined) {
        hashes.push(messageHash)
        break
      }
      history = next
      at = known
    }
    const known = at.length
    for (let position = known + hashes.length; position < drafts.length; position++) {
      hashes.push(hash(drafts[position] as MessageDraft))
    }

    const previous = head
    const relation = relate(branches, previous, at, drafts, hashes)
    const added: Message[] = []
    for (const [offset, messageHash] of hashes.entries()) {
      const draft = drafts[known + offset] as MessageDraft
      const turns = branches.step(at.branch, at.length - 1)?.turns ?? 0
      const occurrence = occurrencesBefore(messageHash, at)
      const message = place(draft, messageHash, occurrence, turns)
      history = extendHash(history, messageHash)
      const step: BranchStep = {
        message,
        history,
        turns: draft.role === 'assistant' ? turns + 1 : turns,
      }
      at = branches.extend(at, [step])
      endOfHistory.set(history, at)
      const places = placesOfMessage.get(messageHash)
      if (places === undefined) placesOfMessage.set(messageHash, [{ end: at, occurrence }])
      else places.push({ end: at, occurrence })
      added.push(message)
    }
    head = at
    return { relation, anchor: at, known, added }
  }

  return {
    items,
    messages,
    append,
    get work(): RecordWork {
      return { itemsVisited, charactersHashed }
    },
    get branches(): number {
      return branches.count
    },
    history(anchor: Anchor, from = 0): readonly Message[] {
      const path: Message[] = []
      for (let position = from; position < anchor.length; position++) {
        const step = branches.step(anchor.branch, position)
        if (step !== undefined) path.push(step.message)
      }
      return path
    },
    find: (handle: string): Item | undefined => itemByHandle.get(handle),
  }
}

/** A `since` that does not fit the record or the list is not believed: everything is hashed instead. */
function startingPoint(branches: Branches, drafts: number, since: Anchor | undefined): Anchor {
  const start = { branch: 0, length: 0 }
  if (since === undefined || !isIndex(since.branch) || !isIndex(since.length)) return start
  if (since.branch >= branches.count || since.length > drafts) return start
  return since.length <= branches.lengthOf(since.branch) ? since : start
}

function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0
}

function historyHash(branches: Branches, anchor: Anchor): string {
  return branches.step(anchor.branch, anchor.length - 1)?.history ?? ''
}

/**
 * What the assistant says belongs to the turn that it makes; results and what came with them to the turn of their
 * calls; all else is input to the next turn.
 */
function turnOf(item: ItemDraft, message: MessageDraft, turns: number): number {
  if (message.role === 'assistant') return turns + 1
  const answersCall =
    item.kind === 'result' ||
    message.role === 'tool' ||
    (item.kind === 'attachment' && item.call !== undefined)
  return answersCall ? Math.max(1, turns) : turns + 1
}
