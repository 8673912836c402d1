import type { ProjectedChange } from '../core/session/project.ts'
import { partitionPoint } from '../core/words/partition-point.ts'
import { type BodyState, stateOf } from '../formats/body/body-state.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { asBuffer } from '../formats/json/document.ts'

/** A request that went out, with all that the next one can go on from. */
export interface PassedBody {
  /** As it came, and as it went out. */
  readonly original: RequestRead<Body>
  readonly sent: RequestRead<Body>
  readonly changes: readonly ProjectedChange[]
  /** Changes that the wire shape did not take. */
  readonly refused: ReadonlySet<ProjectedChange>
}

/** Up to where a request is the one before, and was changed in the same way. */
export interface SharedPart {
  readonly messages: number
  /** How many of the changes are in it. */
  readonly changes: number
  /** Where it ends in the request as it came, and in the one that went out before. */
  readonly originalEnd: number
  readonly sentEnd: number
}

/** null when the request has to be written from its beginning. */
export function sharedPart(
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  passed: PassedBody,
): SharedPart | null {
  const messages = Math.min(read.shared, passed.sent.messages.length)
  // Messages of both stand side by side only while none has gone.
  if (messages === 0 || passed.sent.messages.length !== passed.original.messages.length) return null
  const count = changesWithin(changes, messages)
  if (count !== changesWithin(passed.changes, messages)) return null
  for (let at = 0; at < count; at++) if (changes[at] !== passed.changes[at]) return null
  const originalEnd = endOf(stateOf(read), messages - 1)
  const sentEnd = endOf(stateOf(passed.sent), messages - 1)
  if (originalEnd === null || sentEnd === null) return null
  return { messages, changes: count, originalEnd, sentEnd }
}

/** What went out before up to the end of the shared part, and the rest of this request. */
export function joined(passed: PassedBody, rest: Body, part: SharedPart): Body | null {
  const { source } = passed.sent
  if (typeof source === 'string' || typeof rest === 'string') return null
  const begin = asBuffer(source).subarray(0, part.sentEnd)
  return Buffer.concat([begin, asBuffer(rest)])
}

/**
 * The two bodies of a change without the messages in their middle that are the same as in the request before, which was
 * checked. What is left begins with an answer of the model, so that no call is parted from its result.
 */
export function shortened(
  original: RequestRead<Body>,
  sent: RequestRead<Body>,
  sharedMessages: number,
): readonly [original: Body, sent: Body] | null {
  let from = Math.min(sharedMessages, sent.shared)
  while (from > 1 && original.messages[from]?.role !== 'assistant') from--
  if (from <= 1) return null
  const [one, other] = [withoutMiddle(original, from), withoutMiddle(sent, from)]
  return one === null || other === null ? null : [one, other]
}

function withoutMiddle(read: RequestRead<Body>, from: number): Body | null {
  const state = stateOf(read)
  const begin = endOf(state, 0)
  const rest = startOf(state, from)
  if (begin === null || rest === null || typeof read.source === 'string') return null
  const bytes = asBuffer(read.source)
  return Buffer.concat([bytes.subarray(0, begin), comma, bytes.subarray(rest)])
}

const comma = Buffer.from(',')

function changesWithin(changes: readonly ProjectedChange[], messages: number): number {
  return partitionPoint(changes.length, (index) => changes[index]!.message < messages)
}

function endOf(state: BodyState | null, message: number): number | null {
  const found = state?.messages[message]
  if (found === undefined) return null
  return state?.elements[found.firstElement + found.elementCount - 1]?.end ?? null
}

function startOf(state: BodyState | null, message: number): number | null {
  const found = state?.messages[message]
  return found === undefined ? null : (state?.elements[found.firstElement]?.start ?? null)
}
