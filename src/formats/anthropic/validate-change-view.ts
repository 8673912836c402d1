import { isThinking, type PlacedBlock, type PlacedMessage } from './validate-view.ts'

/** A message before and after a change. */
export interface MessagePair {
  readonly before: PlacedMessage
  readonly after: PlacedMessage
}

/** Types that a change may rewrite. All other types, also unknown ones, belong to the provider. */
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

/** Thinking with a signature, and redacted thinking. */
export function signedBlocks(message: PlacedMessage): readonly PlacedBlock[] {
  return message.blocks.filter((block) => isThinking(block) && !isPlain(block))
}

/** Thinking without a signature, which may be rewritten. */
export function plainThinking(message: PlacedMessage): readonly PlacedBlock[] {
  return message.blocks.filter((block) => isThinking(block) && isPlain(block))
}

function isPlain({ type, block }: PlacedBlock): boolean {
  return type === 'thinking' && (typeof block.signature !== 'string' || block.signature === '')
}

/** Blocks other than thinking. A change may rewrite them, but not add, move or remove them. */
export function otherBlocks(message: PlacedMessage): readonly PlacedBlock[] {
  return message.blocks.filter((block) => !isThinking(block))
}
