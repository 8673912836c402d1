import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import { accessTo } from '../gateway/access-table.ts'
import type { Place } from '../memory/index.ts'
import type { Removal } from '../memory/operations/operation.ts'
import type { Store } from '../store/index.ts'
import { askForRoots, type Caller, callerOf } from './caller.ts'
import { type ReachedSessions, reachedSessions } from './find-session.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { type Consent, consentTo } from './person-consent.ts'

/** One call of a tool: who asks, and what they may access. */
export interface Call {
  readonly caller: Caller
  useMemory<Result>(work: (placed: PlacedMemory) => Result | Promise<Result>): Promise<Result>
  useStore<Result>(
    work: (store: Store, reached: ReachedSessions) => Promise<Result>,
  ): Promise<Result>
  /** Asks a person; only for tools that need one according to the access table. */
  consent(removal: Removal): Consent
}

export interface ToolDefinition<Input> {
  readonly name: string
  readonly description: string
  readonly inputSchema: z.ZodType<Input>
  readonly annotations: ToolAnnotations
  work(input: Input, call: Call): Promise<string | InputRequiredResult>
}

/** Registers a tool. Throws when it is not in the access table. */
export function registerTool<Input>(
  server: McpServer,
  parts: McpParts,
  { name, work, inputSchema, description, annotations }: ToolDefinition<Input>,
): void {
  const { needsPerson = false } = accessTo('MCP', name)
  const run = async (
    input: Input,
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> => {
    const caller = callerOf(ctx, parts.caller)
    const asked = askForRoots(ctx, caller)
    if (asked !== null) return asked
    const call: Call = {
      ...reachOf(caller, parts),
      consent(removal) {
        if (!needsPerson)
          throw new Error(`the access table does not mark ${name} as needing a person`)
        return consentTo(removal, { server, ctx, caller, parts })
      },
    }
    return answer(parts, () => work(input, call))
  }
  const schema: z.ZodType = inputSchema
  server.registerTool(name, { description, annotations, inputSchema: schema }, (input, ctx) =>
    run(input as Input, ctx),
  )
}

/** What a caller may access. */
export function reachOf(caller: Caller, parts: McpParts): Omit<Call, 'consent'> {
  const place = placeOf(caller, parts)
  return {
    caller,
    useMemory: (use) => parts.useMemory((memory) => use({ memory, place })),
    useStore: (use) =>
      parts.useStore(async (store) =>
        use(store, await reachedSessions(store, caller, parts.now())),
      ),
  }
}

/** No project has an empty name, so an unknown project sees no project items. */
function placeOf({ project, session }: Caller, { unnamedSession }: McpParts): Place {
  return { project: project ?? '', session: session ?? unnamedSession }
}

/** The tool's answer or the reason for its failure. Never rejects. */
async function answer(
  parts: Pick<McpParts, 'onFault'>,
  work: () => Promise<string | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const done = await work()
    return typeof done === 'string' ? { content: [{ type: 'text', text: done }] } : done
  } catch (error) {
    return { content: [{ type: 'text', text: reasonOf(error, parts) }], isError: true }
  }
}

function reasonOf(error: unknown, { onFault }: Pick<McpParts, 'onFault'>): string {
  if (PalimpsestError.is(error)) return error.message
  onFault(error)
  return `an internal error of palimpsest: ${errorMessage(error)}`
}
