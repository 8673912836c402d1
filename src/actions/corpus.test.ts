import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isJsonObject, parseJson } from '../core/words/json.ts'
import { actionOf } from './index.ts'

const corpus = join(import.meta.dirname, '../../../shared/corpus')

interface Call {
  readonly tool: string
  readonly text: string
}

const asText = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input ?? {})

/** A call in the shape of any of the recorders, or null. */
function callOf(value: Readonly<Record<string, unknown>>): Call | null {
  const { type, name, tool, state } = value
  if (type === 'tool' && typeof tool === 'string' && isJsonObject(state)) {
    return { tool, text: asText(state.input) }
  }
  if (typeof name !== 'string') return null
  switch (type) {
    case 'tool_use':
    case 'custom_tool_call':
      return { tool: name, text: asText(value.input) }
    case 'function_call':
    case 'toolCall':
      return { tool: name, text: asText(value.arguments) }
    default:
      return 'toolCallId' in value || ('args' in value && 'status' in value)
        ? { tool: name, text: asText(value.arguments ?? value.args) }
        : null
  }
}

function collect(value: unknown, calls: Call[]): void {
  if (Array.isArray(value)) for (const entry of value) collect(entry, calls)
  if (!isJsonObject(value)) return
  const call = callOf(value)
  if (call === null) for (const entry of Object.values(value)) collect(entry, calls)
  else calls.push(call)
}

function recordedCalls(format: string): readonly Call[] {
  const calls: Call[] = []
  for (const name of readdirSync(join(corpus, format))) {
    const text = readFileSync(join(corpus, format, name), 'utf8')
    const whole = parseJson(text)
    const values = whole === undefined ? text.split('\n').map(parseJson) : [whole]
    for (const value of values) collect(value, calls)
  }
  return calls
}

/** Tools that are about no file, command, page, task or search. */
const rightlyOther = new Set([
  // Shows the user a plan.
  'ExitPlanMode',
  // Ask GitHub through a connector.
  '_fetch_pr',
  '_get_commit_combined_status',
])

describe.skipIf(!existsSync(corpus))('recorded sessions', () => {
  it.each(['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode-export', 'pi'])(
    'of %s hold no call that cannot be placed',
    (format) => {
      const calls = recordedCalls(format)
      expect(calls.length).toBeGreaterThan(0)
      const others = calls.filter((call) => actionOf(call).kind === 'other')
      expect(others.filter((call) => !rightlyOther.has(call.tool))).toEqual([])
    },
  )
})
