import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { breach } from '../object/object-rule.ts'
import { pickList } from '../object/pick-list.ts'
import { opencodeDialect } from './dialect.ts'
import { objectOf } from './pick.ts'
import * as rules from './rules.ts'

/** What OpenCode itself relies on when it makes a request of the list: without it the turn ends with an error. */
export function validate(source: readonly unknown[]): readonly Violation[] {
  const list = pickList(opencodeDialect, source)
  if (list.kind === 'not-a-list') return [breach(rules.notAList, 'messages')]
  const found: Violation[] = []
  for (const [index, message] of list.messages.entries()) {
    const where = `messages.${index}`
    if (message === null || !hasMessageShape(message)) {
      found.push(breach(rules.messageShape, where))
      continue
    }
    const seen = new Set<unknown>()
    for (const [position, part] of arrayOf(message.parts).entries()) {
      checkPart(part, `${where}.parts.${position}`, seen, found)
    }
  }
  return found
}

function hasMessageShape({ info, parts }: JsonObject): boolean {
  const { id, role } = objectOf(info)
  return isWord(id) && (role === 'user' || role === 'assistant') && Array.isArray(parts)
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function checkPart(part: unknown, where: string, seen: Set<unknown>, found: Violation[]): void {
  const { type, ...fields } = objectOf(part)
  const missing = isWord(type) ? missingOf(type, fields) : ['a type']
  if (missing.length > 0) {
    const values = { type: String(type), fields: missing.join(' and ') }
    found.push(breach(rules.partShape, where, values))
    return
  }
  if (type !== 'tool') return
  const id = String(fields.callID)
  if (seen.has(id)) found.push(breach(rules.callIdRepeated, where, { id }))
  seen.add(id)
  checkState(objectOf(fields.state), `${where}.state`, found)
}

function missingOf(type: unknown, part: JsonObject): readonly string[] {
  switch (type) {
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string' ? [] : ['a text']
    case 'file':
      return isWord(part.mime) && typeof part.url === 'string' ? [] : ['a mime type and a url']
    case 'tool':
      return [
        ...(isWord(part.callID) ? [] : ['a call id']),
        ...(isWord(part.tool) ? [] : ['the name of the tool']),
        ...(isJsonObject(part.state) ? [] : ['a state']),
      ]
    default:
      return []
  }
}

const neededOf = new Map<unknown, string>([
  ['completed', 'output'],
  ['error', 'error'],
])

function checkState(state: JsonObject, where: string, found: Violation[]): void {
  const { status, input, attachments } = state
  const text = neededOf.get(status)
  const missing: string[] = []
  if (!isJsonObject(input) && typeof input !== 'string') missing.push('an input')
  if (text === undefined) {
    if (status !== 'pending' && status !== 'running') missing.push('a status that is known')
  } else if (typeof state[text] !== 'string') missing.push(`the text "${text}"`)
  if (status === 'completed' && state.timed !== true) missing.push('a time')
  if (attachments !== undefined && !arrayOf(attachments).every(isFile)) {
    missing.push('attachments with a mime type and a url')
  }
  if (missing.length === 0) return
  const values = { status: String(status), fields: missing.join(' and ') }
  found.push(breach(rules.stateShape, where, values))
}

function isFile(file: unknown): boolean {
  return isJsonObject(file) && isWord(file.mime) && typeof file.url === 'string'
}
