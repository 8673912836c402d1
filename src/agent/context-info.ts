import { shortTokens } from '../report/short-tokens.ts'
import { adviceFor, contentGuide } from './advice.ts'
import {
  allocatedTo,
  type Budget,
  type BudgetCategory,
  budgetCategories,
  budgetOf,
} from './budget.ts'
import { type InventoryEntry, inventoryOf } from './inventory.ts'
import { type Pressure, pressureOf } from './pressure.ts'
import type { AgentSession } from './session.ts'

/** The data of `context_info`, before it is formatted. */
export interface ContextInfo {
  readonly pressure: Pressure
  readonly budget: Budget
  readonly inventory: readonly InventoryEntry[]
}

const labels: Readonly<Record<BudgetCategory, string>> = {
  system: 'System Instructions',
  todos: 'Active Todos',
  files: 'Current File Context',
  recent: 'Recent Tool Results',
  working: 'Working Memory',
  historical: 'Historical Context',
}

const mostEntries = 30

export function contextInfo(session: AgentSession): ContextInfo {
  return {
    pressure: pressureOf(session),
    budget: budgetOf(session),
    inventory: inventoryOf(session),
  }
}

/** The output of `context_info` for the model. */
export function contextInfoText(info: ContextInfo): string {
  const { pressure, budget, inventory } = info
  return [
    ...fullnessLines(info),
    ...inventoryLines(inventory),
    '',
    'Guide:',
    ...contentGuide.map((line) => `- ${line}`),
    '',
    'Advice:',
    ...adviceFor(pressure.level, inventory, budget),
  ].join('\n')
}

/** How full the context is, and with what; ends with an empty line. */
export function fullnessLines({ pressure, budget }: ContextInfo): readonly string[] {
  const lines = budgetLines(budget, pressure.limitTokens)
  return [pressureLine(pressure), '', 'Budget:', ...lines, '']
}

/** `Context: 96K of 200K tokens (48%), pressure light` */
export function pressureLine({ usedTokens, limitTokens, share, level }: Pressure): string {
  if (limitTokens === null || share === null) {
    return `Context: ~${shortTokens(usedTokens)} tokens; the limit of the model is not known`
  }
  const percent = Math.round(share * 100)
  return `Context: ~${shortTokens(usedTokens)} of ${shortTokens(limitTokens)} tokens (${percent}%), pressure ${level}`
}

/** Tokens by category, with the share of the limit, or of the total if it is unknown, and what is allocated to it. */
export function budgetLines({ tokens }: Budget, limitTokens: number | null): readonly string[] {
  const sum = budgetCategories.reduce((total, each) => total + tokens[each], 0)
  const whole = limitTokens ?? sum
  return budgetCategories.map((category) => {
    const percent = whole === 0 ? 0 : Math.round((tokens[category] / whole) * 100)
    const used = `${shortTokens(tokens[category]).padStart(6)} ${`${percent}%`.padStart(4)}`
    const allocated = shortTokens(allocatedTo(category, limitTokens))
    return `  ${labels[category].padEnd(21)} ${used}  allocated ${allocated}`
  })
}

export function inventoryLines(inventory: readonly InventoryEntry[]): readonly string[] {
  if (inventory.length === 0) return ['Nothing that could be discarded now.']
  const shown = inventory.slice(0, mostEntries)
  const rest = inventory.slice(mostEntries)
  const gain = rest.reduce((sum, entry) => sum + entry.gain, 0)
  return [
    'Can be discarded or distilled, by what would be gained:',
    ...shown.map(
      (entry) =>
        `  ${entry.handle}  ~${shortTokens(entry.gain).padEnd(5)} ${entry.what} (turn ${entry.turn}, ${entry.retention})`,
    ),
    ...(rest.length === 0 ? [] : [`  and ${rest.length} more, ~${shortTokens(gain)} together`]),
  ]
}
