import { isJsonObject } from '../../core/words/json.ts'
import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody, sameJson } from '../json-value.ts'
import { addAll, violationOf } from '../rule.ts'
import { keepsTexts } from '../same-prose.ts'
import * as rules from './rules.ts'
import { type PlacedMessage, viewMessages } from './validate-view.ts'

/** Fields that hold a provider's signature or encrypted reasoning. */
const SIGNED_FIELDS = ['reasoning_details', 'reasoning_opaque', 'extra_content']

/**
 * What the change from `before` to `after` may not have done: moved messages, touched ids or what the user wrote, or
 * altered signed reasoning. `after` may go on after the end of `before`. A body that cannot be read has nothing to
 * compare.
 */
export function validateChange(
  before: Body,
  after: Body,
  _options: ValidateOptions = {},
): readonly Violation[] {
  const [old, changed] = [messagesOf(before), messagesOf(after)]
  if (old === null || changed === null) return []
  const found: Violation[] = []
  for (const [index, message] of old.entries()) {
    const counterpart = changed[index]
    if (counterpart === undefined || counterpart.role !== message.role) {
      return [...found, violationOf(rules.messagesMoved, message.where)]
    }
    addAll(found, checkMessage(message, counterpart))
  }
  return found
}

function messagesOf(source: Body): readonly PlacedMessage[] | null {
  const parsed = parseBody(source)
  if (parsed.kind !== 'object' || !Array.isArray(parsed.body.messages)) return null
  return viewMessages(parsed.body.messages)
}

function checkMessage(old: PlacedMessage, changed: PlacedMessage): readonly Violation[] {
  const found: Violation[] = []
  const { where } = changed
  const isProse = old.role !== 'assistant' && old.role !== 'tool' && old.role !== 'function'
  if (isProse && !keepsTexts(old.message.content, changed.message.content)) {
    found.push(violationOf(rules.userTextChanged, `${where}.content`))
  }
  if (!keepsIds(old, changed)) found.push(violationOf(rules.idsChanged, where))
  if (!keepsSignatures(old, changed)) {
    found.push(violationOf(rules.signedReasoningAltered, where))
  }
  return found
}

function keepsIds(old: PlacedMessage, changed: PlacedMessage): boolean {
  return (
    old.message.tool_call_id === changed.message.tool_call_id &&
    old.calls.length === changed.calls.length &&
    old.calls.every(({ id, call }, index) => {
      const other = changed.calls[index]
      return id === other?.id && nameOf(call) === nameOf(other.call)
    })
  )
}

function nameOf(call: Readonly<Record<string, unknown>>): unknown {
  const tool = call.function ?? call.custom
  return isJsonObject(tool) ? tool.name : undefined
}

function keepsSignatures(old: PlacedMessage, changed: PlacedMessage): boolean {
  const kept = SIGNED_FIELDS.every((field) => {
    const now = changed.message[field]
    return now === undefined || sameJson(old.message[field], now)
  })
  // A call stays when its reasoning goes, so what signs it stays with it.
  return (
    kept &&
    old.calls.every(({ call }, index) =>
      sameJson(call.extra_content, changed.calls[index]?.call.extra_content),
    )
  )
}
