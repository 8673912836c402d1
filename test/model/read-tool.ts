import { jsonSchema, type Tool, tool } from 'ai'

/** The tool that the scripted model calls in a loop of the AI SDK. */
export function readTool(onCall?: () => void): Tool<{ path: string }, string> {
  return tool({
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
    }),
    execute: ({ path }) => {
      onCall?.()
      return `text of ${path}`
    },
  })
}
