import { isSummary } from '../core/guard/summary.ts'
import { clearedByAgent } from '../core/render/marks.ts'
import type { Item, MessageDraft } from '../core/words/item.ts'

/** Results that the agent itself removed from its history since its last request. The record keeps their originals. */
export interface AgentCut {
  /** `cleared`: each was replaced by a fixed line. `compacted`: a summary replaced them. */
  readonly kind: 'cleared' | 'compacted'
  readonly results: number
  /** Handles of the largest results, which restore their originals. */
  readonly handles: readonly string[]
}

const mostHandles = 50

/** Compares the items of the last request with the messages of this one. null when the agent left its results alone. */
export function agentCutOf(
  before: readonly Item[],
  messages: readonly MessageDraft[],
): AgentCut | null {
  const results = new Map<string, string>()
  let hasSummary = false
  for (const { role, items } of messages) {
    for (const item of items) {
      if (item.kind === 'result') results.set(item.call, item.text)
      if (item.kind === 'text' && role === 'user' && isSummary(item.text)) hasSummary = true
    }
  }
  const was = before.filter((item) => item.kind === 'result' && item.text !== clearedByAgent)
  const textOf = (item: Item): string | undefined =>
    item.kind === 'result' ? results.get(item.call) : undefined
  const cleared = was.filter((item) => textOf(item) === clearedByAgent)
  if (cleared.length > 0) return cutOf('cleared', cleared)
  // Without a summary the user went back, or it is another conversation.
  const compacted = hasSummary ? was.filter((item) => textOf(item) === undefined) : []
  return compacted.length > 0 ? cutOf('compacted', compacted) : null
}

function cutOf(kind: AgentCut['kind'], items: readonly Item[]): AgentCut {
  const largest = items.toSorted((one, other) => other.tokens - one.tokens).slice(0, mostHandles)
  return { kind, results: items.length, handles: largest.map(({ handle }) => handle) }
}
