import { estimateTokens } from '../../core/record/tokens.ts'
import type { MemoryItem, MemoryKind } from '../item.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { currentStatements, explicitlyDenied } from '../statements/current-statements.ts'
import { relevantStatements } from '../statements/relevant.ts'
import { readStatements } from '../statements/statement.ts'
import { isHeardAt } from '../visible.ts'
import { describeItem } from './changes.ts'
import { currentItems, itemRelevance } from './choose-items.ts'
import { sectionHeadings, sectionsText } from './sections.ts'

export interface ContextOptions {
  /** The task. Without it no messages are quoted. */
  readonly query?: string
  /** The text is never longer than this. */
  readonly budgetTokens?: number
}

const defaultBudgetTokens = 2_000
/** Categories whose facts are often temporary. */
const temporaryCategories: ReadonlySet<string> = new Set(['project', 'personal', 'general'])
/** How many of the newest messages and sentences are searched. */
const recentMessages = 200
const recentStatements = 600

interface Line {
  readonly section: MemoryKind | 'said'
  readonly text: string
  readonly order: number
  readonly score: number
}

/**
 * The memory as text for a model: current items, and with a query also the user's statements that still hold. Chosen by
 * relevance within the budget, and written in recorded order, so that additions come last.
 */
export function memoryContext(memory: Memory, place: Place, options: ContextOptions = {}): string {
  const { query, budgetTokens = defaultBudgetTokens } = options
  const { state } = memory
  const now = memory.now()
  const heard = [...state.heard.values()]
    .filter((message) => isHeardAt(message, place))
    .slice(-recentMessages)
  const statements = query === undefined ? [] : readStatements(heard).slice(-recentStatements)
  const denied = explicitlyDenied(statements)
  const standing = currentStatements(statements)
  const held = new Set(standing.map(({ text }) => text))
  const said = new Set(statements.map(({ text }) => text))
  // A temporary fact (a deadline, a budget) is left out when its sentence was corrected later.
  const wasCorrected = ({ category, source: { quote = '' } }: MemoryItem): boolean =>
    temporaryCategories.has(category ?? '') && said.has(quote) && !held.has(quote)
  const lines: Line[] = currentItems(state, place, now)
    .filter(({ item }) => item.attribute !== undefined || !denied(item.text))
    .filter(({ item }) => !wasCorrected(item))
    .map((entry, order) => itemLine(state, entry, order, itemRelevance(entry, query, now)))
  const known = new Set(lines.map(({ text }) => text))
  if (query !== undefined) {
    // The source sentences of items are not repeated.
    const quoted = new Set([...state.items.values()].map(({ item }) => item.source.quote))
    for (const { statement, score } of relevantStatements(standing, query)) {
      const text = `- ${statement.text}`
      if (known.has(text) || quoted.has(statement.text)) continue
      known.add(text)
      lines.push({ section: 'said', text, order: statements.indexOf(statement), score: score / 2 })
    }
  }
  return sectionsText(chosenLines(lines, budgetTokens).toSorted((a, b) => a.order - b.order))
}

/** The most relevant items within the budget, for the beginning of a conversation. */
export function chosenItems(
  memory: Memory,
  place: Place,
  { query, budgetTokens = defaultBudgetTokens }: ContextOptions = {},
): readonly ItemState[] {
  const now = memory.now()
  const entries = currentItems(memory.state, place, now)
  const lines = entries.map((entry, order) =>
    itemLine(memory.state, entry, order, itemRelevance(entry, query, now)),
  )
  const chosen = new Set(chosenLines(lines, budgetTokens).map(({ order }) => order))
  return entries.filter((_, order) => chosen.has(order))
}

function chosenLines(lines: readonly Line[], budgetTokens: number): readonly Line[] {
  const ranked = lines.toSorted((a, b) => b.score - a.score || a.order - b.order)
  // The estimate of the joined text is never higher than the sum of its lines.
  const cost = (text: string): number => estimateTokens(`${text}\n`)
  const chosen: Line[] = []
  const opened = new Set<string>()
  let left = budgetTokens
  for (const line of ranked) {
    const heading = opened.has(line.section) ? 0 : cost(`${sectionHeadings[line.section]}\n`)
    const price = cost(line.text) + heading
    if (price > left) continue
    left -= price
    opened.add(line.section)
    chosen.push(line)
  }
  return chosen
}

function itemLine(state: MemoryState, { item }: ItemState, order: number, score: number): Line {
  return { section: item.kind, text: `- ${describeItem(item, state)}`, order, score: score + 0.5 }
}
