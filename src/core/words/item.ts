/**
 * The conversation as data. A format or a recording reads messages as drafts; the record gives each of their items
 * its place, its turn, its handle and its size, and never changes them afterwards.
 */

/** Who speaks. Results of tools have the role `tool`, whatever role the wire gives the message that carries them. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

/** `running` is a call that has not completed: its result may still change, so nothing may be decided about it. */
export type ResultStatus = 'ok' | 'error' | 'running'

/**
 * `signed`: the text carries a provider's signature and may only stay whole or go whole.
 * `opaque`: there is no readable text at all (redacted or encrypted).
 */
export type ReasoningBinding = 'plain' | 'signed' | 'opaque'

interface DraftBase {
  /** What the model sees of this item. For a call it is its input, as JSON or as the tool's own text. */
  readonly text: string
  /** True when a provider owns the bytes (server tools, compaction items, unknown blocks): never rewritten. */
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
  /** The id that pairs call and result, unique in its session. */
  readonly call: string
}

export interface ResultDraft extends DraftBase {
  readonly kind: 'result'
  /** The tool's name, or the empty string when the wire does not say and the call was not found. */
  readonly tool: string
  readonly call: string
  readonly status: ResultStatus
}

export interface AttachmentDraft extends DraftBase {
  readonly kind: 'attachment'
  /** A media type such as `image/png`, or the wire's own word for it. */
  readonly media: string
  /** The call whose result carried it, when one did. */
  readonly call?: string
}

export interface MarkerDraft extends DraftBase {
  readonly kind: 'marker'
  /** The wire's or the recording's own word: `step-start`, `snapshot`, `compaction`, … */
  readonly marker: string
}

/** The smallest piece of a conversation that can be shown or not, before it has a place in a record. */
export type ItemDraft =
  | TextDraft
  | ReasoningDraft
  | CallDraft
  | ResultDraft
  | AttachmentDraft
  | MarkerDraft

export type ItemKind = ItemDraft['kind']

/** Token figures of one answer, as the provider counted them. `input` includes what was read from the cache. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` that the provider keeps for long, where it tells them apart. */
  readonly cacheWriteLong?: number
}

/** What an agent that compares the working tree before and after each answer noted of it. */
export interface WorkingTree {
  /** Names of the tree's states when the answer began and when its tools had run: equal names are equal trees. */
  readonly before: string | null
  readonly after: string | null
  /** The files that differ between the two; null when the agent did not say. */
  readonly changed: readonly string[] | null
}

/** One message as a format or a recording read it. */
export interface MessageDraft {
  readonly role: Role
  readonly items: readonly ItemDraft[]
  /** The provider's or the agent's own id of the message. */
  readonly id?: string
  /** When it was said, in milliseconds since 1970. */
  readonly at?: number
  /** The model that answered, on assistant messages. */
  readonly model?: string
  readonly usage?: Usage
  /** On assistant messages of agents that keep track of the working tree. */
  readonly tree?: WorkingTree
}

interface Placed {
  /** Position in the record, from 0, without gaps. */
  readonly index: number
  /** Index of the message that holds it. */
  readonly message: number
  readonly role: Role
  /** The call to the model that produced it or first saw it, from 1. Results belong to the turn of their call. */
  readonly turn: number
  /** Six or more hex digits that name it in the session. */
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
  /** Hash of its content alone: the same message has it wherever it stands. */
  readonly hash: string
  readonly id?: string
  readonly at?: number
  readonly model?: string
  readonly usage?: Usage
  readonly tree?: WorkingTree
}

/** The role that an item has, given the message that carries it. */
export function roleOfItem(item: ItemDraft, messageRole: Role): Role {
  return item.kind === 'result' ? 'tool' : messageRole
}
