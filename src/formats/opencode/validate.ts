import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { PickedList } from '../object/pick-list.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'

/** Checks the fields that OpenCode needs to build a request; without them the turn fails. */
export function* check(list: PickedList): Generator<Violation> {
  if (list.kind === 'not-a-list') {
    yield violationOf(rules.notAList, 'messages')
    return
  }
  for (const [index, message] of list.messages.entries()) {
    const where = `messages.${index}`
    if (message === null || !hasMessageShape(message)) {
      yield violationOf(rules.messageShape, where)
      continue
    }
    const seen = new Set<unknown>()
    for (const [position, part] of arrayOf(message.parts).entries()) {
      yield* checkPart(part, `${where}.parts.${position}`, seen)
    }
  }
}

function hasMessageShape({ info, parts }: JsonObject): boolean {
  const { id, role } = objectOf(info)
  return isWord(id) && (role === 'user' || role === 'assistant') && Array.isArray(parts)
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function* checkPart(part: unknown, where: string, seen: Set<unknown>): Generator<Violation> {
  const { type, ...fields } = objectOf(part)
  const missing = isWord(type) ? missingOf(type, fields) : ['a type']
  if (missing.length > 0) {
    const values = { type: String(type), fields: missing.join(' and ') }
    yield violationOf(rules.partShape, where, values)
    return
  }
  if (type !== 'tool') return
  const id = String(fields.callID)
  if (seen.has(id)) yield violationOf(rules.callIdRepeated, where, { id })
  seen.add(id)
  yield* checkState(objectOf(fields.state), `${where}.state`)
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

function* checkState(state: JsonObject, where: string): Generator<Violation> {
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
  yield violationOf(rules.stateShape, where, values)
}

function isFile(file: unknown): boolean {
  return isJsonObject(file) && isWord(file.mime) && typeof file.url === 'string'
}
