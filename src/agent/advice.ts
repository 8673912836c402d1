import type { Budget } from './budget.ts'
import type { InventoryEntry } from './inventory.ts'
import type { PressureLevel } from './pressure.ts'

/** The advice for the model at this pressure, in the words of the documented decision tree. */
export function adviceFor(
  level: PressureLevel,
  inventory: readonly InventoryEntry[],
  { thinking }: Pick<Budget, 'thinking'>,
): readonly string[] {
  if (inventory.length === 0 && level !== 'light') {
    return ['Nothing can be discarded now. Go on with the task.']
  }
  switch (level) {
    case 'light':
      return ['No pruning needed.']
    case 'moderate':
      return ['What type of content dominates?', `- ${moderateAdvice(inventory, thinking)}`]
    case 'high':
      return [
        'Is there critical information to preserve?',
        '- YES → Anchor in todos first, then discard',
        '- NO → Aggressive prune all disposable (in one call)',
      ]
    case 'critical':
      return [
        'Can you complete current task without history?',
        '- YES → Nuclear prune + focus mode (discard everything listed, and go on with the task alone)',
        '- NO → Surgical prune + anchor critical items (discard selectively, and note those in the todos)',
      ]
  }
}

function moderateAdvice(inventory: readonly InventoryEntry[], thinking: number): string {
  const sums = { tool: 0, message: 0, reasoning: 0 }
  for (const { kind, gain } of inventory) sums[kind] += gain
  const isThinking = Math.max(sums.reasoning, thinking) > Math.max(sums.tool, sums.message)
  if (isThinking && sums.reasoning > 0) {
    const handle = firstOf(inventory, 'reasoning')
    return `Large thinking → context_prune({ action: "distill", targets: [["${handle}", "summary"]] })`
  }
  const kind = sums.message > sums.tool ? 'message' : 'tool'
  const what = kind === 'message' ? 'Old messages' : 'Old tool outputs'
  return `${what} → context_prune({ action: "discard", targets: [["${firstOf(inventory, kind)}"]] })`
}

function firstOf(inventory: readonly InventoryEntry[], kind: InventoryEntry['kind']): string {
  return inventory.find((entry) => entry.kind === kind)?.handle ?? inventory[0]?.handle ?? ''
}

/** A guide for the model: what to do with content by kind and age. */
export const contentGuide: readonly string[] = [
  'file just read: keep · file read 5+ turns ago: discard (it can be read again)',
  'analysis: distill to its conclusion · current error: keep · error 3+ turns ago: discard',
  'current task list: keep · old task lists: go by themselves',
]
