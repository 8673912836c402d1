import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { contextRestore } from '../agent/context-restore.ts'
import { foldedLinesIn, handleIn } from '../agent/find-item.ts'
import { restoreDescription } from '../agent/tool-definitions.ts'
import { PalimpsestError } from '../core/errors.ts'
import type { SessionSummary, Store } from '../store/index.ts'
import { originalOf, sessionsCalled } from './find-session.ts'
import type { McpParts } from './parts.ts'
import { storedContextText, storedSession } from './stored-context.ts'
import { answer } from './tool-answer.ts'

const looking = { readOnlyHint: true, openWorldHint: false } as const
const shortestHandle = 6
const mostOthers = 5

/** The tools for agents whose sessions are in the store, because they work behind the gateway or with the plugin. */
export function registerContextTools(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'context_restore',
    {
      description: restoreDescription,
      inputSchema: z.object({
        handle: z.string(),
        session: z
          .string()
          .optional()
          .describe('only needed when sessions differ under the handle'),
        lines: z.coerce.string().optional(),
        grep: z.string().optional(),
      }),
      annotations: looking,
    },
    (input) => answer(parts, () => restore(input, parts)),
  )
  server.registerTool(
    'context_info',
    {
      description:
        'Shows how full the context of a session is, and what was left out of it, with handles. ' +
        'Without a session, of your own where the client tells it, or else of the last used one.',
      inputSchema: z.object({ session: z.string().optional() }),
      annotations: looking,
    },
    ({ session }) => answer(parts, () => parts.useStore((store) => info(store, session, parts))),
  )
}

interface RestoreInput {
  readonly handle: string
  readonly session?: string | undefined
  readonly lines?: string | undefined
  readonly grep?: string | undefined
}

async function restore(input: RestoreInput, parts: McpParts): Promise<string> {
  const { grep } = input
  const lines = input.lines ?? foldedLinesIn(input.handle) ?? undefined
  const handle = handleIn(input.handle)
  if (handle === null || handle.length < shortestHandle)
    throw new PalimpsestError('usage', `"${input.handle}" is no handle: six or more hex digits`)
  const text = await parts.useStore((store) => meantOriginal(store, handle, input.session, parts))
  // The text is already found: an empty conversation leaves only its lines to be chosen.
  const nowhere = { history: [], engine: parts.maker.make([], { cwd: null, model: null }) }
  return contextRestore(nowhere, { handle, lines, grep }, () => text)
}

/** Sessions may have different texts under a handle; then the one that asks means its own. */
async function meantOriginal(
  store: Store,
  handle: string,
  name: string | undefined,
  { ownSession }: McpParts,
): Promise<string> {
  if (name || ownSession === undefined) return originalOf(store, handle, name || undefined)
  const own = (await store.sessions()).find(({ id }) => id === ownSession)
  const found = own === undefined ? null : await store.original(handle, own)
  return found?.kind === 'found' ? found.text : originalOf(store, handle)
}

async function info(store: Store, name: string | undefined, parts: McpParts): Promise<string> {
  const sessions = name ? await sessionsCalled(store, name) : await store.sessions()
  const spoken = sessions.filter(({ messages }) => messages > 0)
  const own = name ? undefined : spoken.find(({ id }) => id === parts.ownSession)
  const [chosen, ...others] =
    own === undefined ? spoken : [own, ...spoken.filter((each) => each !== own)]
  if (chosen === undefined) return 'No session in the store has any messages.'
  const loaded = await store.load(chosen)
  const session = storedSession(loaded, await store.receipts(chosen), parts)
  return [
    `Session ${chosen.id} (${chosen.origin}), last used ${usedAt(chosen)}`,
    ...(others.length === 0 ? [] : [othersLine(others)]),
    session === null ? 'Nothing was said in it.' : storedContextText(session, loaded.statistics),
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
