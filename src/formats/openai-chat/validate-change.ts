import { isJsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { sameJson } from '../json-value.ts'
import { violationOf } from '../rule.ts'
import { keepsTexts } from '../same-prose.ts'
import * as rules from './rules.ts'
import type { ChatRequest, PlacedMessage } from './validate-view.ts'

/** Fields with a provider's signature or encrypted reasoning. */
const SIGNED_FIELDS = ['reasoning_details', 'reasoning_opaque', 'extra_content']

/** Reports changes to order, ids, signed reasoning or user text. */
export function* compare(old: ChatRequest, changed: ChatRequest): Generator<Violation> {
  for (const [index, message] of old.messages.entries()) {
    const counterpart = changed.messages[index]
    if (counterpart === undefined || counterpart.role !== message.role) {
      yield violationOf(rules.messagesMoved, message.where)
      return
    }
    yield* checkMessage(message, counterpart)
  }
}

function* checkMessage(old: PlacedMessage, changed: PlacedMessage): Generator<Violation> {
  const { where } = changed
  const isProse = old.role !== 'assistant' && old.role !== 'tool' && old.role !== 'function'
  if (isProse && !keepsTexts(old.message.content, changed.message.content)) {
    yield violationOf(rules.userTextChanged, `${where}.content`)
  }
  if (!keepsIds(old, changed)) yield violationOf(rules.idsChanged, where)
  if (!keepsSignatures(old, changed)) {
    yield violationOf(rules.signedReasoningAltered, where)
  }
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
  // A call stays when its reasoning is removed, so its signature must stay too.
  return (
    kept &&
    old.calls.every(({ call }, index) =>
      sameJson(call.extra_content, changed.calls[index]?.call.extra_content),
    )
  )
}
