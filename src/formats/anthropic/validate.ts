import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { checkCacheControl } from './validate-cache.ts'
import { checkPairs, checkServerTools } from './validate-pairs.ts'
import { checkShape } from './validate-shape.ts'
import { checkEnding, checkThinking } from './validate-thinking.ts'
import { type AnthropicRequest, turnsOf } from './validate-view.ts'

/** Reports the rules of the Messages API that a request violates. */
export function* check(request: AnthropicRequest, family: ModelFamily): Generator<Violation> {
  const { messages, body } = request
  const turns = turnsOf(messages)
  yield* checkShape(body, messages, family)
  yield* checkPairs(turns)
  yield* checkServerTools(messages)
  yield* checkThinking(body, turns, family)
  yield* checkEnding(messages, family)
  yield* checkCacheControl(body)
}
