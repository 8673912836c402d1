import type { JsonObject } from '../../core/words/json.ts'
import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody, sameJson } from '../json-value.ts'
import { addAll, violationOf } from '../rule.ts'
import { keepsTexts } from '../same-prose.ts'
import * as rules from './rules.ts'
import { alignItems, type ItemPair } from './validate-change-align.ts'
import { type PlacedItem, storedBy, viewItems } from './validate-view.ts'

const REWRITABLE: ReadonlySet<string> = new Set(['message', 'function_call', 'custom_tool_call'])

const EXCERPT_LENGTH = 12

/**
 * What the change from `before` to `after` may not have done: pruned what the provider stores, altered encrypted
 * content, separated reasoning from its item, touched opaque items, order, ids or what the user wrote. `after` may go
 * on after the end of `before`. A body that cannot be read has nothing to compare.
 */
export function validateChange(
  before: Body,
  after: Body,
  _options: ValidateOptions = {},
): readonly Violation[] {
  const [old, changed] = [bodyOf(before), bodyOf(after)]
  if (old === null || changed === null) return []
  const stored = storedBy(old)
  if (stored !== null) {
    return sameJson(old.input, changed.input) && sameJson(old[stored], changed[stored])
      ? []
      : [violationOf(rules.storedInputChanged, 'input', { stored })]
  }
  const items = viewItems(changed.input)
  const { pairs, removed, moved } = alignItems(viewItems(old.input), items)
  const found: Violation[] = []
  if (moved !== null) found.push(checkMoved(moved))
  for (const pair of pairs) addAll(found, checkItem(pair))
  for (const { reasoning, next } of removed) {
    const follower = next === null ? null : items[next]
    if (reasoning.id !== null && follower?.id !== undefined && follower.id !== null) {
      const values = { id: follower.id, type: follower.type, reasoning: reasoning.id }
      found.push(violationOf(rules.requiredReasoningMissing, follower.where, values))
    }
  }
  return found
}

function bodyOf(source: Body): JsonObject | null {
  const parsed = parseBody(source)
  return parsed.kind === 'object' ? parsed.body : null
}

/** Items that only the provider understands: all but messages, calls and what clients answer to calls. */
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
