import type { JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { PickedList } from '../object/pick-list.ts'
import { violationOf } from '../rule.ts'
import { checkPairs, type PlacedPart } from './check-pairs.ts'
import { hasPartShape } from './part-shape.ts'
import * as rules from './rules.ts'

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])

/** Reports violations of the AI SDK's own rules and of the rules that all providers share. */
export function* check(list: PickedList): Generator<Violation> {
  if (list.kind === 'not-a-list') {
    yield violationOf(rules.notAList, 'messages')
    return
  }
  if (list.messages.length === 0) yield violationOf(rules.messagesEmpty, 'messages')
  const parts: PlacedPart[] = []
  for (const [index, message] of list.messages.entries()) {
    const where = `messages.${index}`
    if (message === null || !roles.has(message.role)) yield violationOf(rules.messageShape, where)
    else yield* checkContent(message, where, parts)
  }
  yield* checkPairs(parts)
}

/** Adds the parts that have a known shape to `parts`. */
function* checkContent(
  { role, content }: JsonObject,
  where: string,
  parts: PlacedPart[],
): Generator<Violation> {
  const at = `${where}.content`
  parts.push({ role, where, part: {} })
  if (typeof content === 'string' && role !== 'tool') return
  if (!Array.isArray(content) || role === 'system') {
    yield violationOf(rules.messageShape, at)
    return
  }
  if (content.length === 0) yield violationOf(rules.contentEmpty, at)
  for (const [index, part] of content.entries()) {
    const place = `${at}.${index}`
    if (hasPartShape(part)) parts.push({ role, where: place, part })
    else yield violationOf(rules.partShape, place)
  }
}
