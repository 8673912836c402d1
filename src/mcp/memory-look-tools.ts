import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { PalimpsestError } from '../core/errors.ts'
import { chainOf, memoryContext, searchMemory, statusAt } from '../memory/index.ts'
import { visibleItems } from '../memory/visible.ts'
import { timeOf } from './new-item.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { knownItem, shownItem } from './shown-item.ts'
import { answer } from './tool-answer.ts'

const looking = { readOnlyHint: true, openWorldHint: false } as const
const itemId = z.string().describe('the id of a memory item')
const all = z.boolean().optional().describe('superseded and retracted items too, marked')
const limited = (most: number): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(1).max(1_000).optional().describe(`at most so many; ${most} when left out`)
const mostListed = 200
const mostFound = 20

/** The tools that only look at what is remembered. */
export function registerMemoryLooks(server: McpServer, parts: McpParts): void {
  const look = (work: (placed: PlacedMemory) => unknown): ReturnType<typeof answer> =>
    answer(parts, async () => JSON.stringify(await parts.useMemory(work)))

  server.registerTool(
    'memory_list',
    {
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
    },
    (input) =>
      look(({ memory, place }) => {
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
  )
  server.registerTool(
    'memory_get',
    {
      description: 'One memory item, with everything that is known of it.',
      inputSchema: z.object({ id: itemId }),
      annotations: looking,
    },
    ({ id }) => look(({ memory }) => knownItem(memory, id)),
  )
  server.registerTool(
    'memory_search',
    {
      description: 'Searches what is remembered and what was said, the best first.',
      inputSchema: z.object({ query: z.string().min(1), all, limit: limited(mostFound) }),
      annotations: looking,
    },
    (input) =>
      look(({ memory, place }) => {
        const include = input.all ? 'all' : 'current'
        const limit = input.limit ?? mostFound
        const hits = searchMemory(memory, input.query, { include, limit, place })
        return hits.map(({ score, at, ...hit }) => ({ ...hit, at: new Date(at).toISOString() }))
      }),
  )
  server.registerTool(
    'memory_history',
    {
      description:
        'The chain of a memory item, oldest first: what it replaced and what replaced it.',
      inputSchema: z.object({ id: itemId.describe('any member of the chain') }),
      annotations: looking,
    },
    ({ id }) =>
      look(({ memory }) => {
        const chain = chainOf(memory.state, id)
        if (chain.length === 0) throw new PalimpsestError('usage', `there is no memory item ${id}`)
        return chain.map((entry) => shownItem(entry, memory.now()))
      }),
  )
  server.registerTool(
    'memory_context',
    {
      description: 'What is remembered that matters for a task, as text within a budget of tokens.',
      inputSchema: z.object({
        query: z.string().optional().describe('what the task is'),
        budget: z.number().int().min(0).max(100_000).optional().describe('in tokens'),
      }),
      annotations: looking,
    },
    ({ query, budget }) =>
      answer(parts, async () => (await contextText(parts, query, budget)) || nothingRemembered),
  )
}

export const nothingRemembered = 'Nothing is remembered.'

/** The text that a model would be given; empty when nothing is remembered. */
export function contextText(
  parts: Pick<McpParts, 'useMemory'>,
  query?: string,
  budgetTokens?: number,
): Promise<string> {
  return parts.useMemory(({ memory, place }) =>
    memoryContext(memory, place, {
      ...(query === undefined || query.trim() === '' ? {} : { query }),
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    }),
  )
}
