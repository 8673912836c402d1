import type { MessageDraft } from '../core/words/item.ts'

/** The wire shapes that Palimpsest reads and rewrites. */
export type BodyFormatName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'
export type ObjectFormatName = 'ai-sdk' | 'opencode'
export type FormatName = BodyFormatName | ObjectFormatName

/** An HTTP body, as text or as the bytes that came. Whatever went in comes out in the same form. */
export type Body = string | Uint8Array

/** Where a reader stopped understanding. The messages read up to there are still good; the body is passed on as it is. */
export interface ReadProblem {
  /** A path such as `messages.3.content.0`, or `offset 1234` when the body is not JSON. */
  readonly where: string
  readonly message: string
}

/** What stands before the messages in the provider's prompt, as raw JSON text; empty when absent. */
export interface RequestPrefix {
  readonly system: string
  readonly tools: string
}

/** A request as a format read it. `read` never throws: what it does not understand is in `problem`. */
export interface RequestRead<Source = unknown> {
  readonly format: FormatName
  readonly source: Source
  readonly model: string | null
  readonly prefix: RequestPrefix
  readonly messages: readonly MessageDraft[]
  /** How many leading messages are the very objects of the previous read, because their bytes are the same. */
  readonly shared: number
  readonly problem: ReadProblem | null
}

/** Show one item of a request differently. */
export interface ItemChange {
  /** Index into `messages` of the read, and into that message's `items`. */
  readonly message: number
  readonly item: number
  /**
   * The new text: prose for texts, results and attachments (which become a text), JSON for the input of a call that
   * takes JSON, the tool's own text for a custom call. null removes the whole block: reasoning and markers only.
   */
  readonly text: string | null
}

export interface RefusedChange {
  readonly change: ItemChange
  readonly reason: string
}

export interface Rewritten<Source> {
  /** The very same value as `read.source` when no change was applied. */
  readonly source: Source
  readonly refused: readonly RefusedChange[]
}

/** A rule of a provider that a request breaks. */
export interface Violation {
  /** Stable id, for example `anthropic/tool-result-without-use`. */
  readonly rule: string
  /** A path such as `messages.3.content.0`. */
  readonly where: string
  /** The provider's own words for the error. */
  readonly message: string
}

export interface ValidateOptions {
  /** Overrides the model that the body names. */
  readonly model?: string
}

/**
 * One wire shape. Contracts: nothing here throws for any input; `rewrite` without changes returns the same value;
 * with changes, only the spans of the changed items differ; unknown fields and blocks survive.
 */
export interface Format<Source> {
  readonly name: FormatName
  /** `previous` is the read of the request before, so that what both have in common is not read again. */
  read(source: Source, previous?: RequestRead<Source>): RequestRead<Source>
  /** With `from`, only what stands behind that offset of a body is written; all changes are there. */
  rewrite(
    read: RequestRead<Source>,
    changes: readonly ItemChange[],
    from?: number,
  ): Rewritten<Source>
  validate(source: Source, options?: ValidateOptions): readonly Violation[]
  /** The rules that compare: what was in `before` and may not be different in `after`. */
  validateChange(before: Source, after: Source, options?: ValidateOptions): readonly Violation[]
}
