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

/** Signed blocks stay as they are, or go together with all those of their message where the message may lose them. */
export function* checkSignedBlocks(
  pairs: readonly MessagePair[],
  after: readonly PlacedMessage[],
): Generator<Violation> {
  const latest = after.findLastIndex(({ role }) => role === 'assistant')
  const prompt = lastPrompt(after)
  for (const [position, pair] of pairs.entries()) {
    const standing = { isLatest: position === latest, mayLose: position < prompt }
    yield* checkMessage(pair, standing)
  }
}

/** Index of the user's last words that answer no tool: what comes before them is finished. */
function lastPrompt(messages: readonly PlacedMessage[]): number {
  const prompt = turnsOf(messages).findLast(
    (turn) => turn.role === 'user' && !turn.messages.some(hasResult),
  )
  return prompt?.messages.at(-1)?.index ?? -1
}

function hasResult(message: PlacedMessage): boolean {
  return message.blocks.some((block) => block.type === 'tool_result')
}

interface Standing {
  readonly isLatest: boolean
  /** False from the user's last words on: that thinking is still in use. */
  readonly mayLose: boolean
}

function checkMessage(pair: MessagePair, standing: Standing): readonly Violation[] {
  const before = signedBlocks(pair.before)
  const after = [...signedBlocks(pair.after), ...strippedBlocks(pair)]
  if (after.length === 0 && standing.mayLose) return []
  if (before.length === after.length && before.every((block, at) => same(block, after[at]))) {
    return []
  }
  const originals = new Map(before.map((block) => [signatureOf(block), block]))
  const altered = after.find((block) => !same(block, originals.get(signatureOf(block))))
  const where = (altered ?? after[0] ?? before[0])?.where ?? pair.after.where
  if (standing.isLatest) return [violationOf(rules.latestThinkingModified, where)]
  return altered !== undefined || after.length >= before.length
    ? [violationOf(rules.signedBlockAltered, where)]
    : [violationOf(rules.thinkingSequence, where)]
}

/** Thinking that lost its signature is altered, not removed. */
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
 * On models that bind reasoning to its prefix, nothing before a block that is still sent may differ: `system`, `tools`,
 * earlier messages, earlier blocks. The first block that the difference invalidates is named.
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
  /** -1: before all messages. */
  readonly message: number
  readonly block: number
}

function firstDifference(before: AnthropicRequest, after: AnthropicRequest): Position | null {
  for (const key of ['system', 'tools']) {
    if (!sameJson(before.body[key], after.body[key], uncached)) return { message: -1, block: 0 }
  }
  for (const [index, message] of after.messages.entries()) {
    const original = before.messages[index]
    // What only the new request has follows all that the old one had.
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
