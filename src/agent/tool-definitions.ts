import { pruneActions } from './prune-request.ts'

/** A tool that the model can call, as JSON schema describes it. */
export interface AgentTool {
  readonly name: 'context_prune' | 'context_info' | 'context_restore'
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** Explains the hint in placeholders to the model. */
export const restoreInstruction =
  'Where a line says "context_restore a1b2c3", call context_restore with that handle when the original is needed.'

/** The tool's description. The gateway recognises the tool by it, because clients may rename tools. */
export const restoreDescription: string =
  'Shows the original of something that was shortened or left out, by its handle. ' +
  'lines ("40-80") and grep (a pattern) show part of it.'

/** The agent's own tools. Their descriptions are short, because every request contains them. */
export const agentTools: readonly AgentTool[] = [
  {
    name: 'context_prune',
    description:
      'Frees context. Large tool outputs end with [handle a1b2c3]; context_info lists all handles, of messages and reasoning too. ' +
      'discard: targets [[handle], …]. distill: [[handle, summary], …] keeps the summary instead. ' +
      'replace: [[start, end, replacement], …] replaces your own text from start to end. ' +
      'Originals stay available to context_restore.',
    inputSchema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: [...pruneActions] },
        targets: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      },
      required: ['action', 'targets'],
      additionalProperties: false,
    },
  },
  {
    name: 'context_info',
    description: 'Shows how full the context is, and what could be pruned, with handles.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: 'context_restore',
    description: restoreDescription,
    inputSchema: {
      type: 'object',
      properties: {
        handle: { type: 'string' },
        lines: { type: 'string' },
        grep: { type: 'string' },
      },
      required: ['handle'],
      additionalProperties: false,
    },
  },
]
