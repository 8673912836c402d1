import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { addAll, violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { isThinking, type PlacedMessage, type Turn } from './validate-view.ts'

/** Signatures, and where thinking must be. */
export function checkThinking(
  body: JsonObject,
  turns: readonly Turn[],
  family: ModelFamily,
): readonly Violation[] {
  const thinking = isJsonObject(body.thinking) ? body.thinking.type : undefined
  const found: Violation[] = []
  if (thinking === 'enabled' && family.rejectsEnabledThinking) {
    found.push(violationOf(rules.thinkingEnabledUnsupported, 'thinking.type'))
  }
  if (thinking === 'disabled' && family.rejectsDisabledThinking) {
    found.push(violationOf(rules.thinkingDisabledUnsupported, 'thinking.type'))
  }
  if (family.signsThinking) addAll(found, checkSignatures(turns))
  if (thinking === 'enabled' && family.startsWithThinking) addAll(found, checkStart(turns))
  return found
}

function checkSignatures(turns: readonly Turn[]): readonly Violation[] {
  const found: Violation[] = []
  for (const block of turns.flatMap((turn) => turn.messages).flatMap((entry) => entry.blocks)) {
    if (block.type !== 'thinking') continue
    const signature = block.block.signature
    if (signature === undefined || signature === null) {
      found.push(violationOf(rules.thinkingSignatureRequired, block.where))
    } else if (signature === '') {
      found.push(violationOf(rules.thinkingSignatureInvalid, block.where))
    }
  }
  return found
}

/**
 * While a tool loop runs, thinking stands at the start of the assistant's turn. Without interleaved thinking only the
 * loop's first message has any, with it each may, so the loop is in order when one of its messages starts with it.
 */
function checkStart(turns: readonly Turn[]): readonly Violation[] {
  if (!hasResults(turns.at(-1))) return []
  let first: PlacedMessage | undefined
  for (let position = turns.length - 1; position >= 0; position--) {
    const turn = turns[position]!
    if (turn.role === 'user' && !hasResults(turn)) break
    if (turn.role !== 'assistant') continue
    if (turn.messages.some(startsWithThinking)) return []
    first = turn.messages[0]
  }
  const block = first?.blocks[0]
  if (block === undefined) return []
  return [violationOf(rules.thinkingFirst, block.where, { type: block.type })]
}

function hasResults(turn: Turn | undefined): boolean {
  return (
    turn?.role === 'user' &&
    turn.messages.some((message) => message.blocks.some((block) => block.type === 'tool_result'))
  )
}

function startsWithThinking(message: PlacedMessage): boolean {
  const block = message.blocks[0]
  return block !== undefined && isThinking(block)
}

/** What may stand at the end of the conversation when the assistant has the last word. */
export function checkEnding(
  messages: readonly PlacedMessage[],
  family: ModelFamily,
): readonly Violation[] {
  const last = messages.at(-1)
  const block = last?.blocks.at(-1)
  if (last?.role !== 'assistant' || block?.type !== 'text') return []
  if (family.rejectsPrefill && !isPaused(last)) {
    return [violationOf(rules.prefillUnsupported, last.where)]
  }
  const text = block.block.text
  if (typeof text !== 'string' || text === '' || text.trimEnd() === text) return []
  return [violationOf(rules.trailingWhitespace, block.where)]
}

/** An answer that the provider paused, to be sent back as it came. */
function isPaused(message: PlacedMessage): boolean {
  return message.blocks.some(
    (block) =>
      block.type === 'compaction' ||
      block.type === 'server_tool_use' ||
      block.type === 'mcp_tool_use' ||
      block.type.endsWith('_tool_result'),
  )
}
