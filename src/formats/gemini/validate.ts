import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { stringOf } from './spelling.ts'
import {
  type GeminiRequest,
  type PlacedContent,
  partsOf,
  type Turn,
  turnsOf,
} from './validate-view.ts'

/** The API accepts `function` and `tool` from older clients. */
const ROLES: ReadonlySet<string> = new Set(['user', 'model', 'function', 'tool'])

/**
 * Reports the rules of `generateContent` that a request violates. The body does not name the model, so rules for some
 * models are checked only if the caller names one.
 */
export function* check({ contents }: GeminiRequest, family: ModelFamily): Generator<Violation> {
  if (contents.length === 0) yield violationOf(rules.contentsRequired, 'contents')
  const turns = turnsOf(contents)
  for (const content of contents) yield* checkContent(content)
  yield* checkTurns(turns)
  if (family.wantsThoughtSignatures) yield* checkSignatures(turns)
}

function* checkContent({ index, parts, role, where }: PlacedContent): Generator<Violation> {
  if (!ROLES.has(role)) yield violationOf(rules.roleInvalid, `${where}.role`)
  if (parts.length === 0) yield violationOf(rules.partsEmpty, `${where}.parts`, { index })
  for (const [part, { kind, signature, where: place }] of parts.entries()) {
    if (kind === 'empty' && signature === '') {
      yield violationOf(rules.partWithoutData, place, { index, part })
    }
  }
}

/** Each call needs exactly one response in the next turn, and each response a call. */
function* checkTurns(turns: readonly Turn[]): Generator<Violation> {
  for (const [position, turn] of turns.entries()) {
    const where = turn.contents[0]?.where ?? 'contents'
    const calls = turn.role === 'model' ? partsOf(turn, 'call').length : 0
    const next = turns[position + 1]
    if (calls > 0 && position === 0) yield violationOf(rules.callWithoutUser, where)
    if (calls > 0 && next !== undefined && partsOf(next, 'response').length !== calls) {
      const place = next.contents[0]?.where ?? where
      yield violationOf(rules.responseCount, place)
    }
    const asked = partsOf(turns[position - 1], 'call').length
    if (turn.role === 'user' && asked === 0 && partsOf(turn, 'response').length > 0) {
      yield violationOf(rules.responseWithoutCall, where)
    }
  }
}

/**
 * Since the user's last text, the first call of each step must have a signature. The API also accepts
 * `skip_thought_signature_validator` as one.
 */
function* checkSignatures(turns: readonly Turn[]): Generator<Violation> {
  const begin = turns.findLastIndex(
    (turn) =>
      turn.role === 'user' &&
      turn.contents.some(({ parts }) => parts.some(({ kind }) => kind !== 'response')),
  )
  for (const turn of turns.slice(begin + 1)) {
    const call = turn.role === 'model' ? partsOf(turn, 'call')[0] : undefined
    if (call === undefined || call.signature !== '') continue
    const content = turn.contents.find(({ parts }) => parts.includes(call))
    const values = { name: stringOf(call.held, 'name'), position: (content?.index ?? 0) + 1 }
    yield violationOf(rules.thoughtSignatureMissing, call.where, values)
  }
}
