import type { ProjectedChange } from '../core/session/project.ts'
import { type BodyState, stateOf } from '../formats/body/body-state.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { asBuffer } from '../formats/json/document.ts'
import type { ForwardedBody } from '../session/branch.ts'

/** The beginning of a request that was sent before with the same changes. */
export interface SharedPart {
  readonly messages: number
  /** How many of the changes are in it. */
  readonly changes: number
  /** Where it ends in this request, and in the rewritten one that was sent before. */
  readonly originalEnd: number
  readonly sentEnd: number
}

/** null when there is none, or when bytes of both cannot be compared. */
export function sharedPart(
  read: RequestRead<Body>,
  changes: readonly ProjectedChange[],
  forwarded: ForwardedBody,
): SharedPart | null {
  const messages = Math.min(read.shared, forwarded.sent.messages.length)
  // Messages have the same positions in both only while none was removed.
  if (messages === 0 || forwarded.sent.messages.length !== forwarded.original.messages.length)
    return null
  const count = changesWithin(changes, messages)
  if (count !== changesWithin(forwarded.changes, messages)) return null
  for (let at = 0; at < count; at++) if (changes[at] !== forwarded.changes[at]) return null
  const originalEnd = endOf(stateOf(read), messages - 1)
  const sentEnd = endOf(stateOf(forwarded.sent), messages - 1)
  if (originalEnd === null || sentEnd === null) return null
  return { messages, changes: count, originalEnd, sentEnd }
}

/** The shared part as it was sent before, followed by the rest of this request. */
export function joinAfter(forwarded: ForwardedBody, part: SharedPart, rest: Body): Body | null {
  const { source } = forwarded.sent
  if (typeof source === 'string' || typeof rest === 'string') return null
  const begin = asBuffer(source).subarray(0, part.sentEnd)
  return Buffer.concat([begin, asBuffer(rest)])
}

/**
 * The original and the rewritten body without the messages that were checked with the request before. What is left begins
 * with an answer of the model, so that no call is separated from its result.
 */
export function withoutShared(
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
  return changes.filter(({ message }) => message < messages).length
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
