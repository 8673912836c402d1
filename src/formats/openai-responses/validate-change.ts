import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import { violationOf } from '../rule.ts'
import { keepsTexts } from '../same-prose.ts'
import * as rules from './rules.ts'
import { type PlacedItem, type ResponsesRequest, storedBy } from './validate-view.ts'

const REWRITABLE: ReadonlySet<string> = new Set(['message', 'function_call', 'custom_tool_call'])

const EXCERPT_LENGTH = 12

/** Reports changes to stored items, encrypted content, opaque items, order, ids or user text. */
export function* compare(old: ResponsesRequest, changed: ResponsesRequest): Generator<Violation> {
  const stored = storedBy(old.body)
  if (stored !== null) {
    const isSame = ['input', stored].every((key) => sameJson(old.body[key], changed.body[key]))
    if (!isSame) yield violationOf(rules.storedInputChanged, 'input', { stored })
    return
  }
  const { items } = changed
  const { pairs, removed, moved } = alignItems(old.items, items)
  if (moved !== null) yield checkMoved(moved)
  for (const pair of pairs) yield* checkItem(pair)
  for (const { reasoning, next } of removed) {
    const follower = next === null ? null : items[next]
    if (reasoning.id !== null && follower?.id !== undefined && follower.id !== null) {
      const values = { id: follower.id, type: follower.type, reasoning: reasoning.id }
      yield violationOf(rules.requiredReasoningMissing, follower.where, values)
    }
  }
}

/** Items that must not change: all but messages, client calls and their outputs. */
function isOpaque({ type, item }: PlacedItem): boolean {
  return !REWRITABLE.has(type) && !(type.endsWith('_output') && item.output !== undefined)
}

function checkMoved(item: PlacedItem): Violation {
  return isOpaque(item)
    ? violationOf(rules.opaqueItemChanged, item.where, { type: item.type })
    : violationOf(rules.itemsMoved, item.where)
}

function checkItem({ before, after }: ItemPair): readonly Violation[] {
  const { where, type } = after
  if (typeof before.item.encrypted_content === 'string') {
    if (sameJson(before.item, after.item)) return []
    const start = excerptOf(after.item.encrypted_content)
    return [violationOf(rules.encryptedContentAltered, where, { start })]
  }
  if (type === 'reasoning') {
    return before.id === after.id ? [] : [violationOf(rules.idsChanged, where)]
  }
  if (isOpaque(before)) {
    if (sameJson(before.item, after.item)) return []
    return [violationOf(rules.opaqueItemChanged, where, { type })]
  }
  if (['id', 'call_id', 'name', 'namespace'].some((key) => before.item[key] !== after.item[key])) {
    return [violationOf(rules.idsChanged, where)]
  }
  const isProse = type === 'message' && before.role !== 'assistant'
  if (isProse && !keepsTexts(before.item.content, after.item.content)) {
    return [violationOf(rules.userTextChanged, `${where}.content`)]
  }
  return []
}

function excerptOf(text: unknown): string {
  return typeof text === 'string' ? `${text.slice(0, EXCERPT_LENGTH)}...` : String(text)
}

interface ItemPair {
  readonly before: PlacedItem
  readonly after: PlacedItem
}

interface RemovedReasoning {
  readonly reasoning: PlacedItem
  /** Index in the new list of the item that followed it, or null. */
  readonly next: number | null
}

interface Alignment {
  readonly pairs: readonly ItemPair[]
  readonly removed: readonly RemovedReasoning[]
  /** The first old item without a counterpart, where the comparison stops. */
  readonly moved: PlacedItem | null
}

/** Pairs old items with new ones, in order. Only reasoning may be missing. */
function alignItems(before: readonly PlacedItem[], after: readonly PlacedItem[]): Alignment {
  const known = new Set(before.filter(({ type }) => type === 'reasoning').map(reasoningKey))
  const pairs: ItemPair[] = []
  const removed: RemovedReasoning[] = []
  let next = 0
  for (const item of before) {
    const counterpart = after[next]
    if (counterpart !== undefined && matches(item, counterpart, known)) {
      pairs.push({ before: item, after: counterpart })
      next++
    } else if (item.type === 'reasoning') {
      removed.push({ reasoning: item, next: counterpart === undefined ? null : next })
    } else {
      return { pairs, removed, moved: item }
    }
  }
  return { pairs, removed, moved: null }
}

/** Identifies a reasoning item among several in a row. */
function reasoningKey({ id, item }: PlacedItem): unknown {
  return id ?? item.encrypted_content
}

function matches(before: PlacedItem, after: PlacedItem, known: ReadonlySet<unknown>): boolean {
  if (before.type !== after.type || before.role !== after.role) return false
  if (before.type !== 'reasoning') return true
  const key = reasoningKey(after)
  // Reasoning that is not in the old list was altered in its place.
  return reasoningKey(before) === key || !known.has(key)
}
