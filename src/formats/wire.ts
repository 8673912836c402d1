import type { JsonObject } from '../core/words/json.ts'
import type { Body } from './format.ts'
import type { RawNode } from './json/raw-node.ts'
import type { PartialUsage } from './usage.ts'

/** What a request to a model is for. Only an answer is a turn of a session. */
export type Purpose = 'answer' | 'count' | 'compact'

/** What a path says about a request to a model. */
export interface ModelPath {
  readonly purpose: Purpose
  /** null where the path does not name it. */
  readonly model: string | null
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A company's API, which may have several formats. */
export interface Provider {
  /** Names it in the configuration and in front of paths. */
  readonly name: string
  readonly address: string
  /** Whether a request that no format knows is for this provider. The first provider that claims it gets it. */
  claims(path: string, headers: Headers): boolean
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
}

/** How a text of ours becomes part of a conversation. */
export interface TextInsertion {
  /** A user message that holds nothing but this text. */
  message(text: string): object
  /**
   * The text goes into a message that is there, because the API wants roles to alternate. null where it is a message of
   * its own.
   */
  readonly join: {
    /** The member that holds the parts of a message. */
    readonly member: string
    part(text: string): object
    /** Whether a text may follow tool results in their message. */
    readonly behindResults: boolean
  } | null
}

/** How a provider is asked to clear old tool results by itself. */
export interface ResultClearing {
  /** The member of the body that asks for it. */
  readonly member: string
  /** A header that the request needs, with a value that other values may stand beside. */
  readonly header: readonly [name: string, value: string]
  readonly defaultTriggerTokens: number
  readonly defaultKeptResults: number
  instruction(limits: ClearingLimits): object
}

export interface ClearingLimits {
  /** Input tokens from which on results are cleared. */
  readonly triggerTokens: number
  /** How many of the newest results stay. */
  readonly keptResults: number
  /** Nothing is cleared for less than this. */
  readonly leastTokens: number
  readonly excludedTools: readonly string[]
}

/** All that is known about an API besides how to read, change and check the messages of a request. */
export interface Wire {
  readonly provider: Provider
  /** null for a path that is not one of this format's. `path` comes without its query. */
  readPath(path: string): ModelPath | null
  /** Whether a body looks like this format. The first format that says so has it. */
  recognises(body: RawNode): boolean
  /** Takes what an answer, or one event of a streamed one, says about tokens. */
  takeUsage(answer: JsonObject, into: PartialUsage): void
  readonly insertion: TextInsertion
  /** The client's own name for the session, where the body has one. */
  sessionIn(body: Body): string | null
  /** True when the provider keeps the history, and the body holds only what is new. */
  isContinuation(body: Body): boolean
  /** null where the provider clears nothing. */
  readonly clearing: ResultClearing | null
  /** The tools that a request defines. */
  toolsIn(tools: unknown): Iterable<ToolDefinition>
}
