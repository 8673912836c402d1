import { arrayOf, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import type { Violation } from '../../src/formats/format.ts'
import type { ModelRequest } from './api.ts'
import { tokensOf } from './cache.ts'
import { asString } from './json.ts'
import type { PromptBlock } from './prompt.ts'

/** What the provider itself left out of a prompt: https://platform.claude.com/docs/en/build-with-claude/context-editing */
export interface ClearedPrompt {
  readonly blocks: readonly PromptBlock[]
  /** For the answer; null when the request says nothing about it. */
  readonly report: { readonly applied_edits: readonly JsonObject[] } | null
}

const beta = 'context-management-2025-06-27'
const cleared = '[Old tool result content cleared]'

/** The field is only known to requests that name its beta. */
export function checkManagement({ api, body }: ModelRequest, betas: string): readonly Violation[] {
  if (api !== 'anthropic' || body.context_management === undefined) return []
  if (betas.split(',').some((each) => each.trim() === beta)) return []
  const where = 'context_management'
  const message = `${where}: Extra inputs are not permitted`
  return [{ rule: 'anthropic/extra-input', where, message }]
}

/** Clears the oldest results once the prompt is long enough. Reasoning stays bound to what the client sent. */
export function clearResults(request: ModelRequest, blocks: readonly PromptBlock[]): ClearedPrompt {
  const { api, body } = request
  if (api !== 'anthropic' || body.context_management === undefined) return { blocks, report: null }
  const edits = arrayOf(objectOf(body.context_management).edits).map(objectOf)
  const edit = edits.find(({ type }) => type === 'clear_tool_uses_20250919')
  const found = edit === undefined ? null : clear(blocks, edit)
  if (found === null) return { blocks, report: { applied_edits: [] } }
  const applied = {
    type: 'clear_tool_uses_20250919',
    cleared_tool_uses: found.results,
    cleared_input_tokens: found.tokens,
  }
  return { blocks: found.blocks, report: { applied_edits: [applied] } }
}

interface Found {
  readonly blocks: readonly PromptBlock[]
  readonly results: number
  readonly tokens: number
}

function clear(blocks: readonly PromptBlock[], edit: JsonObject): Found | null {
  const total = blocks.reduce((sum, { text }) => sum + tokensOf(text), 0)
  const calls = blocks.filter(({ block }) => block.type === 'tool_use')
  const trigger = objectOf(edit.trigger)
  const reached = trigger.type === 'tool_uses' ? calls.length : total
  if (reached <= numberIn(trigger, 100_000)) return null
  const excluded = new Set(arrayOf(edit.exclude_tools).map(asString))
  const kept = new Set(calls.slice(-numberIn(objectOf(edit.keep), 3)).map(({ block }) => block.id))
  const names = new Map(calls.map(({ block }) => [block.id, asString(block.name)]))
  let results = 0
  let tokens = 0
  const shown = blocks.map((each) => {
    const { block, text } = each
    const id = block.tool_use_id
    const stays = block.type !== 'tool_result' || kept.has(id) || excluded.has(names.get(id) ?? '')
    if (stays) return each
    const left = `${each.role}:${cleared}`
    results += 1
    tokens += Math.max(0, tokensOf(text) - tokensOf(left))
    return { ...each, text: left }
  })
  return tokens < numberIn(objectOf(edit.clear_at_least), 1)
    ? null
    : { blocks: shown, results, tokens }
}

function numberIn({ value }: JsonObject, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}
