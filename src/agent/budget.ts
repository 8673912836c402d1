import { isRecent } from '../core/guard/protection-window.ts'
import type { Item } from '../core/words/item.ts'
import { type AgentSession, placedItems, shownTokens } from './session.ts'

export const budgetCategories = [
  'system',
  'todos',
  'files',
  'recent',
  'working',
  'historical',
] as const

/** The documented allocation of a context of 128,000 tokens, in thousands. */
const allocation: Readonly<Record<BudgetCategory, number>> = {
  system: 5,
  todos: 2,
  files: 10,
  recent: 15,
  working: 20,
  historical: 76,
}
const allocatedTokens = 128_000

/** How many tokens a category should take of a context; of 128,000 when the limit is unknown. */
export function allocatedTo(category: BudgetCategory, limitTokens: number | null): number {
  return Math.round(
    (allocation[category] * 1000 * (limitTokens ?? allocatedTokens)) / allocatedTokens,
  )
}

export type BudgetCategory = (typeof budgetCategories)[number]

/** Estimated tokens by category. Reasoning tokens are included in the categories. */
export interface Budget {
  readonly tokens: Readonly<Record<BudgetCategory, number>>
  readonly thinking: number
}

const recentResults = 10
/** How many turns a file counts as current after the agent last used it. */
const currentFileTurns = 5

/**
 * The context by category. Historical is everything outside the task list, the current files, the last ten results and
 * the protected turns.
 */
export function budgetOf(session: AgentSession): Budget {
  const tokens = {
    system: session.prefixTokens,
    todos: 0,
    files: 0,
    recent: 0,
    working: 0,
    historical: 0,
  }
  let thinking = 0
  const recent = recentCalls(session)
  for (const { item } of placedItems(session)) {
    const size = shownTokens(item, session)
    if (size === 0) continue
    tokens[categoryOf(item, session, recent)] += size
    if (item.kind === 'reasoning') thinking += size
  }
  return {
    tokens: corrected(tokens, session.factor),
    thinking: Math.round(thinking * session.factor),
  }
}

function corrected(
  tokens: Readonly<Record<BudgetCategory, number>>,
  factor: number,
): Readonly<Record<BudgetCategory, number>> {
  const entries = budgetCategories.map((each) => [each, Math.round(tokens[each] * factor)] as const)
  return Object.fromEntries(entries) as Record<BudgetCategory, number>
}

/** The ids of the calls whose results are among the last ten. */
export function recentCalls({ history }: Pick<AgentSession, 'history'>): ReadonlySet<string> {
  const calls = new Set<string>()
  for (let message = history.length - 1; message >= 0; message--) {
    for (const item of history[message]?.items.toReversed() ?? []) {
      if (item.kind === 'result') calls.add(item.call)
      if (calls.size >= recentResults) return calls
    }
  }
  return calls
}

export function categoryOf(
  item: Item,
  session: AgentSession,
  recent: ReadonlySet<string>,
): Exclude<BudgetCategory, 'system'> {
  const { engine, settings, turn } = session
  if (engine.tasks.holds(item.index)) return 'todos'
  if (isCurrentFile(item, session)) return 'files'
  if ('call' in item && item.call !== undefined && recent.has(item.call)) return 'recent'
  return isRecent(item.turn, turn, settings) ? 'working' : 'historical'
}

/** True if the file was used recently and the item has not been superseded. */
function isCurrentFile(item: Item, { engine, turn }: AgentSession): boolean {
  if (item.kind !== 'call' && item.kind !== 'result') return false
  const how = engine.ledger.of(item.index)?.rendition.how
  if (how !== undefined && how !== 'view' && how !== 'truncated') return false
  const operation = engine.operationOf(item)
  if (operation === undefined) return false
  const { kind } = operation.action
  if (kind !== 'read' && kind !== 'write' && kind !== 'edit' && kind !== 'patch') return false
  return operation.effects.named.some((path) => {
    const last = engine.files.history(path).at(-1)
    return last !== undefined && turn - last.turn <= currentFileTurns
  })
}
