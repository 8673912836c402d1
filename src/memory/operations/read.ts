import * as z from 'zod'
import { PalimpsestError } from '../../core/words/errors.ts'
import { memoryContext } from '../context/context.ts'
import { searchMemory } from '../search/search.ts'
import { statusAt } from '../state/as-of.ts'
import { chainOf } from '../state/chain.ts'
import { visibleItems } from '../visible.ts'
import { dateOf } from './date.ts'
import { type ItemView, itemLine, itemView } from './item-view.ts'
import {
  canSee,
  type MemoryAccess,
  type MemoryOperation,
  memoryOperation,
  visibleItem,
} from './operation.ts'

const itemId = z.string().describe('the id of a memory item')
const all = z.boolean().optional().describe('superseded and retracted items too, marked')
const limited = (most: number): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(1).max(1_000).optional().describe(`at most so many; ${most} when left out`)
const mostListed = 200
const mostFound = 20

interface ListInput {
  readonly all?: boolean | undefined
  /** The command line accepts any text. */
  readonly kind?: string | undefined
  readonly asOf?: string | undefined
  readonly recorded?: string | undefined
  readonly limit?: number | undefined
}

export const list: MemoryOperation = memoryOperation({
  name: 'list',
  effect: 'reads',
  input: z.object({
    all,
    kind: z.enum(['fact', 'preference', 'decision']).optional(),
    asOf: z.string().optional().describe('a date: what was true then'),
    recorded: z.string().optional().describe('a date: what was known then'),
    limit: limited(mostListed),
  }),
  command: {
    description: 'the memory of this project, and what holds for all projects',
    options: [
      ['--all', 'superseded and retracted items too'],
      ['--kind <kind>', 'only facts, preferences or decisions'],
      ['--as-of <date>', 'what was true then'],
      ['--recorded <date>', 'what was known then'],
    ],
    input: (_, options) => ({
      all: options.all !== undefined,
      kind: options.kind?.replace(/s$/, ''),
      asOf: options.asOf,
      recorded: options.recorded,
      limit: Number.POSITIVE_INFINITY,
    }),
  },
  toolDescription:
    'Lists what is remembered for this project, in the order in which it was recorded.',
  run(input: ListInput, access) {
    const { memory, place } = access
    const now = memory.now()
    const asOf = {
      ...(input.asOf === undefined ? {} : { valid: dateOf(input.asOf) }),
      ...(input.recorded === undefined ? {} : { recorded: dateOf(input.recorded) }),
    }
    const items = visibleItems(memory.state, place)
      .filter(({ item }) => input.kind === undefined || item.kind === input.kind)
      .map((entry) => ({ entry, status: statusAt(entry, now, asOf) }))
      .filter(({ status }) => status === 'current' || (input.all && status !== 'unknown'))
    const shown = items.slice(-(input.limit ?? mostListed))
    return {
      items: shown.map(({ entry, status }) => itemView(access, entry, status)),
      ...(shown.length < items.length ? { earlierLeftOut: items.length - shown.length } : {}),
    }
  },
  text: ({ items }) => (items.length === 0 ? ['nothing is remembered'] : items.map(itemLine)),
  json: ({ items }) => items,
})

export const get: MemoryOperation = memoryOperation({
  name: 'get',
  effect: 'reads',
  input: z.object({ id: itemId }),
  command: {
    description: 'one item, with everything that is known about it',
    arguments: [['<id>', 'the id of an item']],
    input: ([id]) => ({ id: String(id) }),
  },
  toolDescription: 'One memory item, with everything that is known of it.',
  run: ({ id }, access) => itemView(access, visibleItem(access, id)),
  text: (item) =>
    Object.entries(item).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
})

export const search: MemoryOperation = memoryOperation({
  name: 'search',
  effect: 'reads',
  input: z.object({ query: z.string().min(1), all, limit: limited(mostFound) }),
  command: {
    description: 'full-text search in the memory and in the messages it was learnt from',
    arguments: [['<text...>', 'words to look for']],
    options: [
      ['--all', 'superseded and retracted items too, marked'],
      ['--limit <n>', 'at most this many', String(mostFound)],
    ],
    input([words], options) {
      const limit = Number(options.limit)
      if (!Number.isInteger(limit) || limit < 1)
        throw new PalimpsestError('usage', `--limit takes a whole number, not ${options.limit}`)
      return { query: [words ?? []].flat().join(' '), all: options.all !== undefined, limit }
    },
  },
  toolDescription: 'Searches what is remembered and what was said, the best first.',
  async run(input, access) {
    const reach = await access.reach?.()
    return searchMemory(access.memory, input.query, {
      include: input.all ? 'all' : 'current',
      limit: input.limit ?? mostFound,
      place: access.place,
      ...(reach === undefined ? {} : { reach }),
    })
  },
  text: (hits) =>
    hits.length === 0
      ? ['nothing found']
      : hits.map(
          ({ id, text, current, status }) =>
            `${id}  ${text.replace(/\s+/g, ' ').slice(0, 200)}${current ? '' : `  (${status})`}`,
        ),
  answer: (hits) =>
    hits.map(({ score, at, ...hit }) => ({ ...hit, at: new Date(at).toISOString() })),
})

export const history: MemoryOperation = memoryOperation<
  { readonly id: string },
  readonly ItemView[]
>({
  name: 'history',
  effect: 'reads',
  input: z.object({ id: itemId.describe('any member of the chain') }),
  command: {
    description: 'the chain of an item: what it replaced and what replaced it',
    arguments: [['<id>', 'any member of the chain']],
    input: ([id]) => ({ id: String(id) }),
  },
  toolDescription:
    'The chain of a memory item, oldest first: what it replaced and what replaced it.',
  run({ id }, access) {
    visibleItem(access, id)
    return chainOf(access.memory.state, id)
      .filter(({ item }) => canSee(access, item.id))
      .map((entry) => itemView(access, entry))
  },
  text: (chain) => chain.map((item) => `${item.validFrom.slice(0, 10)}  ${itemLine(item)}`),
})

interface ContextInput {
  readonly query?: string | undefined
  readonly budget?: number | undefined
}

export const nothingRemembered = 'Nothing is remembered.'

export const context: MemoryOperation = memoryOperation({
  name: 'context',
  effect: 'reads',
  input: z.object({
    query: z.string().optional().describe('what the task is'),
    budget: z.number().int().min(0).max(100_000).optional().describe('in tokens'),
  }),
  command: {
    description: 'the text that a model would be given',
    options: [
      ['--query <text>', 'what the task is'],
      ['--budget <tokens>', 'at most this many tokens', '2000'],
    ],
    input(_, { query, budget }) {
      const tokens = Number(budget)
      if (!Number.isFinite(tokens) || tokens < 0)
        throw new PalimpsestError('usage', `--budget takes a number of tokens, not ${budget}`)
      return { query, budget: tokens }
    },
  },
  toolDescription: 'What is remembered that matters for a task, as text within a budget of tokens.',
  run: contextText,
  text: (text) => (text === '' ? [] : [text]),
  output: 'exact',
  json: (text) => ({ text }),
  answer: (text) => text || nothingRemembered,
})

/** The text that a model would be given; empty when nothing is remembered. */
export function contextText(
  { query, budget }: ContextInput,
  { memory, place }: Pick<MemoryAccess, 'memory' | 'place'>,
): string {
  return memoryContext(memory, place, {
    ...(query === undefined || query.trim() === '' ? {} : { query }),
    ...(budget === undefined ? {} : { budgetTokens: budget }),
  })
}
