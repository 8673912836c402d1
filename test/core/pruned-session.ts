import { createEngine } from '../../src/core/engine.ts'
import type { How, Reason } from '../../src/core/words/decision.ts'
import type { ItemDraft, MessageDraft, ResultStatus } from '../../src/core/words/item.ts'
import type { Understanding } from '../../src/core/words/operation.ts'
import type { Settings } from '../../src/core/words/settings.ts'

/** A decision about an item of a scripted session. */
export interface Shown {
  /** Where the item stands: position of its message, and its place in it. */
  readonly at: readonly [message: number, item: number]
  readonly text: string | null
  readonly how: How
  readonly reason: Reason
  readonly strategy: string
  readonly turn: number
}

/** What the engine shows differently at the request after these messages; handles become `HANDLE`. */
export function prunedSession(
  settings: Settings,
  understanding: Understanding,
  messages: readonly MessageDraft[],
): readonly Shown[] {
  const engine = createEngine({ restore: { tool: 'context_restore' }, settings, understanding })
  return engine.request(messages).changes.map(({ message, item, text, decision }) => ({
    at: [message, item],
    text: text?.replaceAll(/(?<=context_restore |\[diff · )[0-9a-f]{6,}/g, 'HANDLE') ?? null,
    how: decision.rendition.how,
    reason: decision.reason,
    strategy: decision.strategy,
    turn: decision.turn,
  }))
}

export const user = (...items: readonly (string | ItemDraft)[]): MessageDraft => ({
  role: 'user',
  items: items.map((item) => (typeof item === 'string' ? { kind: 'text', text: item } : item)),
})

export const assistant = (...items: readonly (string | ItemDraft)[]): MessageDraft => ({
  role: 'assistant',
  items: items.map((item) => (typeof item === 'string' ? { kind: 'text', text: item } : item)),
})

let calls = 0

/** One turn in which a tool is called, and its result. */
export function toolTurn(
  tool: string,
  input: object | string,
  output: string,
  status: ResultStatus = 'ok',
): readonly MessageDraft[] {
  const call = `call-${++calls}`
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [
    { role: 'assistant', items: [{ kind: 'call', tool, call, text }] },
    { role: 'tool', items: [{ kind: 'result', tool, call, text: output, status }] },
  ]
}

/** Turns in which nothing happens. */
export function idleTurns(count: number): readonly MessageDraft[] {
  return Array.from({ length: count }, (_, index) => [
    assistant(`answer ${index}`),
    user(`question ${index}`),
  ]).flat()
}
