import type { Item } from '../core/words/item.ts'
import type { Operation } from '../core/words/operation.ts'
import { type ContextKind, contextKinds } from './types.ts'

/** The dashboard's kind of an item. */
export function contextKindOf(item: Item, operations: ReadonlyMap<number, Operation>): ContextKind {
  switch (item.kind) {
    case 'text':
      if (item.role === 'system' || item.role === 'developer') return 'system'
      return item.role === 'assistant' ? 'prose' : 'user'
    case 'reasoning':
      return 'reasoning'
    case 'attachment':
      return item.call === undefined ? 'user' : 'other'
    case 'marker':
      return item.marker === 'additional_tools' ? 'tools' : 'other'
    case 'call':
    case 'result':
      return kindOfAction(operations.get(item.index)?.action.kind)
  }
}

function kindOfAction(kind: Operation['action']['kind'] | undefined): ContextKind {
  switch (kind) {
    case 'read':
      return 'reads'
    case 'shell':
      return 'shell'
    case 'write':
    case 'edit':
    case 'patch':
      return 'edits'
    default:
      return 'other'
  }
}

/** Sums by kind, in the order of `contextKinds`. */
export function createKindSums(): {
  add(kind: ContextKind, tokens: number): void
  list(): readonly number[]
} {
  const sums = new Map<ContextKind, number>()
  return {
    add: (kind, tokens) => void sums.set(kind, (sums.get(kind) ?? 0) + tokens),
    list: () => contextKinds.map((kind) => Math.max(0, Math.round(sums.get(kind) ?? 0))),
  }
}
