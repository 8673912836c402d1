import { withEffects } from '../words/effects.ts'
import type { Message } from '../words/item.ts'
import type { CallItem, Operation, ResultItem, Understanding } from '../words/operation.ts'

/** Pairs calls with their results as messages come in. */
export interface Operations {
  /** The operations that this message completed, in the order of their results. */
  observe(message: Message): readonly Operation[]
}

export function createOperations(understanding: Understanding): Operations {
  const open = new Map<string, CallItem>()
  return {
    observe(message) {
      const completed: Operation[] = []
      for (const item of message.items) {
        if (item.kind === 'call') open.set(item.call, item)
        if (item.kind !== 'result' || item.status === 'running') continue
        const call = open.get(item.call)
        if (call === undefined) continue
        open.delete(item.call)
        completed.push(completeOperation(understanding, call, item))
      }
      return completed
    },
  }
}

function completeOperation(
  understanding: Understanding,
  call: CallItem,
  result: ResultItem,
): Operation {
  const action = understanding.action(call)
  const reading = understanding.reading(action, call, result.text)
  return withEffects({
    call,
    result,
    action,
    reading,
    status: reading?.failed === true ? 'error' : result.status,
    turn: call.turn,
  })
}
