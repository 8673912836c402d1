import type { MemoryItem } from '../item.ts'
import type { Change } from '../observe.ts'
import type { MemoryState } from '../state/memory-state.ts'

/** The short form of an id that commands accept: its first characters after the kind. */
export function shortId(id: string): string {
  return id.slice(id.indexOf('_') + 1).slice(0, 8)
}

/** `package manager pnpm`, or the text of an item without a key. */
export function briefly({ attribute, value, text }: MemoryItem): string {
  if (attribute === undefined || value === undefined) return text
  return `${attribute.replaceAll('_', ' ')} ${value}`
}

/** One line per change, for terminals and logs. */
export function changeLines(state: MemoryState, changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ op, id, supersedes }) => {
    const item = state.items.get(id)?.item
    if (item === undefined) return []
    const old = supersedes === undefined ? undefined : state.items.get(supersedes)?.item
    switch (op) {
      case 'add':
        return changes.some((other) => other.op === 'flag' && other.id === id)
          ? []
          : [`remembered: ${briefly(item)} · undo ${shortId(id)}`]
      case 'supersede':
        return [`remembered: ${briefly(item)}${was(old)} · undo ${shortId(id)}`]
      case 'retract':
        return [`no longer holds: ${briefly(item)} · undo ${shortId(id)}`]
      case 'flag':
        return [`may have changed: ${briefly(item)}${was(old)} · settle it with memory review`]
    }
    return []
  })
}

function was(old: MemoryItem | undefined): string {
  return old === undefined ? '' : ` (was ${old.value ?? old.text})`
}
