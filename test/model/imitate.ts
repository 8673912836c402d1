import { isJsonObject, objectOf } from '../../src/core/words/json.ts'
import type { PlannedCall } from './operations.ts'
import type { PromptBlock } from './prompt.ts'

/**
 * Makes a call as its tool was last called in the request: with every argument that stands there, and its own on top. It
 * is what models do that learn a tool's use from the conversation.
 */
export function imitated(call: PlannedCall, blocks: readonly PromptBlock[]): PlannedCall {
  const last = blocks.findLast(({ block }) => block.type === 'tool_use' && block.name === call.name)
  if (last === undefined || !isJsonObject(call.input)) return call
  return { ...call, input: { ...objectOf(last.block.input), ...call.input } }
}
