import type { Role } from '../../core/words/item.ts'
import { noCalls } from '../body/call-index.ts'
import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import { sameProse } from '../same-prose.ts'
import type { ChangeRules } from './change-rules.ts'
import type { Entry, ListDialect, Placed } from './dialect.ts'
import { breach } from './object-rule.ts'

/**
 * What the change from `before` to `after` may not have done. `after` may go on after the end of `before`. What cannot
 * be read has nothing to compare.
 */
export function compareLists(
  dialect: ListDialect,
  rules: ChangeRules,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly Violation[] {
  const found: Violation[] = []
  for (let index = 0; index < lengthOf(before); index++) {
    const [one, other] = [elementAt(before, index), elementAt(after, index)]
    if (one === other && one !== undefined) continue
    const old = open(dialect, one)
    if (old === null) return found
    const where = `messages.${index}`
    const changed = open(dialect, other)
    if (changed === null || changed.entry.message.role !== old.entry.message.role) {
      found.push(breach(rules.messagesMoved, where))
      return found
    }
    if (sameJson(old.picked, changed.picked)) continue
    compareMessages(dialect, rules, where, old.entry, changed.entry, found)
  }
  return found
}

function lengthOf(list: readonly unknown[]): number {
  try {
    return Array.isArray(list) ? list.length : 0
  } catch {
    return 0
  }
}

function elementAt(list: readonly unknown[], index: number): unknown {
  try {
    return Array.isArray(list) ? list[index] : undefined
  } catch {
    return undefined
  }
}

interface OpenedMessage {
  readonly picked: unknown
  readonly entry: Entry
}

/** A message by itself: ids are compared as they stand, so that what came before it is not needed. */
function open(dialect: ListDialect, message: unknown): OpenedMessage | null {
  try {
    const picked = dialect.pick(message)
    const entry = dialect.interpret(picked, noCalls)
    return entry.kind === 'entry' ? { picked, entry } : null
  } catch {
    return null
  }
}

function compareMessages(
  dialect: ListDialect,
  rules: ChangeRules,
  where: string,
  old: Entry,
  changed: Entry,
  found: Violation[],
): void {
  if (old.message.id !== changed.message.id) found.push(breach(rules.idsChanged, where))
  const [items, now] = [old.placed, changed.placed]
  let next = 0
  let gone = items.filter(isReasoning).length - now.filter(isReasoning).length
  for (const one of items) {
    const other = now[next]
    if (other !== undefined && corresponds(one, other, { mayBeGone: gone > 0 })) {
      const place = other.place.part === null ? '' : `.${other.place.part}`
      const at = `${where}.${dialect.parts}${place}`
      found.push(...compareItems(rules, at, old.message.role, one, other))
      next++
    } else if (mayGo(one)) {
      if (isReasoning(one)) gone--
    } else {
      found.push(breach(rules.partsMoved, where))
      return
    }
  }
  if (next < now.length) found.push(breach(rules.partsMoved, where))
}

const isReasoning = ({ item }: Placed): boolean => item.kind === 'reasoning'

/** Attachments of a result may become a part of its text. */
function mayGo({ item, place }: Placed): boolean {
  if (item.kind === 'attachment') return item.call !== undefined
  return (item.kind === 'reasoning' || item.kind === 'marker') && place.remove === null
}

function corresponds(
  one: Placed,
  other: Placed,
  { mayBeGone }: { readonly mayBeGone: boolean },
): boolean {
  if (one.item.kind === 'attachment' && other.item.kind === 'text') {
    return one.item.call === undefined
  }
  if (one.item.kind !== other.item.kind) return false
  if (one.item.kind === 'marker' && other.item.kind === 'marker') {
    return one.item.marker === other.item.marker
  }
  // Of several reasoning blocks, what they say tells which one is left.
  if (isReasoning(one) && mayBeGone) return isSame(one, other)
  return true
}

function isSame(one: Placed, other: Placed): boolean {
  return sameJson(one.item, other.item) && sameJson(one.place.identity, other.place.identity)
}

function compareItems(
  rules: ChangeRules,
  where: string,
  role: Role,
  one: Placed,
  other: Placed,
): readonly Violation[] {
  if (isSame(one, other)) return []
  const { item } = one
  if (item.kind === 'reasoning' && item.binding !== 'plain') {
    return [breach(rules.signedReasoningAltered, where)]
  }
  if (item.opaque === true) return [breach(rules.opaqueChanged, where)]
  if (!keepsIds(one, other)) return [breach(rules.idsChanged, where)]
  const isProse = item.kind === 'text' && role !== 'assistant' && role !== 'tool'
  if (isProse && !sameProse(item.text, other.item.text))
    return [breach(rules.userTextChanged, where)]
  return []
}

function keepsIds(one: Placed, other: Placed): boolean {
  if (!sameJson(one.place.identity, other.place.identity)) return false
  const [a, b] = [one.item, other.item]
  if (a.kind === 'call' && b.kind === 'call') return a.call === b.call && a.tool === b.tool
  if (a.kind === 'result' && b.kind === 'result') {
    return a.call === b.call && a.tool === b.tool && a.status === b.status
  }
  return true
}
