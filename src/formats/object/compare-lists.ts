import type { Role } from '../../core/words/item.ts'
import { noCalls } from '../body/call-index.ts'
import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import { violationOf } from '../rule.ts'
import { sameProse } from '../same-prose.ts'
import type { ChangeRules } from './change-rules.ts'
import type { Entry, ListDialect, Placed } from './dialect.ts'

/**
 * Reports changes from `before` to `after` that are not allowed. `after` may have more messages at the end. Messages that
 * cannot be read are not compared.
 */
export function* compareLists(
  dialect: ListDialect,
  rules: ChangeRules,
  before: readonly unknown[],
  after: readonly unknown[],
): Generator<Violation> {
  for (let index = 0; index < lengthOf(before); index++) {
    const [one, other] = [elementAt(before, index), elementAt(after, index)]
    if (one === other && one !== undefined) continue
    const old = open(dialect, one)
    if (old === null) return
    const where = `messages.${index}`
    const changed = open(dialect, other)
    if (changed === null || changed.entry.message.role !== old.entry.message.role) {
      yield violationOf(rules.messagesMoved, where)
      return
    }
    if (sameJson(old.picked, changed.picked)) continue
    yield* compareMessages(dialect, rules, where, old.entry, changed.entry)
  }
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

/** Reads a message without the calls before it, because ids are compared as recorded. */
function open(dialect: ListDialect, message: unknown): OpenedMessage | null {
  try {
    const picked = dialect.pick(message)
    const entry = dialect.interpret(picked, noCalls)
    return entry.kind === 'entry' ? { picked, entry } : null
  } catch {
    return null
  }
}

function* compareMessages(
  dialect: ListDialect,
  rules: ChangeRules,
  where: string,
  old: Entry,
  changed: Entry,
): Generator<Violation> {
  if (old.message.id !== changed.message.id) yield violationOf(rules.idsChanged, where)
  const [items, now] = [old.placed, changed.placed]
  let next = 0
  let gone = items.filter(isReasoning).length - now.filter(isReasoning).length
  for (const one of items) {
    const other = now[next]
    if (other !== undefined && corresponds(one, other, { mayBeGone: gone > 0 })) {
      const place = other.place.part === null ? '' : `.${other.place.part}`
      const at = `${where}.${dialect.parts}${place}`
      yield* compareItems(rules, at, old.message.role, one, other)
      next++
    } else if (mayGo(one)) {
      if (isReasoning(one)) gone--
    } else {
      yield violationOf(rules.partsMoved, where)
      return
    }
  }
  if (next < now.length) yield violationOf(rules.partsMoved, where)
}

const isReasoning = ({ item }: Placed): boolean => item.kind === 'reasoning'

/** Reasoning may be removed, and attachments of a result may become part of its text. */
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
  // Several reasoning blocks are matched by their content.
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
    return [violationOf(rules.signedReasoningAltered, where)]
  }
  if (item.opaque === true) return [violationOf(rules.opaqueChanged, where)]
  if (!keepsIds(one, other)) return [violationOf(rules.idsChanged, where)]
  const isProse = item.kind === 'text' && role !== 'assistant' && role !== 'tool'
  if (isProse && !sameProse(item.text, other.item.text))
    return [violationOf(rules.userTextChanged, where)]
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
