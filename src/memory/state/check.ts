import { itemKey } from '../item.ts'
import { isRetracted, standing, statusAt } from './as-of.ts'
import { reaches } from './link-items.ts'
import type { MemoryState } from './memory-state.ts'
import { isTrusted } from './place-in-chain.ts'

export interface Violation {
  readonly rule:
    | 'dangling'
    | 'self'
    | 'cycle'
    | 'cross-kind'
    | 'one-sided'
    | 'two-current'
    | 'backwards'
  readonly items: readonly string[]
  readonly message: string
}

/** Checks every invariant of the memory. Repairs nothing. */
export function checkState(state: MemoryState, now: number): readonly Violation[] {
  const found: Violation[] = []
  const report = (rule: Violation['rule'], items: readonly string[], message: string): void => {
    found.push({ rule, items, message })
  }
  const currentByKey = new Map<string, string>()
  for (const [id, entry] of state.items) {
    for (const link of standing(entry.replacedBy)) {
      const pair = [link.old, link.new]
      const newer = state.items.get(link.new)
      if (link.new === id) report('self', [id], `${id} supersedes itself`)
      else if (!newer) {
        if (!state.tombstones.has(link.new))
          report('dangling', pair, `${id} is superseded by ${link.new}, which does not exist`)
        continue
      } else if (newer.item.kind !== entry.item.kind)
        report('cross-kind', pair, `${id} and ${link.new} are of different kinds`)
      else if (!newer.replaces.includes(link))
        report('one-sided', pair, `${link.new} does not know that it supersedes ${id}`)
      else if (reaches(state, link.new, id))
        report('cycle', pair, `${id} and ${link.new} form a cycle`)
      if (link.validAt < entry.item.validFrom)
        report('backwards', pair, `${id} ended before it was true`)
    }
    for (const link of standing(entry.replaces))
      if (!state.items.has(link.old) && !state.tombstones.has(link.old))
        report('dangling', [link.old, id], `${id} supersedes ${link.old}, which does not exist`)
    const key = itemKey(entry.item)
    if (key === undefined || isRetracted(entry) || state.cardinality(entry.item) === 'many')
      continue
    if (statusAt(entry, now) !== 'current') continue
    // An assistant's item may exist beside a user's item, which it cannot replace.
    const holder = `${key}\u001f${isTrusted(entry.item)}`
    const other = currentByKey.get(holder)
    if (other !== undefined)
      report('two-current', [other, id], `${other} and ${id} are both current under one key`)
    currentByKey.set(holder, id)
  }
  return found
}
