/** The MCP server: memory, and the context tools for sessions that are in the store. */
export { type McpRoute, mcpRoute } from './http.ts'
export type { McpParts, PlacedMemory } from './parts.ts'
export { contextUri, createMcpServer } from './server.ts'
export { type Serving, type StandardStreams, serveStandardStreams } from './standard-streams.ts'
