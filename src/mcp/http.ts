import { createMcpHandler } from '@modelcontextprotocol/server'
import { seesEverything, type Viewer } from '../gateway/tokens/viewer.ts'
import { ownedStore } from '../store/owned-store.ts'
import type { McpParts } from './parts.ts'
import { createMcpServer } from './server.ts'

/** MCP over streamable HTTP, as a route of the gateway. */
export interface McpRoute {
  readonly path: '/mcp'
  fetch(request: Request, viewer?: Viewer): Promise<Response>
  /** Closes open requests. */
  close(): Promise<void>
}

/** Stateless: any gateway on the same store can answer any request. The gateway checks access. */
export function mcpRoute(parts: McpParts): McpRoute {
  const handlerOf = (seen: McpParts): McpHandler =>
    createMcpHandler(() => createMcpServer(seen), { onerror: (error) => seen.onFault(error) })
  const everything = handlerOf(parts)
  const owned = new Map<string, McpHandler>()

  function handlerFor({ owner }: Viewer): McpHandler {
    if (owner === null) return everything
    const handler = owned.get(owner) ?? handlerOf(partsOf(parts, owner))
    owned.set(owner, handler)
    return handler
  }

  return {
    path: '/mcp',
    fetch: (request, viewer = seesEverything) => handlerFor(viewer).fetch(request),
    async close() {
      for (const handler of [everything, ...owned.values()]) await handler.close()
    },
  }
}

type McpHandler = ReturnType<typeof createMcpHandler>

/** The sessions and the memory of an owner. */
function partsOf(parts: McpParts, owner: string): McpParts {
  return {
    ...parts,
    useStore: (work) => parts.useStore((store) => work(ownedStore(store, owner))),
    useMemory: (work) => parts.useMemory(work, owner),
  }
}
