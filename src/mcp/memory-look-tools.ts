import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { chainOf, memoryContext, searchMemory, statusAt } from '../memory/index.ts'
import { isVisible, visibleItems } from '../memory/visible.ts'
import { timeOf } from './new-item.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { type Call, registerTool } from './register-tool.ts'
import { knownItem, shownItem } from './shown-item.ts'

const looking = { readOnlyHint: true, openWorldHint: false } as const
const itemId = z.string().describe('the id of a memory item')
const all = z.boolean().optional().describe('superseded and retracted items too, marked')
const limited = (most: number): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(1).max(1_000).optional().describe(`at most so many; ${most} when left out`)
const mostListed = 200
const mostFound = 20

/** The tools that only look at what is remembered. */
export function registerMemoryLooks(server: McpServer, parts: McpParts): void {
  const look = async (call: Call, work: (placed: PlacedMemory) => unknown): Promise<string> =>
    JSON.stringify(await call.useMemory(work))

  registerTool(server, parts, {
    name: 'memory_list',
    description:
      'Lists what is remembered for this project, in the order in which it was recorded.',
    inputSchema: z.object({
      all,
      kind: z.enum(['fact', 'preference', 'decision']).optional(),
      asOf: z.string().optional().describe('a date: what was true then'),
      recorded: z.string().optional().describe('a date: what was known then'),
      limit: limited(mostListed),
    }),
    annotations: looking,
    work: (input, call) =>
      look(call, ({ memory, place }) => {
        const now = memory.now()
        const asOf = {
          ...(input.asOf === undefined ? {} : { valid: timeOf(input.asOf) }),
          ...(input.recorded === undefined ? {} : { recorded: timeOf(input.recorded) }),
        }
        const items = visibleItems(memory.state, place)
          .filter(({ item }) => input.kind === undefined || item.kind === input.kind)
          .map((entry) => ({ entry, status: statusAt(entry, now, asOf) }))
          .filter(({ status }) => status === 'current' || (input.all && status !== 'unknown'))
        const shown = items.slice(-(input.limit ?? mostListed))
        return {
          items: shown.map(({ entry, status }) => shownItem(entry, now, status)),
          ...(shown.length < items.length ? { earlierLeftOut: items.length - shown.length } : {}),
        }
      }),
  })
  registerTool(server, parts, {
    name: 'memory_get',
    description: 'One memory item, with everything that is known of it.',
    inputSchema: z.object({ id: itemId }),
    annotations: looking,
    work: ({ id }, call) => look(call, (placed) => knownItem(placed, id)),
  })
  registerTool(server, parts, {
    name: 'memory_search',
    description: 'Searches what is remembered and what was said, the best first.',
    inputSchema: z.object({ query: z.string().min(1), all, limit: limited(mostFound) }),
    annotations: looking,
    async work(input, call) {
      const sessions = await call.useStore(async (store, { all: reached }) => {
        const found = (await store.sessions()).map(({ id }) => [id, false] as const)
        return new Map([...found, ...reached.map(({ id }) => [id, true] as const)])
      })
      return look(call, ({ memory, place }) => {
        const include = input.all ? 'all' : 'current'
        const limit = input.limit ?? mostFound
        const reach = (session: string): boolean | undefined => sessions.get(session)
        const hits = searchMemory(memory, input.query, { include, limit, place, reach })
        return hits.map(({ score, at, ...hit }) => ({ ...hit, at: new Date(at).toISOString() }))
      })
    },
  })
  registerTool(server, parts, {
    name: 'memory_history',
    description: 'The chain of a memory item, oldest first: what it replaced and what replaced it.',
    inputSchema: z.object({ id: itemId.describe('any member of the chain') }),
    annotations: looking,
    work: ({ id }, call) =>
      look(call, (placed) => {
        const { memory, place } = placed
        knownItem(placed, id)
        return chainOf(memory.state, id)
          .filter(({ item }) => isVisible(item.scope, place))
          .map((entry) => shownItem(entry, memory.now()))
      }),
  })
  registerTool(server, parts, {
    name: 'memory_context',
    description: 'What is remembered that matters for a task, as text within a budget of tokens.',
    inputSchema: z.object({
      query: z.string().optional().describe('what the task is'),
      budget: z.number().int().min(0).max(100_000).optional().describe('in tokens'),
    }),
    annotations: looking,
    work: async ({ query, budget }, call) =>
      (await contextText(call, query, budget)) || nothingRemembered,
  })
}

export const nothingRemembered = 'Nothing is remembered.'

/** The text that a model would be given; empty when nothing is remembered. */
export function contextText(
  call: Pick<Call, 'useMemory'>,
  query?: string,
  budgetTokens?: number,
): Promise<string> {
  return call.useMemory(({ memory, place }) =>
    memoryContext(memory, place, {
      ...(query === undefined || query.trim() === '' ? {} : { query }),
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    }),
  )
}
