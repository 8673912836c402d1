import type { PruneAnswer } from './context-prune.ts'
import { pruneItem } from './prune-item.ts'
import { type AgentSession, type PlacedItem, placedItems } from './session.ts'

/**
 * Discards the last `count` tool outputs, or those since the user last spoke. What the agent may not discard stays here
 * too: the tools that hold the state of the work.
 */
export function sweep(session: AgentSession, count: number | null): readonly PruneAnswer[] {
  const kept = new Set(session.settings.agentProtectedTools.map((tool) => tool.toLowerCase()))
  let results: PlacedItem[] = []
  for (const placed of placedItems(session)) {
    const { item } = placed
    if (count === null && item.kind === 'text' && item.role === 'user') results = []
    else if (item.kind === 'result' && !kept.has(item.tool.toLowerCase())) results.push(placed)
  }
  const chosen = count === null ? results : results.slice(Math.max(0, results.length - count))
  return chosen.map((placed) => ({
    target: placed.item.handle,
    outcome: pruneItem(session, placed, { asker: 'user', summary: null }),
  }))
}
