import type { MessageDraft } from '../../core/words/item.ts'
import type { Body, ReadProblem, RequestRead } from '../format.ts'
import { commonPrefixLength } from '../json/document.ts'
import { BodyReader } from './body-reader.ts'
import { type BodyState, keepState, messagesWithin, stateOf } from './body-state.ts'
import type { Dialect } from './dialect.ts'

/**
 * Reads a body in one pass. If `previous` is the read of a body that starts with the same bytes, the messages in those
 * bytes are reused; the result equals that of a full read.
 */
export function readBody(
  dialect: Dialect,
  source: Body,
  previous?: RequestRead<Body>,
): RequestRead<Body> {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    return unreadable(dialect, source)
  }
  if (previous !== undefined && previous.format === dialect.name) {
    const state = stateOf(previous)
    const read = state === null ? null : resume(dialect, source, previous, state)
    if (read !== null) return read
  }
  const reader = new BodyReader(dialect, source)
  reader.readWhole()
  return finish(dialect, source, reader, [])
}

function resume(
  dialect: Dialect,
  source: Body,
  previous: RequestRead<Body>,
  state: BodyState,
): RequestRead<Body> | null {
  if (!state.resumable) return null
  const taken = messagesWithin(state, commonPrefixLength(previous.source, source))
  if (taken === 0) return null
  const reader = new BodyReader(dialect, source, { state, taken })
  reader.readRest()
  // A second conversation replaces the first, so its messages cannot be reused.
  if (reader.conversations > 1) return null
  const kept = reader.messages[taken - 1]?.draft === state.messages[taken - 1]!.draft
  return finish(dialect, source, reader, previous.messages.slice(0, kept ? taken : taken - 1))
}

function finish(
  dialect: Dialect,
  source: Body,
  reader: BodyReader,
  shared: readonly MessageDraft[],
): RequestRead<Body> {
  const added = reader.messages.slice(shared.length).map((message) => message.draft)
  const read: RequestRead<Body> = {
    format: dialect.name,
    source,
    model: reader.head.model,
    prefix: { system: reader.head.system, tools: reader.head.tools },
    messages: shared.concat(added),
    shared: shared.length,
    problem: reader.problem,
  }
  keepState(read, {
    messages: reader.messages,
    elements: reader.elements,
    headBefore: reader.headBefore,
    resumable: reader.conversations === 1,
  })
  return read
}

function unreadable(dialect: Dialect, source: Body): RequestRead<Body> {
  const problem: ReadProblem = { where: 'offset 0', message: 'the body is neither text nor bytes' }
  const prefix = { system: '', tools: '' }
  return { format: dialect.name, source, model: null, prefix, messages: [], shared: 0, problem }
}
