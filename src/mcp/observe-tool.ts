import { hash } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { hearTurn } from '../memory/listen/listener.ts'
import type { McpParts } from './parts.ts'
import { registerTool } from './register-tool.ts'

const input = z.object({
  text: z.string().describe('what the user said, word for word'),
  id: z.string().optional().describe('the id of the message; a message is read once'),
})

/** For clients whose conversations pass through no other door: the agent hands over what the user said. */
export function registerObserveTool(server: McpServer, parts: McpParts): void {
  registerTool(server, parts, {
    name: 'memory_observe',
    description:
      'Reads a message of the user into the memory: facts, preferences and decisions that it states or changes. ' +
      "Give the user's own words, never a summary, a file or a tool result. Answers with what changed.",
    inputSchema: input,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    work: ({ text, id }, call) =>
      call.useMemory(async ({ memory, place }) => {
        const name = id ?? hash('sha256', `${place.session}\u001f${text}`).slice(0, 24)
        const lines = hearTurn(memory, { id: `mcp_${name}`, role: 'user', text }, place)
        await memory.save()
        return lines.length === 0 ? 'nothing to remember' : lines.join('\n')
      }),
  })
}
