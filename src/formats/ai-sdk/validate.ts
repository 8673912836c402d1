import type { JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { breach } from '../object/object-rule.ts'
import { type PickedList, pickList } from '../object/pick-list.ts'
import { checkPairs, type PlacedPart } from './check-pairs.ts'
import { aiSdkDialect } from './dialect.ts'
import { hasPartShape } from './part-shape.ts'
import * as rules from './rules.ts'

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])

/** What a list of messages breaks of the AI SDK's own rules, and of those that every provider has. */
export function validate(source: readonly unknown[]): readonly Violation[] {
  const list: PickedList = pickList(aiSdkDialect, source)
  if (list.kind === 'not-a-list') return [breach(rules.notAList, 'messages')]
  if (list.messages.length === 0) return [breach(rules.messagesEmpty, 'messages')]
  const found: Violation[] = []
  const parts: PlacedPart[] = []
  for (const [index, message] of list.messages.entries()) {
    const where = `messages.${index}`
    if (message === null || !roles.has(message.role)) found.push(breach(rules.messageShape, where))
    else checkContent(message, where, parts, found)
  }
  for (const violation of checkPairs(parts)) found.push(violation)
  return found
}

function checkContent(
  { role, content }: JsonObject,
  where: string,
  parts: PlacedPart[],
  found: Violation[],
): void {
  const at = `${where}.content`
  parts.push({ role, where, part: {} })
  if (typeof content === 'string' && role !== 'tool') return
  if (!Array.isArray(content) || role === 'system') {
    found.push(breach(rules.messageShape, at))
    return
  }
  if (content.length === 0) found.push(breach(rules.contentEmpty, at))
  for (const [index, part] of content.entries()) {
    const place = `${at}.${index}`
    if (hasPartShape(part)) parts.push({ role, where: place, part })
    else found.push(breach(rules.partShape, place))
  }
}
