import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { isThinking, type PlacedMessage, type Turn } from './validate-view.ts'

/** Checks signatures and the position of thinking. */
export function* checkThinking(
  body: JsonObject,
  turns: readonly Turn[],
  family: ModelFamily,
): Generator<Violation> {
  const thinking = isJsonObject(body.thinking) ? body.thinking.type : undefined
  if (thinking === 'enabled' && family.rejectsEnabledThinking) {
    yield violationOf(rules.thinkingEnabledUnsupported, 'thinking.type')
  }
  if (thinking === 'disabled' && family.rejectsDisabledThinking) {
    yield violationOf(rules.thinkingDisabledUnsupported, 'thinking.type')
  }
  if (family.signsThinking) yield* checkSignatures(turns)
  if (thinking === 'enabled' && family.startsWithThinking) yield* checkStart(turns)
}

function* checkSignatures(turns: readonly Turn[]): Generator<Violation> {
  for (const block of turns.flatMap((turn) => turn.messages).flatMap((entry) => entry.blocks)) {
    if (block.type !== 'thinking') continue
    const signature = block.block.signature
    if (signature === undefined || signature === null) {
      yield violationOf(rules.thinkingSignatureRequired, block.where)
    } else if (signature === '') {
      yield violationOf(rules.thinkingSignatureInvalid, block.where)
    }
  }
}

/**
 * During a tool loop the assistant's turn must start with thinking. Without interleaved thinking only the first message
 * of the loop has any, with it each may have some, so it is enough if one message starts with thinking.
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

/** Checks the last message if it is the assistant's. */
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

/** True for an answer that the provider paused, which is sent back unchanged. */
function isPaused(message: PlacedMessage): boolean {
  return message.blocks.some(
    (block) =>
      block.type === 'compaction' ||
      block.type === 'server_tool_use' ||
      block.type === 'mcp_tool_use' ||
      block.type.endsWith('_tool_result'),
  )
}
