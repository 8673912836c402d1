import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpParts } from './parts.ts'
import { createMcpServer } from './server.ts'

/** MCP over streamable HTTP, as a route of the gateway. */
export interface McpRoute {
  readonly path: '/mcp'
  fetch(request: Request): Promise<Response>
  /** Closes open requests. */
  close(): Promise<void>
}

/** Stateless: any gateway on the same store can answer any request. The gateway checks access. */
export function mcpRoute(parts: McpParts): McpRoute {
  const handler = createMcpHandler(() => createMcpServer(parts), {
    onerror: (error) => parts.onFault(error),
  })
  return {
    path: '/mcp',
    fetch: (request) => handler.fetch(request),
    close: () => handler.close(),
  }
}
