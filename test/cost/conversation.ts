import { restoreDescription } from '../../src/agent/tool-definitions.ts'

/** A part of a message, whatever API it is sent to. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: object }
  | { readonly kind: 'result'; readonly id: string; readonly text: string }

export interface Said {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Part[]
  /** Only there because the agent brought something back. */
  readonly isRestore?: boolean
}

/** Where a client marks what it wants cached. */
export type Marking = 'claude-code' | 'last-message' | 'automatic' | 'system-only' | 'none'

export interface BodyOptions {
  readonly model: string
  readonly marking: Marking
  readonly ttl: '5m' | '1h' | null
  /** Characters of the system prompt. */
  readonly systemSize: number
}

/** The body that an agent sends: to Claude's API for Claude's models, otherwise to OpenAI's Responses. */
export function bodyOf(said: readonly Said[], options: BodyOptions): string {
  const { model, systemSize } = options
  const system = `You are a coding agent. ${'Work with care and check what you did. '.repeat(
    Math.ceil(systemSize / 39),
  )}`.slice(0, Math.max(24, systemSize))
  if (model.startsWith('claude')) return JSON.stringify(claudeBody(said, system, options))
  const parts = said.flatMap(({ role, parts }) => parts.map((part) => responsesItem(role, part)))
  return JSON.stringify({
    model,
    store: false,
    instructions: system,
    tools: tools.map((tool) => ({ type: 'function', ...tool, parameters: { type: 'object' } })),
    input: parts,
  })
}

const tools = [
  { name: 'Read', description: 'Reads a file.' },
  { name: 'Edit', description: 'Edits a file.' },
  { name: 'Bash', description: 'Runs a command.' },
  { name: 'Grep', description: 'Searches files.' },
  { name: 'context_restore', description: restoreDescription },
]

function responsesItem(role: Said['role'], part: Part): object {
  switch (part.kind) {
    case 'text': {
      const type = role === 'assistant' ? 'output_text' : 'input_text'
      return { type: 'message', role, content: [{ type, text: part.text }] }
    }
    case 'call':
      return {
        type: 'function_call',
        call_id: part.id,
        name: part.tool,
        arguments: JSON.stringify(part.input),
      }
    case 'result':
      return { type: 'function_call_output', call_id: part.id, output: part.text }
  }
}

interface ClaudeMessage {
  readonly role: Said['role']
  readonly content: object[]
}

function claudeBody(said: readonly Said[], system: string, options: BodyOptions): object {
  const { model, marking, ttl } = options
  const asked = { cache_control: { type: 'ephemeral', ...(ttl === null ? {} : { ttl }) } }
  const marksSystem = marking === 'claude-code' || marking === 'system-only'
  const messages: ClaudeMessage[] = said.map(({ role, parts }) => ({
    role,
    content: parts.map(claudeBlock),
  }))
  const users = messages.filter(({ role }) => role === 'user')
  const marked = { 'claude-code': 2, 'last-message': 1 }[marking as string] ?? 0
  for (const { content } of marked === 0 ? [] : users.slice(-marked))
    content.push({ ...content.pop(), ...asked })
  return {
    model,
    max_tokens: 8000,
    ...(marking === 'automatic' ? asked : {}),
    system: [{ type: 'text', text: system, ...(marksSystem ? asked : {}) }],
    tools: tools.map((tool) => ({ ...tool, input_schema: { type: 'object' } })),
    messages,
  }
}

function claudeBlock(part: Part): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.tool, input: part.input }
    case 'result':
      return { type: 'tool_result', tool_use_id: part.id, content: part.text }
  }
}
