import type { Budget } from './budget.ts'
import type { InventoryEntry } from './inventory.ts'
import type { PressureLevel } from './pressure.ts'

/** The advice for the model at this pressure. */
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
      return [moderateAdvice(inventory, thinking)]
    case 'high':
      return [
        'Is there critical information to preserve?',
        '- Yes: anchor it in the todos first, then discard.',
        '- No: aggressive prune of all that is disposable, in one call.',
      ]
    case 'critical':
      return [
        'Can you complete the current task without the history?',
        '- Yes: nuclear prune (discard everything in the inventory) + focus mode (only the task).',
        '- No: surgical prune (discard selectively) + anchor critical items in the todos.',
      ]
  }
}

function moderateAdvice(inventory: readonly InventoryEntry[], thinking: number): string {
  const sums = { tool: 0, message: 0, reasoning: 0 }
  for (const { kind, gain } of inventory) sums[kind] += gain
  const isThinking = Math.max(sums.reasoning, thinking) > Math.max(sums.tool, sums.message)
  if (isThinking && sums.reasoning > 0) {
    const handle = firstOf(inventory, 'reasoning')
    return `Thinking dominates: context_prune({ action: "distill", targets: [["${handle}", "conclusion"]] })`
  }
  const kind = sums.message > sums.tool ? 'message' : 'tool'
  const what = kind === 'message' ? 'Old messages dominate' : 'Old tool outputs dominate'
  return `${what}: context_prune({ action: "discard", targets: [["${firstOf(inventory, kind)}"]] })`
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
