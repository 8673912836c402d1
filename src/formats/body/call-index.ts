import { emptyMap, type PersistentMap } from './persistent-map.ts'

/** A tool call under the id that it has in the conversation. */
export interface KnownCall {
  readonly call: string
  readonly tool: string
}

interface CallsOfId {
  /** The latest of them. */
  readonly known: KnownCall
  readonly uses: number
}

interface CallsOfTool {
  readonly made: number
  readonly answered: number
  readonly turn: number
}

/** The calls of a conversation so far. Immutable: the functions below return a new index. */
export interface CallIndex {
  readonly byId: PersistentMap<CallsOfId>
  readonly byTool: PersistentMap<CallsOfTool>
  /** The calls of each tool in their order, under `tool`, NUL and a number from 1. */
  readonly inOrder: PersistentMap<KnownCall>
  readonly turn: number
}

export const noCalls: CallIndex = {
  byId: emptyMap(),
  byTool: emptyMap(),
  inOrder: emptyMap(),
  turn: 0,
}

/** The new index, and the call that was added or answered. */
export interface Indexed {
  readonly calls: CallIndex
  readonly known: KnownCall
}

/**
 * Adds a call with an id. Some servers reuse ids (`call_0`), so the second call of an id becomes `id#2`. Results belong
 * to the latest call of their id.
 */
export function addCall(calls: CallIndex, id: string, tool: string): Indexed {
  const uses = (calls.byId.get(id)?.uses ?? 0) + 1
  const known = { call: uses === 1 ? id : `${id}#${uses}`, tool }
  return { calls: { ...calls, byId: calls.byId.set(id, { known, uses }) }, known }
}

/** Adds a call whose result may have no id. A call without an id gets `tool#n`. */
export function addOrderedCall(calls: CallIndex, tool: string, id: string | null): Indexed {
  const earlier = calls.byTool.get(tool) ?? { made: 0, answered: 0, turn: calls.turn }
  const made = earlier.made + 1
  // Unanswered calls of earlier turns stay unanswered.
  const answered = earlier.turn === calls.turn ? earlier.answered : earlier.made
  const { calls: added, known } = addCall(calls, id ?? `${tool}#${made}`, tool)
  return {
    calls: {
      ...added,
      byTool: added.byTool.set(tool, { made, answered, turn: calls.turn }),
      inOrder: added.inOrder.set(`${tool}\0${made}`, known),
    },
    known,
  }
}

/** The call that a result with this id answers. */
export function callOfId(calls: CallIndex, id: string): KnownCall {
  return calls.byId.get(id)?.known ?? { call: id, tool: '' }
}

/** The call that a result without an id answers: the first unanswered one of its tool in this turn. */
export function answerInOrder(calls: CallIndex, tool: string): Indexed {
  const earlier = calls.byTool.get(tool) ?? { made: 0, answered: 0, turn: calls.turn }
  const ordinal = earlier.answered + 1
  const known = calls.inOrder.get(`${tool}\0${ordinal}`) ?? { call: `${tool}#${ordinal}`, tool }
  const byTool = calls.byTool.set(tool, {
    ...earlier,
    made: Math.max(earlier.made, ordinal),
    answered: ordinal,
  })
  return { calls: { ...calls, byTool }, known }
}

/** Marks a call as answered by its id, so that the next result without an id answers the call after it. */
export function answerById(calls: CallIndex, known: KnownCall): CallIndex {
  const earlier = calls.byTool.get(known.tool)
  if (earlier === undefined) return calls
  const next = calls.inOrder.get(`${known.tool}\0${earlier.answered + 1}`)
  if (next?.call !== known.call) return calls
  const answered = { ...earlier, answered: earlier.answered + 1 }
  return { ...calls, byTool: calls.byTool.set(known.tool, answered) }
}

/** Starts a new answer of the model. Its earlier calls without a result stay unanswered. */
export function startTurn(calls: CallIndex): CallIndex {
  return { ...calls, turn: calls.turn + 1 }
}
