import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpParts } from './parts.ts'
import { createMcpServer } from './server.ts'

/** Streamable HTTP below one path; the gateway takes it as a route of its own. */
export interface McpRoute {
  readonly path: '/mcp'
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Stateless: any gateway on the same store can answer any request. Who may ask at all is the gateway's business. */
export function mcpRoute(parts: McpParts): McpRoute {
  const handler = createMcpHandler(() => createMcpServer(parts), {
    onerror: (error) => parts.onFault(error),
  })
  // The gateway's process keeps its own globals.
  const listener = getRequestListener((request) => handler.fetch(request), {
    overrideGlobalObjects: false,
  })
  return {
    path: '/mcp',
    async handle(request, response) {
      await listener(request, response)
    },
    close: () => handler.close(),
  }
}
