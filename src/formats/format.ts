import type { MessageDraft } from '../core/words/item.ts'

/** The request formats that Palimpsest reads and rewrites. */
export type BodyFormatName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'
export type ObjectFormatName = 'ai-sdk' | 'opencode'
export type FormatName = BodyFormatName | ObjectFormatName

/** An HTTP body, as text or as bytes. The output has the same form as the input, and fits the `body` of `fetch`. */
export type Body = string | Uint8Array<ArrayBuffer>

/** Where reading stopped. The messages before it are valid; the body is passed on unchanged. */
export interface ReadProblem {
  /** A path such as `messages.3.content.0`, or `offset 1234` when the body is not JSON. */
  readonly where: string
  readonly message: string
}

/** The parts of the prompt before the messages, as raw JSON; empty if absent. */
export interface RequestPrefix {
  readonly system: string
  readonly tools: string
}

/** The result of reading a request. `read` never throws; it reports problems in `problem`. */
export interface RequestRead<Source = unknown> {
  readonly format: FormatName
  readonly source: Source
  readonly model: string | null
  readonly prefix: RequestPrefix
  readonly messages: readonly MessageDraft[]
  /** How many leading messages are the same objects as in the previous read, because their bytes are equal. */
  readonly shared: number
  readonly problem: ReadProblem | null
}

/** A new text for one item of a request. */
export interface ItemChange {
  /** Index into `messages` of the read, and into that message's `items`. */
  readonly message: number
  readonly item: number
  /**
   * The new text: any text for texts, results and attachments (which become a text), JSON for a call with JSON input, any
   * text for a custom call. null removes the whole block, which is possible for reasoning and markers only.
   */
  readonly text: string | null
}

export interface RefusedChange {
  readonly change: ItemChange
  readonly reason: string
}

export interface Rewritten<Source> {
  /** The same value as `read.source` if no change was applied. */
  readonly source: Source
  readonly refused: readonly RefusedChange[]
}

/** A provider's rule that a request violates. */
export interface Violation {
  /** Stable id, for example `anthropic/tool-result-without-use`. */
  readonly rule: string
  /** A path such as `messages.3.content.0`. */
  readonly where: string
  /** The provider's error message. */
  readonly message: string
}

export interface ValidateOptions {
  /** Overrides the model that the body names. */
  readonly model?: string
}

/**
 * One request format. Contracts: no method throws for any input; `rewrite` without changes returns the same value;
 * with changes, only the spans of the changed items differ; unknown fields and blocks survive.
 */
export interface Format<Source> {
  readonly name: FormatName
  /** `previous` is the read of the previous request; messages that both share are not read again. */
  read(source: Source, previous?: RequestRead<Source>): RequestRead<Source>
  /** With `from`, returns only the part of a body after that offset; all changes must be in it. */
  rewrite(
    read: RequestRead<Source>,
    changes: readonly ItemChange[],
    from?: number,
  ): Rewritten<Source>
  validate(source: Source, options?: ValidateOptions): readonly Violation[]
  /** Reports differences between `before` and `after` that the provider does not allow. */
  validateChange(before: Source, after: Source, options?: ValidateOptions): readonly Violation[]
}

/** A format of HTTP bodies. */
export interface BodyFormat extends Format<Body> {
  /**
   * The first rule that a rewritten body breaks and its original does not, or the first difference between them that the
   * provider does not allow. Equals `validateChange` and `validate` together, but parses each body once.
   */
  validateRewrite(original: Body, rewritten: Body, options?: RewriteCheckOptions): Violation | null
}

export interface RewriteCheckOptions extends ValidateOptions {
  /** The rewritten body of the last request. A provider compares what precedes its reasoning with this, not with `original`. */
  readonly sentBefore?: Body
}
