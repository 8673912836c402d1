import { inputFields } from '../../words/call-key.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Scene, StrategyFactory } from '../strategy.ts'
import { isAnswered, isOpen, succeeded } from './outcome.ts'

const strategy = 'todoSupersede'

/**
 * Of the task list, the newest whole write and the newest read stay. Calls that change one task only add to the list
 * that they found: they replace nothing, and go when the whole list is written again.
 */
export const todo: StrategyFactory = (settings) => {
  if (!settings.todoSupersede) return null
  let writes: CallItem[] = []
  let reads: CallItem[] = []
  return {
    name: strategy,
    actions: ['list'],
    operation(newer, scene) {
      const { action, call } = newer
      if (action.kind !== 'list' || !succeeded(newer)) return
      switch (action.op) {
        case 'write':
          writes = replaceEarlier(writes, newer, scene)
          writes.push(call)
          return
        case 'create':
        case 'update':
          writes.push(call)
          return
        case 'read':
          if (isWholeRead(call) && isAnswered(newer, scene))
            reads = replaceEarlier(reads, newer, scene)
          reads.push(call)
      }
    },
  }
}

/** Supersedes the calls of earlier turns; gives those of the same turn. */
function replaceEarlier(calls: readonly CallItem[], newer: Operation, scene: Scene): CallItem[] {
  return calls.filter((call) => {
    if (call.turn >= newer.turn) return true
    const older = scene.operationOf(call)
    if (older?.result != null && isOpen(older.result, scene)) {
      scene.supersede(older, newer, 'todo', strategy)
    }
    return false
  })
}

/** A call that asks for one task by its id shows no list. */
function isWholeRead(call: CallItem): boolean {
  const fields = inputFields(call.text)
  return fields === null || ![...fields.keys()].some((key) => key.endsWith('id'))
}
