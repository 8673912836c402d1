import type { Message } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { NeedTracker } from './need-tracker.ts'
import { probabilityOfNeed, reasonsOf } from './probability.ts'
import type { NeedProbability } from './rules.ts'

/** Why a result was judged unlikely to be needed again. */
export interface ExplainedNeed extends NeedProbability {
  /** The reasons, strongest first. */
  readonly reasons: readonly string[]
}

/** Repeats the judgement of a result before a request. `operations` has the operations by the item of their result. */
export function explainNeed(
  operation: Operation,
  turn: number,
  messages: readonly Message[],
  operations: ReadonlyMap<number, Operation>,
): ExplainedNeed | null {
  const tracker = new NeedTracker()
  let next = 1
  for (const message of messages) {
    if (message.role === 'assistant') next++
    if (next > turn) break
    for (const { kind, index } of message.items) {
      const completed = kind === 'result' ? operations.get(index) : undefined
      if (completed !== undefined) tracker.observe(completed, next)
    }
    tracker.observeMessage(message)
  }
  const features = tracker.featuresOf(operation, turn)
  if (features === null) return null
  return { ...probabilityOfNeed(features), reasons: reasonsOf(features) }
}
