import type { Message } from '../words/item.ts'
import type { CallItem, Operation, ResultItem, Understanding } from '../words/operation.ts'

/** Pairs calls with their results as messages come in. */
export interface Operations {
  /**
   * The operations that this message completed, in the order of their results. A call is `running` until its result
   * has come, and is not given out before.
   */
  observe(message: Message): readonly Operation[]
  /** Calls that have no result yet. */
  running(): readonly CallItem[]
}

export function createOperations(understanding: Understanding): Operations {
  /** Nearly always one call is open at a time; a map that is emptied again and again is made anew each time. */
  let only: CallItem | null = null
  const open = new Map<string, CallItem>()

  function add(call: CallItem): void {
    if (open.size === 0 && (only === null || only.call === call.call)) {
      only = call
      return
    }
    if (only !== null) open.set(only.call, only)
    only = null
    open.set(call.call, call)
  }

  function take(id: string): CallItem | undefined {
    if (only?.call === id) {
      const call = only
      only = null
      return call
    }
    const call = open.get(id)
    if (call !== undefined) open.delete(id)
    return call
  }

  return {
    observe(message) {
      let completed: Operation[] | null = null
      for (const item of message.items) {
        if (item.kind === 'call') add(item)
        if (item.kind !== 'result' || item.status === 'running') continue
        const call = take(item.call)
        if (call === undefined) continue
        const operation = completeOperation(understanding, call, item)
        // Nearly every message completes one or none, and a list that grows from nothing takes room for 17.
        if (completed === null) completed = [operation]
        else completed.push(operation)
      }
      return completed ?? none
    },
    running: () => (only === null ? [...open.values()] : [only]),
  }
}

const none: readonly Operation[] = []

function completeOperation(
  understanding: Understanding,
  call: CallItem,
  result: ResultItem,
): Operation {
  const action = understanding.action(call)
  return {
    call,
    result,
    action,
    reading: understanding.reading(action, call, result.text),
    status: result.status,
    turn: call.turn,
  }
}
