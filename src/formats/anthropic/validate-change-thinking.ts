import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { type MessagePair, plainThinking, signedBlocks } from './validate-change-view.ts'
import {
  type AnthropicRequest,
  type PlacedBlock,
  type PlacedMessage,
  turnsOf,
} from './validate-view.ts'

const uncached = { ignoring: 'cache_control' } as const

/** Signed blocks must stay unchanged, or all of a message must be removed if the message may lose them. */
export function* checkSignedBlocks(
  pairs: readonly MessagePair[],
  after: readonly PlacedMessage[],
): Generator<Violation> {
  const latest = after.findLastIndex(({ role }) => role === 'assistant')
  const prompt = lastPrompt(after)
  for (const [index, pair] of pairs.entries()) {
    const position = { isLatest: index === latest, mayLose: index < prompt }
    yield* checkMessage(pair, position)
  }
}

/** Index of the user's last prompt, which is a turn without tool results. */
function lastPrompt(messages: readonly PlacedMessage[]): number {
  const prompt = turnsOf(messages).findLast(
    (turn) => turn.role === 'user' && !turn.messages.some(hasResult),
  )
  return prompt?.messages.at(-1)?.index ?? -1
}

function hasResult(message: PlacedMessage): boolean {
  return message.blocks.some((block) => block.type === 'tool_result')
}

interface MessagePosition {
  readonly isLatest: boolean
  /** False after the user's last prompt, where the API still needs the thinking. */
  readonly mayLose: boolean
}

function checkMessage(pair: MessagePair, position: MessagePosition): readonly Violation[] {
  const before = signedBlocks(pair.before)
  const after = [...signedBlocks(pair.after), ...strippedBlocks(pair)]
  if (after.length === 0 && position.mayLose) return []
  if (before.length === after.length && before.every((block, at) => same(block, after[at]))) {
    return []
  }
  const originals = new Map(before.map((block) => [signatureOf(block), block]))
  const altered = after.find((block) => !same(block, originals.get(signatureOf(block))))
  const where = (altered ?? after[0] ?? before[0])?.where ?? pair.after.where
  if (position.isLatest) return [violationOf(rules.latestThinkingModified, where)]
  return altered !== undefined || after.length >= before.length
    ? [violationOf(rules.signedBlockAltered, where)]
    : [violationOf(rules.thinkingSequence, where)]
}

/** Thinking that lost its signature counts as altered, not as removed. */
function strippedBlocks(pair: MessagePair): readonly PlacedBlock[] {
  return plainThinking(pair.after).slice(plainThinking(pair.before).length)
}

function same(block: PlacedBlock, other: PlacedBlock | undefined): boolean {
  return other !== undefined && sameJson(block.block, other.block)
}

function signatureOf(block: PlacedBlock): unknown {
  return block.block.signature ?? block.block.data
}

/**
 * On models that bind reasoning to its prefix, nothing before a signed block may change: `system`, `tools`, earlier
 * messages, earlier blocks. Reports the first block that a change invalidates.
 */
export function checkPrefix(
  before: AnthropicRequest,
  after: AnthropicRequest,
): readonly Violation[] {
  const changed = firstDifference(before, after)
  if (changed === null) return []
  const live = after.messages
    .slice(Math.max(changed.message, 0))
    .flatMap(signedBlocks)
    .find((block) => block.message > changed.message || block.index >= changed.block)
  return live === undefined ? [] : [violationOf(rules.prefixChanged, live.where)]
}

interface Position {
  /** -1 if the position is before all messages. */
  readonly message: number
  readonly block: number
}

function firstDifference(before: AnthropicRequest, after: AnthropicRequest): Position | null {
  for (const key of ['system', 'tools']) {
    if (!sameJson(before.body[key], after.body[key], uncached)) return { message: -1, block: 0 }
  }
  for (const [index, message] of after.messages.entries()) {
    const original = before.messages[index]
    // The new request may have more messages at the end.
    if (original === undefined) return null
    if (original.role !== message.role) return { message: index, block: 0 }
    const length = Math.max(original.blocks.length, message.blocks.length)
    for (let block = 0; block < length; block++) {
      const one = original.blocks[block]?.block
      if (!sameJson(one, message.blocks[block]?.block, uncached)) return { message: index, block }
    }
  }
  return null
}
