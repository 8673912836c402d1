import { isJsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { idOf, type PlacedBlock, type PlacedMessage, type Turn } from './validate-view.ts'

/** Every call needs its result in the next turn, and every result its call in the previous turn. */
export function* checkPairs(turns: readonly Turn[]): Generator<Violation> {
  const seen = new Set<string>()
  for (const [position, turn] of turns.entries()) {
    if (turn.role === 'assistant') {
      yield* checkUniqueIds(turn, seen)
      yield* checkAnswered(turn, turns[position + 1])
    }
    if (turn.role === 'user') yield* checkAsked(turn, turns[position - 1])
  }
}

function blocksOf(turn: Turn | undefined, type: string): readonly PlacedBlock[] {
  return (turn?.messages ?? []).flatMap((message) =>
    message.blocks.filter((block) => block.type === type),
  )
}

function* checkUniqueIds(turn: Turn, seen: Set<string>): Generator<Violation> {
  for (const block of blocksOf(turn, 'tool_use')) {
    const id = idOf(block, 'id')
    if (id === null) continue
    if (seen.has(id)) yield violationOf(rules.toolUseIdNotUnique, block.where)
    seen.add(id)
  }
}

/**
 * The results where the API expects them. It combines consecutive user messages, but ignores results in messages after
 * other content.
 */
function resultsInTime(turn: Turn | undefined): readonly PlacedBlock[] {
  const results: PlacedBlock[] = []
  for (const message of turn?.messages ?? []) {
    const own = message.blocks.filter((block) => block.type === 'tool_result')
    for (const block of own) results.push(block)
    if (own.length < message.blocks.length) break
  }
  return results
}

/** The results before any other content, because a message that answers a call must start with its results. */
function leadingResults(turn: Turn | undefined): readonly PlacedBlock[] {
  const results = resultsInTime(turn)
  const blocks = (turn?.messages ?? []).flatMap((message) => message.blocks)
  const end = blocks.findIndex((block) => block.type !== 'tool_result')
  return end === -1 ? results : results.slice(0, end)
}

function* checkAnswered(turn: Turn, next: Turn | undefined): Generator<Violation> {
  const answered = new Set(leadingResults(next).map((block) => idOf(block, 'tool_use_id')))
  for (const message of turn.messages) {
    const open = unanswered(message, answered)
    if (open.length === 0) continue
    const values = { ids: open.join(', ') }
    yield violationOf(rules.toolUseWithoutResult, message.where, values)
  }
}

function unanswered(
  message: PlacedMessage,
  answered: ReadonlySet<string | null>,
): readonly string[] {
  return message.blocks.flatMap((block) => {
    const id = block.type === 'tool_use' ? idOf(block, 'id') : null
    return id === null || answered.has(id) ? [] : [id]
  })
}

function* checkAsked(turn: Turn, previous: Turn | undefined): Generator<Violation> {
  const asked = new Set(
    previous?.role === 'assistant'
      ? blocksOf(previous, 'tool_use').map((block) => idOf(block, 'id'))
      : [],
  )
  const inTime = new Set(resultsInTime(turn))
  const answered = new Set<string>()
  for (const block of blocksOf(turn, 'tool_result')) {
    const id = idOf(block, 'tool_use_id')
    if (id === null) continue
    if (!asked.has(id) || !inTime.has(block)) {
      yield violationOf(rules.toolResultWithoutUse, block.where, { id })
    } else if (answered.has(id)) {
      yield violationOf(rules.toolResultNotSingle, block.where, { id })
    }
    answered.add(id)
  }
}

/** Results of server tools must follow their call, and calls made by code must follow the code. */
export function* checkServerTools(messages: readonly PlacedMessage[]): Generator<Violation> {
  const seen = new Set<string>()
  for (const block of messages.flatMap((message) => message.blocks)) {
    const { type, where } = block
    const answers = type.endsWith('_tool_result') && type !== 'mcp_tool_result'
    const target = answers ? idOf(block, 'tool_use_id') : null
    if (target !== null && !seen.has(target)) {
      yield violationOf(rules.serverResultWithoutUse, where, { type, id: target })
    }
    const caller = block.block.caller
    const code = isJsonObject(caller) ? caller.tool_id : undefined
    if (typeof code === 'string' && !seen.has(code)) {
      yield violationOf(rules.callerMissing, where, { id: code })
    }
    const id = type.endsWith('tool_use') ? idOf(block, 'id') : null
    if (id !== null) seen.add(id)
  }
}
