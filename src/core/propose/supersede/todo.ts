import { inputFields } from '../../words/call-key.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { hideableOf, isAnswered, succeeded } from './outcome.ts'

const strategy = 'todoSupersede'

/**
 * The newest whole write and the newest read of the task list stay. Calls that change one task replace nothing, and are
 * superseded when the whole list is written again.
 */
export const todo: StrategyFactory = (settings) => {
  if (!settings.todoSupersede) return null
  let writes: CallItem[] = []
  let reads: CallItem[] = []
  return {
    name: strategy,
    actions: ['list'],
    *operation(newer, view) {
      const { action, call } = newer
      if (action.kind !== 'list' || !succeeded(newer)) return
      switch (action.op) {
        case 'write':
          writes = yield* replaceEarlier(writes, newer, view)
          writes.push(call)
          return
        case 'create':
        case 'update':
          writes.push(call)
          return
        case 'read':
          if (isWholeRead(call) && isAnswered(newer, view))
            reads = yield* replaceEarlier(reads, newer, view)
          reads.push(call)
      }
    },
  }
}

/** Supersedes the calls of earlier turns and returns those of the same turn. */
function* replaceEarlier(
  calls: readonly CallItem[],
  newer: Operation,
  view: View,
): Proposals<CallItem[]> {
  const earlier = calls.filter((call) => call.turn < newer.turn)
  for (const older of hideableOf(earlier, view)) {
    yield { kind: 'supersede', older, by: newer, reason: 'todo', strategy }
  }
  return calls.filter((call) => call.turn >= newer.turn)
}

/** False for a call that requests one task by its id. */
function isWholeRead(call: CallItem): boolean {
  const fields = inputFields(call.text)
  return fields === null || ![...fields.keys()].some((key) => key.endsWith('id'))
}
