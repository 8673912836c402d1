import { isJsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { addAll, violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { idOf, type PlacedBlock, type PlacedMessage, type Turn } from './validate-view.ts'

/** Every call has its result in the next turn, and every result its call in the turn before. */
export function checkPairs(turns: readonly Turn[]): readonly Violation[] {
  const found: Violation[] = []
  const seen = new Set<string>()
  for (const [position, turn] of turns.entries()) {
    if (turn.role === 'assistant') {
      addAll(found, checkUniqueIds(turn, seen))
      addAll(found, checkAnswered(turn, turns[position + 1]))
    }
    if (turn.role === 'user') addAll(found, checkAsked(turn, turns[position - 1]))
  }
  return found
}

function blocksOf(turn: Turn | undefined, type: string): readonly PlacedBlock[] {
  return (turn?.messages ?? []).flatMap((message) =>
    message.blocks.filter((block) => block.type === type),
  )
}

function checkUniqueIds(turn: Turn, seen: Set<string>): readonly Violation[] {
  const found: Violation[] = []
  for (const block of blocksOf(turn, 'tool_use')) {
    const id = idOf(block, 'id')
    if (id === null) continue
    if (seen.has(id)) found.push(violationOf(rules.toolUseIdNotUnique, block.where))
    seen.add(id)
  }
  return found
}

/**
 * The results that stand where the API looks for them: when several user messages follow a call, they are combined,
 * and results that come in a message after other content are too late.
 */
function resultsInTime(turn: Turn | undefined): readonly PlacedBlock[] {
  const results: PlacedBlock[] = []
  for (const message of turn?.messages ?? []) {
    const own = message.blocks.filter((block) => block.type === 'tool_result')
    addAll(results, own)
    if (own.length < message.blocks.length) break
  }
  return results
}

/** Of those, the ones that nothing stands before: a message that answers a call begins with its results. */
function leadingResults(turn: Turn | undefined): readonly PlacedBlock[] {
  const results = resultsInTime(turn)
  const blocks = (turn?.messages ?? []).flatMap((message) => message.blocks)
  const end = blocks.findIndex((block) => block.type !== 'tool_result')
  return end === -1 ? results : results.slice(0, end)
}

function checkAnswered(turn: Turn, next: Turn | undefined): readonly Violation[] {
  const answered = new Set(leadingResults(next).map((block) => idOf(block, 'tool_use_id')))
  const found: Violation[] = []
  for (const message of turn.messages) {
    const open = unanswered(message, answered)
    if (open.length === 0) continue
    const values = { ids: open.join(', ') }
    found.push(violationOf(rules.toolUseWithoutResult, message.where, values))
  }
  return found
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

function checkAsked(turn: Turn, previous: Turn | undefined): readonly Violation[] {
  const asked = new Set(
    previous?.role === 'assistant'
      ? blocksOf(previous, 'tool_use').map((block) => idOf(block, 'id'))
      : [],
  )
  const inTime = new Set(resultsInTime(turn))
  const answered = new Set<string>()
  const found: Violation[] = []
  for (const block of blocksOf(turn, 'tool_result')) {
    const id = idOf(block, 'tool_use_id')
    if (id === null) continue
    if (!asked.has(id) || !inTime.has(block)) {
      found.push(violationOf(rules.toolResultWithoutUse, block.where, { id }))
    } else if (answered.has(id)) {
      found.push(violationOf(rules.toolResultNotSingle, block.where, { id }))
    }
    answered.add(id)
  }
  return found
}

/** Results of the provider's own tools follow their call; a call made by code follows the code. */
export function checkServerTools(messages: readonly PlacedMessage[]): readonly Violation[] {
  const seen = new Set<string>()
  const found: Violation[] = []
  for (const block of messages.flatMap((message) => message.blocks)) {
    const { type, where } = block
    const answers = type.endsWith('_tool_result') && type !== 'mcp_tool_result'
    const target = answers ? idOf(block, 'tool_use_id') : null
    if (target !== null && !seen.has(target)) {
      found.push(violationOf(rules.serverResultWithoutUse, where, { type, id: target }))
    }
    const caller = block.block.caller
    const code = isJsonObject(caller) ? caller.tool_id : undefined
    if (typeof code === 'string' && !seen.has(code)) {
      found.push(violationOf(rules.callerMissing, where, { id: code }))
    }
    const id = type.endsWith('tool_use') ? idOf(block, 'id') : null
    if (id !== null) seen.add(id)
  }
  return found
}
