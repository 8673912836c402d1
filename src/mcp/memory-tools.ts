import type { McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { forgetInSessions } from '../memory/forget/forget-sessions.ts'
import { memoryOperations } from '../memory/operations/index.ts'
import type { MemoryAccess, MemoryOperation } from '../memory/operations/operation.ts'
import { forgetInExports } from './exported-files.ts'
import type { McpParts } from './parts.ts'
import type { Consent } from './person-consent.ts'
import { type Call, registerTool } from './register-tool.ts'

const changing = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const
const annotations: Readonly<Record<MemoryOperation['effect'], ToolAnnotations>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: changing,
  removes: { ...changing, destructiveHint: true },
}

/** Makes a tool of each memory operation. */
export function registerMemoryTools(server: McpServer, parts: McpParts): void {
  for (const operation of memoryOperations)
    registerTool(server, parts, {
      name: `memory_${operation.name}`,
      description: operation.toolDescription,
      inputSchema: operation.input,
      annotations: annotations[operation.effect],
      async work(input, call) {
        let consent: Consent = 'agreed'
        const result = await call.useMemory(({ memory, place }) => {
          const access: MemoryAccess = {
            memory,
            place,
            caller: 'agent',
            reach: () => reachOf(call),
            async consent(removal) {
              consent = call.consent(removal)
              return consent === 'agreed'
            },
            forgetInSessions: (target) =>
              parts.useStore((store) => forgetInSessions(store, target)),
            forgetInExports: (target) => forgetInExports(memory, parts.home, target),
          }
          return operation.run(input, access)
        })
        return result?.answer() ?? consent
      },
    })
}

/** Says of every stored session whether the caller may read it. */
async function reachOf({ useStore }: Call): Promise<(session: string) => boolean | undefined> {
  const sessions = await useStore(async (store, { all }) => {
    const stored = (await store.sessions()).map(({ id }) => [id, false] as const)
    return new Map([...stored, ...all.map(({ id }) => [id, true] as const)])
  })
  return (session) => sessions.get(session)
}
