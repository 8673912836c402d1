import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody } from '../json-value.ts'
import { modelFamily } from '../model-family.ts'
import { addAll, violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { stringOf } from './spelling.ts'
import {
  contentsOf,
  type PlacedContent,
  partsOf,
  type Turn,
  turnsOf,
  viewContents,
} from './validate-view.ts'

/** `function` and `tool` are spellings of older clients that the API lets pass. */
const ROLES: ReadonlySet<string> = new Set(['user', 'model', 'function', 'tool'])

/**
 * The rules of `generateContent` that a request breaks, in the provider's words. The body does not name its model, so
 * what only some models want is checked when `options.model` names one. Any input has an answer.
 */
export function validate(source: Body, options: ValidateOptions = {}): readonly Violation[] {
  const parsed = parseBody(source)
  if (parsed.kind === 'not-json') return [violationOf(rules.notJson, '')]
  const body = parsed.kind === 'object' ? parsed.body : {}
  const entries = contentsOf(body)
  if (entries === null || entries.length === 0) {
    return [violationOf(rules.contentsRequired, 'contents')]
  }
  const model = options.model ?? body.model
  const family = modelFamily(typeof model === 'string' ? model : '')
  const contents = viewContents(entries)
  const turns = turnsOf(contents)
  const found: Violation[] = []
  for (const content of contents) addAll(found, checkContent(content))
  addAll(found, checkTurns(turns))
  if (family.wantsThoughtSignatures) addAll(found, checkSignatures(turns))
  return found
}

function checkContent({ index, parts, role, where }: PlacedContent): readonly Violation[] {
  const found: Violation[] = []
  if (!ROLES.has(role)) found.push(violationOf(rules.roleInvalid, `${where}.role`))
  if (parts.length === 0) found.push(violationOf(rules.partsEmpty, `${where}.parts`, { index }))
  for (const [part, { kind, signature, where: place }] of parts.entries()) {
    if (kind === 'empty' && signature === '') {
      found.push(violationOf(rules.partWithoutData, place, { index, part }))
    }
  }
  return found
}

/** Calls are answered in the next turn, each once; responses answer calls. */
function checkTurns(turns: readonly Turn[]): readonly Violation[] {
  const found: Violation[] = []
  for (const [position, turn] of turns.entries()) {
    const where = turn.contents[0]?.where ?? 'contents'
    const calls = turn.role === 'model' ? partsOf(turn, 'call').length : 0
    const next = turns[position + 1]
    if (calls > 0 && position === 0) found.push(violationOf(rules.callWithoutUser, where))
    if (calls > 0 && next !== undefined && partsOf(next, 'response').length !== calls) {
      const place = next.contents[0]?.where ?? where
      found.push(violationOf(rules.responseCount, place))
    }
    const asked = partsOf(turns[position - 1], 'call').length
    if (turn.role === 'user' && asked === 0 && partsOf(turn, 'response').length > 0) {
      found.push(violationOf(rules.responseWithoutCall, where))
    }
  }
  return found
}

/**
 * In the current turn, which begins where the user last said something, the first call of each step carries its
 * signature. `skip_thought_signature_validator` is a signature like any other here, as the API takes it for one.
 */
function checkSignatures(turns: readonly Turn[]): readonly Violation[] {
  const begin = turns.findLastIndex(
    (turn) =>
      turn.role === 'user' &&
      turn.contents.some(({ parts }) => parts.some(({ kind }) => kind !== 'response')),
  )
  const found: Violation[] = []
  for (const turn of turns.slice(begin + 1)) {
    const call = turn.role === 'model' ? partsOf(turn, 'call')[0] : undefined
    if (call === undefined || call.signature !== '') continue
    const content = turn.contents.find(({ parts }) => parts.includes(call))
    const values = { name: stringOf(call.held, 'name'), position: (content?.index ?? 0) + 1 }
    found.push(violationOf(rules.thoughtSignatureMissing, call.where, values))
  }
  return found
}
