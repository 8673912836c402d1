import type { JsonObject } from '../../core/words/json.ts'
import { isThinking, type PlacedBlock, type PlacedMessage } from './validate-view.ts'

export interface ComparedRequest {
  readonly body: JsonObject
  readonly messages: readonly PlacedMessage[]
}

/** A message before and after a change. */
export interface MessagePair {
  readonly before: PlacedMessage
  readonly after: PlacedMessage
}

/** Types that a change may rewrite; everything else belongs to the provider, unknown types included. */
const OWN_TYPES: ReadonlySet<string> = new Set([
  'text',
  'tool_use',
  'tool_result',
  'image',
  'document',
  'search_result',
])

export function isOpaque(block: PlacedBlock): boolean {
  return !OWN_TYPES.has(block.type)
}

/** Thinking that carries the provider's signature, or nothing but its data. */
export function signedBlocks(message: PlacedMessage): readonly PlacedBlock[] {
  return message.blocks.filter((block) => isThinking(block) && !isPlain(block))
}

/** Thinking of models that sign none, which may be rewritten. */
export function plainThinking(message: PlacedMessage): readonly PlacedBlock[] {
  return message.blocks.filter((block) => isThinking(block) && isPlain(block))
}

function isPlain({ type, block }: PlacedBlock): boolean {
  return type === 'thinking' && (typeof block.signature !== 'string' || block.signature === '')
}

/** Everything but thinking: what a change may rewrite, but neither add, move nor leave out. */
export function otherBlocks(message: PlacedMessage): readonly PlacedBlock[] {
  return message.blocks.filter((block) => !isThinking(block))
}
