import type { How } from '../../src/core/words/decision.ts'

/** One piece of a recorded conversation, as a trace gives it. */
export interface TracedItem {
  readonly i: number
  readonly message: number
  readonly role: string
  readonly kind: 'text' | 'reasoning' | 'call' | 'result' | 'attachment' | 'marker'
  readonly tool: string | null
  /** Joins a call and its result. */
  readonly call: string | null
  readonly status: string | null
  readonly text: string
}

/** One way in which an item is shown; equal `r` are equal bytes. */
export interface Rendition {
  readonly r: number
  readonly item: TracedItem
  readonly how: 'full' | How
  /** The text that the model sees. */
  readonly text: string
  /** What is said of a call at the end of its result: it is paid for, and no part of the call's input. */
  readonly note?: string
  /** Present when the original can be restored. */
  readonly handle: string | null
}

/** One call to the model. */
export interface TracedRequest {
  readonly n: number
  /** Milliseconds since 1970. */
  readonly at: number | null
  readonly view: readonly Rendition[]
  /** How many items were known: those from 0 to `known - 1`. */
  readonly known: number
}

/** One session of a replay trace. */
export interface TracedSession {
  readonly file: string
  readonly format: string
  readonly model: string | null
  readonly policy: string
  readonly items: readonly TracedItem[]
  readonly requests: readonly TracedRequest[]
  /** Format errors of the trace, one sentence each. */
  readonly faults: readonly string[]
}

export const charactersPerToken = 4

/** The tokens that a system prompt and tools take in every request, whatever the policy. */
export const prefixTokens = 18_000

/** The tokens of a rendition. */
export function shownTokens({ text, note }: Rendition): number {
  return tokensOf(text) + (note === undefined ? 0 : tokensOf(`\n${note}`))
}

export function tokensOf(text: string): number {
  return text.length / charactersPerToken
}

/** The tokens of a request without the constant prefix. */
export function viewTokens(view: readonly Rendition[]): number {
  return view.reduce((sum, rendition) => sum + shownTokens(rendition), 0)
}
