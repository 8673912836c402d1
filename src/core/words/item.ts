/**
 * The conversation as data. Formats and recordings parse messages into drafts; the record gives each item its place,
 * turn, handle and size, and never changes them afterwards.
 */

/** Tool results have the role `tool`, whatever role their message has on the wire. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

/** `running`: the call has not completed and its result may still change, so no decision may be made about it. */
export type ResultStatus = 'ok' | 'error' | 'running'

/**
 * `signed`: the text carries a provider's signature, so it may only be kept whole or removed whole.
 * `opaque`: there is no readable text (redacted or encrypted).
 */
export type ReasoningBinding = 'plain' | 'signed' | 'opaque'

interface DraftBase {
  /** The text that the model sees. For a call it is the input, as JSON or as the tool's own text. */
  readonly text: string
  /** True for items that must never be rewritten: server tools, compaction items, unknown blocks. */
  readonly opaque?: true
}

export interface TextDraft extends DraftBase {
  readonly kind: 'text'
}

export interface ReasoningDraft extends DraftBase {
  readonly kind: 'reasoning'
  readonly binding: ReasoningBinding
}

export interface CallDraft extends DraftBase {
  readonly kind: 'call'
  readonly tool: string
  /** The id that pairs call and result, unique in the session. */
  readonly call: string
}

export interface ResultDraft extends DraftBase {
  readonly kind: 'result'
  /** The tool's name, or the empty string when neither the result nor a matching call has it. */
  readonly tool: string
  readonly call: string
  readonly status: ResultStatus
}

export interface AttachmentDraft extends DraftBase {
  readonly kind: 'attachment'
  /** A media type such as `image/png`, or the wire format's own name for it. */
  readonly media: string
  /** The call whose result carried it, if any. */
  readonly call?: string
}

export interface MarkerDraft extends DraftBase {
  readonly kind: 'marker'
  /** The name used by the wire format or the recording: `step-start`, `snapshot`, `compaction`, … */
  readonly marker: string
}

/** The smallest piece of a conversation that can be shown or hidden, before it has a place in a record. */
export type ItemDraft =
  | TextDraft
  | ReasoningDraft
  | CallDraft
  | ResultDraft
  | AttachmentDraft
  | MarkerDraft

export type ItemKind = ItemDraft['kind']

/** Token usage of one response, as the provider counted it. `input` includes tokens read from the cache. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` with the long lifetime, where the provider reports it. */
  readonly cacheWriteLong?: number
}

/** State of the working tree, from agents that compare it before and after each response. */
export interface WorkingTree {
  /** Hashes of the tree before the response and after its tools ran. Equal hashes mean equal trees. */
  readonly before: string | null
  readonly after: string | null
  /** The files that differ between the two; null when unknown. */
  readonly changed: readonly string[] | null
}

/** One message as parsed by a format or a recording. */
export interface MessageDraft {
  readonly role: Role
  readonly items: readonly ItemDraft[]
  /** The provider's or the agent's id of the message. */
  readonly id?: string
  /** When it was sent, in milliseconds since 1970. */
  readonly at?: number
  /** The model that answered, on assistant messages. */
  readonly model?: string
  readonly usage?: Usage
  /** On assistant messages of agents that track the working tree. */
  readonly tree?: WorkingTree
}

interface Placed {
  /** Position in the record, from 0, without gaps. */
  readonly index: number
  /** Index of the message that holds it. */
  readonly message: number
  readonly role: Role
  /** The model request that produced it or first included it, from 1. Results belong to the turn of their call. */
  readonly turn: number
  /** Six or more hex digits, unique in the session. */
  readonly handle: string
  /** Estimated size; see `estimateTokens`. */
  readonly tokens: number
}

/** An item with its place in a record. */
export type Item = ItemDraft & Placed

/** A message with its place in a record. */
export interface Message {
  readonly index: number
  readonly role: Role
  readonly items: readonly Item[]
  /** Hash of its content, independent of its position. */
  readonly hash: string
  readonly id?: string
  readonly at?: number
  readonly model?: string
  readonly usage?: Usage
  readonly tree?: WorkingTree
}

/** The role of an item in a message with this role. */
export function roleOfItem(item: ItemDraft, messageRole: Role): Role {
  return item.kind === 'result' ? 'tool' : messageRole
}
