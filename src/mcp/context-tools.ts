import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { contextRestore } from '../agent/context-restore.ts'
import { foldedLinesIn, handleIn } from '../agent/find-item.ts'
import { restoreDescription } from '../agent/tool-definitions.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { SessionSummary, Store } from '../store/index.ts'
import { originalOf, type ReachedSessions, sessionsCalled } from './find-session.ts'
import type { McpParts } from './parts.ts'
import { type Call, registerTool } from './register-tool.ts'
import { storedContextText, storedSession } from './stored-context.ts'

const readOnly = { readOnlyHint: true, openWorldHint: false } as const
const shortestHandle = 6
const mostOthers = 5

/** Tools for agents whose sessions are in the store: those behind the gateway or with the plugin. */
export function registerContextTools(server: McpServer, parts: McpParts): void {
  registerTool(server, parts, {
    name: 'context_restore',
    description: restoreDescription,
    inputSchema: z.object({
      handle: z.string(),
      session: z.string().optional().describe('only needed when sessions differ under the handle'),
      lines: z.coerce.string().optional(),
      grep: z.string().optional(),
    }),
    annotations: readOnly,
    work: (input, call) => restore(input, parts, call),
  })
  registerTool(server, parts, {
    name: 'context_info',
    description:
      'Shows how full the context of a session is, and what was left out of it, with handles. ' +
      'Without a session, of your own where the client tells it, or else of the last used one of this folder.',
    inputSchema: z.object({ session: z.string().optional() }),
    annotations: readOnly,
    work: ({ session }, call) =>
      call.useStore((store, reached) => info(store, session, reached, parts)),
  })
}

interface RestoreInput {
  readonly handle: string
  readonly session?: string | undefined
  readonly lines?: string | undefined
  readonly grep?: string | undefined
}

async function restore(input: RestoreInput, parts: McpParts, call: Call): Promise<string> {
  const { grep } = input
  const lines = input.lines ?? foldedLinesIn(input.handle) ?? undefined
  const handle = handleIn(input.handle)
  if (handle === null || handle.length < shortestHandle)
    throw new PalimpsestError(
      'usage',
      `"${input.handle}" is not a valid handle: use six or more hex digits`,
    )
  const text = await call.useStore((store, reached) =>
    originalOf(store, handle, reached, input.session || undefined),
  )
  // The text comes from the store, so the session in which it is looked up is empty.
  const emptySession = { history: [], engine: parts.maker.make([], { cwd: null, model: null }) }
  return contextRestore(emptySession, { handle, lines, grep }, () => text)
}

async function info(
  store: Store,
  name: string | undefined,
  { asking, all }: ReachedSessions,
  parts: McpParts,
): Promise<string> {
  const sessions = name ? sessionsCalled(all, name) : [...new Set([...asking, ...all])]
  const [chosen, ...others] = sessions.filter(({ messages }) => messages > 0)
  if (chosen === undefined) return 'No session of this folder has any messages in the store.'
  const loaded = await store.load(chosen)
  const receipts = await store.receipts(chosen)
  const session = storedSession(loaded, receipts, parts)
  return [
    `Session ${chosen.id} (${chosen.origin}), last used ${usedAt(chosen)}`,
    ...(others.length === 0 ? [] : [othersLine(others)]),
    session === null
      ? 'Nothing was said in it.'
      : storedContextText(session, loaded.statistics, receipts),
  ].join('\n')
}

function othersLine(others: readonly SessionSummary[]): string {
  const named = others.slice(0, mostOthers).map((each) => `${each.id} (${usedAt(each)})`)
  const rest = others.length - named.length
  return `Others: ${named.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}

function usedAt(session: SessionSummary): string {
  return new Date(session.usedAt).toISOString()
}
