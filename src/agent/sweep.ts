import { isProtectedFromAgent } from '../core/guard/agent-protection.ts'
import type { Item } from '../core/words/item.ts'
import type { PruneAnswer } from './context-prune.ts'
import { pruneItem } from './prune-item.ts'
import { type AgentSession, type PlacedItem, placedItems } from './session.ts'

/**
 * Discards the last `count` tool outputs, or all since the user's last message. Outputs that the agent may not discard
 * are kept.
 */
export function sweep(session: AgentSession, count: number | null): readonly PruneAnswer[] {
  let results: PlacedItem[] = []
  for (const placed of placedItems(session)) {
    const { item } = placed
    if (count === null && item.kind === 'text' && item.role === 'user') results = []
    else if (item.kind === 'result' && !isKept(item, session)) results.push(placed)
  }
  const chosen = count === null ? results : results.slice(Math.max(0, results.length - count))
  return chosen.map((placed) => ({
    target: placed.item.handle,
    outcome: pruneItem(session, placed, { asker: 'user', summary: null }),
  }))
}

function isKept(item: Item, { engine, settings }: AgentSession): boolean {
  const operation = engine.operationOf(item)
  return operation !== undefined && isProtectedFromAgent(operation, settings)
}
