import { judge } from '../core/guard/guard.ts'
import { compareImportance, type Importance, importanceOf } from '../core/guard/importance.ts'
import { cutEnd, oneLine } from '../core/render/cut.ts'
import { describeOperation } from '../core/render/index.ts'
import type { Item } from '../core/words/item.ts'
import {
  type AgentSession,
  importanceView,
  isActive,
  isLive,
  placedItems,
  shownTokens,
} from './session.ts'

/** An item that the agent could discard now. */
export interface InventoryEntry {
  readonly handle: string
  readonly kind: 'tool' | 'message' | 'reasoning'
  /** A one-line description. */
  readonly what: string
  readonly turn: number
  /** Estimated tokens that the next request would save. */
  readonly gain: number
  readonly retention: Importance
}

/** The approximate size of a placeholder. */
const placeholderTokens = 25
/** Smaller gains are not worth a tool call. */
const leastGain = 50
const nameLimit = 50

/** All items that the agent may discard, the largest gain first. Protected and replaced items are left out. */
export function inventoryOf(session: AgentSession): readonly InventoryEntry[] {
  const view = importanceView(session)
  const entries: InventoryEntry[] = []
  for (const { item } of placedItems(session)) {
    const kind = kindOf(item)
    if (kind === null || isActive(item, session) || !mayDiscard(item, session)) continue
    const gain = shownTokens(item, session) - (kind === 'reasoning' ? 1 : placeholderTokens)
    if (gain < leastGain) continue
    const retention = importanceOf(item, view)
    if (retention === 'critical') continue
    const { handle, turn } = item
    entries.push({ handle, kind, what: whatOf(item, session), turn, gain, retention })
  }
  return entries.sort(
    (one, other) =>
      other.gain - one.gain ||
      compareImportance(one.retention, other.retention) ||
      one.turn - other.turn,
  )
}

function kindOf(item: Item): InventoryEntry['kind'] | null {
  switch (item.kind) {
    case 'result':
      return 'tool'
    case 'text':
      return item.role === 'assistant' ? 'message' : null
    case 'reasoning':
      return 'reasoning'
    default:
      return null
  }
}

/** Whether the guard allows the agent to discard the item now. */
function mayDiscard(item: Item, session: AgentSession): boolean {
  const { engine, settings, protection, turn } = session
  const standing = engine.ledger.of(item.index)
  if (standing !== undefined && standing.rendition.how !== 'truncated') return false
  const isSigned = item.kind === 'reasoning' && item.binding !== 'plain'
  const rendition = { how: 'discarded', text: isSigned ? null : '—' } as const
  const proposal = {
    kind: 'show',
    item,
    rendition,
    reason: 'agent',
    strategy: 'context_prune',
    by: null,
  } as const
  const operation = engine.operationOf(item)
  const guarded = {
    proposal,
    operation,
    decisions: engine.ledger,
    turn,
    mayDrop: settings.schedule === 'eager',
    isLive: isSigned && isLive(item, session),
    settings,
    protection,
  }
  return judge(guarded).kind === 'allow'
}

function whatOf(item: Item, { engine }: AgentSession): string {
  const operation = engine.operationOf(item)
  if (operation !== undefined) return describeOperation(operation)
  const words = cutEnd(oneLine(item.text), nameLimit)
  return item.kind === 'reasoning' ? `reasoning "${words}"` : `message "${words}"`
}
