import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import type { ModelFamily } from '../model-family.ts'
import { violationOf } from '../rule.ts'
import { sameProse } from '../same-prose.ts'
import * as rules from './rules.ts'
import { cacheMarkers } from './validate-cache.ts'
import { checkPrefix, checkSignedBlocks } from './validate-change-thinking.ts'
import { isOpaque, type MessagePair, otherBlocks } from './validate-change-view.ts'
import type { AnthropicRequest, PlacedBlock, PlacedMessage } from './validate-view.ts'

const ATTACHMENTS: ReadonlySet<string> = new Set(['image', 'document', 'search_result'])

/** Reports changes to signed reasoning, provider blocks, order, ids or user text. */
export function* compare(
  old: AnthropicRequest,
  changed: AnthropicRequest,
  family: ModelFamily,
): Generator<Violation> {
  const pairs: MessagePair[] = []
  for (const [index, message] of old.messages.entries()) {
    const counterpart = changed.messages[index]
    if (counterpart === undefined || counterpart.role !== message.role) {
      yield violationOf(rules.messagesMoved, message.where)
      break
    }
    pairs.push({ before: message, after: counterpart })
  }
  for (const pair of pairs) {
    const isLast = pair.before.index === old.messages.length - 1
    yield* checkBlocks(pair, { isLast })
  }
  yield* checkSignedBlocks(pairs, changed.messages)
  if (family.bindsReasoning) yield* checkPrefix(old, changed)
  yield* checkMarkers(old, changed)
}

function* checkBlocks(
  { before, after }: MessagePair,
  { isLast }: { readonly isLast: boolean },
): Generator<Violation> {
  const old = otherBlocks(before)
  const changed = otherBlocks(after)
  for (const [index, block] of old.entries()) {
    const counterpart = changed[index]
    if (counterpart === undefined) {
      const rule = isOpaque(block) ? rules.opaqueBlockChanged : rules.messagesMoved
      yield violationOf(rule, block.where, { type: block.type })
      return
    }
    yield* checkBlock(block, counterpart, before)
  }
  const added = changed[old.length]
  if (added !== undefined && !isLast) yield violationOf(rules.messagesMoved, added.where)
}

function checkBlock(
  old: PlacedBlock,
  changed: PlacedBlock,
  message: PlacedMessage,
): readonly Violation[] {
  const { where } = changed
  if (isOpaque(old)) {
    const same = sameJson(old.block, changed.block, { ignoring: 'cache_control' })
    return same ? [] : [violationOf(rules.opaqueBlockChanged, where, { type: old.type })]
  }
  const isAttachment = ATTACHMENTS.has(old.type)
  if (old.type !== changed.type && !(isAttachment && changed.type === 'text')) {
    return [violationOf(rules.messagesMoved, where)]
  }
  if (old.type === 'text' && message.role !== 'assistant') {
    const same = sameProse(old.block.text, changed.block.text)
    return same ? [] : [violationOf(rules.userTextChanged, where)]
  }
  const fixed = ['id', 'name', 'tool_use_id', 'caller']
  const isTool = old.type === 'tool_use' || old.type === 'tool_result'
  if (isTool && fixed.some((key) => !sameJson(old.block[key], changed.block[key]))) {
    return [violationOf(rules.idsChanged, where)]
  }
  return []
}

function checkMarkers(old: AnthropicRequest, changed: AnthropicRequest): readonly Violation[] {
  if (old.messages.length !== changed.messages.length) return []
  const before = cacheMarkers(old.body).length
  const after = cacheMarkers(changed.body).length
  if (before === after) return []
  return [violationOf(rules.cacheControlChanged, 'cache_control', { before, after })]
}
