import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpParts } from './parts.ts'
import { createMcpServer } from './server.ts'

/** MCP over streamable HTTP, as a route of the gateway. */
export interface McpRoute {
  readonly path: '/mcp'
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Closes open requests. */
  close(): Promise<void>
}

/** Stateless: any gateway on the same store can answer any request. The gateway checks access. */
export function mcpRoute(parts: McpParts): McpRoute {
  const handler = createMcpHandler(() => createMcpServer(parts), {
    onerror: (error) => parts.onFault(error),
  })
  // The library must not replace globals of the gateway's process.
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
