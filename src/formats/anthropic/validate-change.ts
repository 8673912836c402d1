import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody, sameJson } from '../json-value.ts'
import { modelFamily } from '../model-family.ts'
import { addAll, violationOf } from '../rule.ts'
import { sameProse } from '../same-prose.ts'
import * as rules from './change-rules.ts'
import { cacheMarkers } from './validate-cache.ts'
import { checkPrefix, checkSignedBlocks } from './validate-change-thinking.ts'
import {
  type ComparedRequest,
  isOpaque,
  type MessagePair,
  otherBlocks,
} from './validate-change-view.ts'
import { type PlacedBlock, type PlacedMessage, viewMessages } from './validate-view.ts'

const ATTACHMENTS: ReadonlySet<string> = new Set(['image', 'document', 'search_result'])

/**
 * What the change from `before` to `after` may not have done: altered reasoning or a provider's own blocks, moved
 * messages, touched ids or what the user wrote. `after` may go on after the end of `before`, so that a request can also
 * be compared with the one sent before it. A body that cannot be read has nothing to compare.
 */
export function validateChange(
  before: Body,
  after: Body,
  options: ValidateOptions = {},
): readonly Violation[] {
  const [old, changed] = [compared(before), compared(after)]
  if (old === null || changed === null) return []
  const model = options.model ?? changed.body.model
  const family = modelFamily(typeof model === 'string' ? model : '')
  const pairs: MessagePair[] = []
  const found: Violation[] = []
  for (const [index, message] of old.messages.entries()) {
    const counterpart = changed.messages[index]
    if (counterpart === undefined || counterpart.role !== message.role) {
      found.push(violationOf(rules.messagesMoved, message.where))
      break
    }
    pairs.push({ before: message, after: counterpart })
  }
  for (const pair of pairs) {
    const isLast = pair.before.index === old.messages.length - 1
    addAll(found, checkBlocks(pair, { isLast }))
  }
  addAll(found, checkSignedBlocks(pairs, changed.messages))
  if (family.bindsReasoning) addAll(found, checkPrefix(old, changed))
  addAll(found, checkMarkers(old, changed))
  return found
}

function compared(source: Body): ComparedRequest | null {
  const parsed = parseBody(source)
  if (parsed.kind !== 'object' || !Array.isArray(parsed.body.messages)) return null
  return { body: parsed.body, messages: viewMessages(parsed.body.messages) }
}

function checkBlocks(
  { before, after }: MessagePair,
  { isLast }: { readonly isLast: boolean },
): readonly Violation[] {
  const old = otherBlocks(before)
  const changed = otherBlocks(after)
  const found: Violation[] = []
  for (const [index, block] of old.entries()) {
    const counterpart = changed[index]
    if (counterpart === undefined) {
      const rule = isOpaque(block) ? rules.opaqueBlockChanged : rules.messagesMoved
      return [...found, violationOf(rule, block.where, { type: block.type })]
    }
    addAll(found, checkBlock(block, counterpart, before))
  }
  const added = changed[old.length]
  if (added !== undefined && !isLast) found.push(violationOf(rules.messagesMoved, added.where))
  return found
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

function checkMarkers(old: ComparedRequest, changed: ComparedRequest): readonly Violation[] {
  if (old.messages.length !== changed.messages.length) return []
  const before = cacheMarkers(old.body).length
  const after = cacheMarkers(changed.body).length
  if (before === after) return []
  return [violationOf(rules.cacheControlChanged, 'cache_control', { before, after })]
}
