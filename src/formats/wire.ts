import type { JsonObject } from '../core/words/json.ts'
import type { Body, RequestPrefix } from './format.ts'
import type { RawNode } from './json/raw-node.ts'
import type { PartialUsage } from './usage.ts'

/** The purpose of a model request. Only `answer` is a turn of a session. */
export type Purpose = 'answer' | 'count' | 'compact'

/** What a URL path says about a model request. */
export interface ModelPath {
  readonly purpose: Purpose
  /** null if the path does not name it. */
  readonly model: string | null
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A company's API, which may have several formats. */
export interface Provider {
  /** Its name in the configuration and in URL prefixes. */
  readonly name: string
  readonly address: string
  /** Whether a request of unknown format is for this provider. The first provider that claims it gets it. */
  claims(path: string, headers: Headers): boolean
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
}

/** How to insert a text into a conversation. */
export interface TextInsertion {
  /** A user message with only this text. */
  message(text: string): object
  /**
   * Inserts the text into an existing message, because the API requires alternating roles. null if the text becomes a
   * message of its own.
   */
  readonly join: {
    /** The member that contains the parts of a message. */
    readonly member: string
    part(text: string): object
    /** Whether a text may follow tool results in their message. */
    readonly behindResults: boolean
  } | null
}

/** How to ask a provider to clear old tool results. */
export interface ResultClearing {
  /** The body member with the instruction. */
  readonly member: string
  /** The required header and the value to add to it. */
  readonly header: readonly [name: string, value: string]
  readonly defaultTriggerTokens: number
  readonly defaultKeptResults: number
  instruction(limits: ClearingLimits): object
}

export interface ClearingLimits {
  /** Results are cleared above this many input tokens. */
  readonly triggerTokens: number
  /** How many of the newest results are kept. */
  readonly keptResults: number
  /** Nothing is cleared if it frees fewer tokens than this. */
  readonly leastTokens: number
  readonly excludedTools: readonly string[]
}

/** The facts about an API other than how to read, change and check messages. */
export interface Wire {
  readonly provider: Provider
  /** null for a path that is not of this format. `path` has no query. */
  readPath(path: string): ModelPath | null
  /** Whether a body looks like this format. The first format that matches is used. */
  recognises(body: RawNode): boolean
  /** Reads the usage from an answer or from one event of a stream. */
  takeUsage(answer: JsonObject, into: PartialUsage): void
  readonly insertion: TextInsertion
  /** The client's session id, if the body has one. */
  sessionIn(body: Body): string | null
  /** True if the provider stores the history and the body has only new messages. */
  isContinuation(body: Body): boolean
  /** The cache lifetime that a request asks for; undefined when it does not say. */
  lifetimeIn(prefix: RequestPrefix): 'short' | 'long' | undefined
  /** False when the provider caches nothing of this body, because it does not ask for it. */
  mayBeCached(body: Body): boolean
  /** null if the provider does not support it. */
  readonly clearing: ResultClearing | null
  /** The tools that a request defines. */
  toolsIn(tools: unknown): Iterable<ToolDefinition>
}
