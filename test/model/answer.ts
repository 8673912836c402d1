import type { JsonObject } from '../../src/core/words/json.ts'
import type { ClearedPrompt } from './context-management.ts'

/** A call in an answer. */
export interface AnswerCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject | string
  readonly namespace?: string
}

export interface AnswerReasoning {
  readonly text: string
  readonly signature: string
  readonly redacted: boolean
}

/** Token figures in one vocabulary; each writer spells them as its provider does. `input` includes both others. */
export interface AnswerUsage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWriteForAnHour: number
  readonly output: number
  readonly reasoning: number
}

/** What the model says, before a provider's shape is given to it. */
export interface Answer {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly reasoning: AnswerReasoning | null
  readonly calls: readonly AnswerCall[]
  readonly usage: AnswerUsage
  /** Seconds since 1970. */
  readonly createdAt: number
  /** What the provider says about its own clearing (Anthropic). */
  readonly management: ClearedPrompt['report']
}

/** One event of a stream. A string is sent as it is; anything else as JSON. */
export interface StreamEvent {
  readonly event?: string
  readonly data: unknown
}

/** An answer in a provider's shape, whole and as a stream. */
export interface Written {
  readonly body: JsonObject
  readonly events: readonly StreamEvent[]
}

/** Cuts a text as a stream would deliver it, never inside a surrogate pair. An empty text is one empty piece. */
export function pieces(text: string, size = 48): readonly string[] {
  const characters = Array.from(text)
  const cut: string[] = []
  for (let start = 0; start < characters.length; start += size) {
    cut.push(characters.slice(start, start + size).join(''))
  }
  return cut.length > 0 ? cut : ['']
}

/** A call's input as the JSON text that goes over the wire. */
export function inputJson(call: AnswerCall): string {
  return JSON.stringify(typeof call.input === 'string' ? { input: call.input } : call.input)
}
