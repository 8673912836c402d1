import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { PalimpsestError } from '../core/errors.ts'
import { forgetMatching, forgetTarget } from '../memory/forget/forget-matching.ts'
import { forgetInSessions } from '../memory/forget/forget-sessions.ts'
import { forgetInExports } from './exported-files.ts'
import { newItem, newItemSchema } from './new-item.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { knownItem } from './shown-item.ts'
import { answer } from './tool-answer.ts'

const itemId = z.string().describe('the id of a memory item')
const reason = z.string().optional()
const additive = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

/** The tools that change what is remembered. Each answers with the items as they are then. */
export function registerMemoryChanges(server: McpServer, parts: McpParts): void {
  const change = (work: (placed: PlacedMemory) => unknown): ReturnType<typeof answer> =>
    answer(parts, async () => JSON.stringify(await parts.useMemory(work)))

  server.registerTool(
    'memory_add',
    {
      description:
        'Remembers a fact, a preference or a decision beyond this session. ' +
        'A preference replaces the earlier one with the same category and key.',
      inputSchema: newItemSchema,
      annotations: additive,
    },
    (input) =>
      change(async ({ memory, place }) => {
        const { id, outcome } = await memory.addDurably(newItem(input, place))
        return { ...knownItem(memory, id), outcome }
      }),
  )
  server.registerTool(
    'memory_supersede',
    {
      description: 'Says that one memory item was true and has been replaced by another.',
      inputSchema: z.object({ old: itemId, new: itemId, reason }),
      annotations: additive,
    },
    (input) =>
      change(async ({ memory }) => {
        memory.supersede(input.old, input.new, input.reason)
        await memory.save()
        return [knownItem(memory, input.old), knownItem(memory, input.new)]
      }),
  )
  server.registerTool(
    'memory_retract',
    {
      description: 'Says that a memory item was never true.',
      inputSchema: z.object({ id: itemId, reason }),
      annotations: additive,
    },
    (input) =>
      change(async ({ memory }) => {
        memory.retract(input.id, input.reason)
        await memory.save()
        return knownItem(memory, input.id)
      }),
  )
  server.registerTool(
    'memory_undo',
    {
      description: 'Takes back the last supersession or retraction of a memory item.',
      inputSchema: z.object({ id: itemId }),
      annotations: additive,
    },
    ({ id }) =>
      change(async ({ memory }) => {
        memory.undo(id)
        await memory.save()
        return knownItem(memory, id)
      }),
  )
  server.registerTool(
    'memory_forget',
    {
      description:
        'Removes memory items and the messages that they came from, everywhere and for good. ' +
        'Only when the user asks for it.',
      inputSchema: z.object({
        ids: z.array(itemId).optional(),
        search: z.string().optional().describe('every item and message that says these words'),
        subject: z.string().optional().describe('every item about this subject or attribute'),
      }),
      annotations: { ...additive, destructiveHint: true },
    },
    ({ ids = [], search = '', subject = '' }) =>
      answer(parts, async () => {
        if (ids.length === 0 && search.trim() === '' && subject.trim() === '')
          throw new PalimpsestError('usage', 'name the items to forget: ids, search or subject')
        const meant = {
          ids,
          ...(search.trim() === '' ? {} : { search }),
          ...(subject.trim() === '' ? {} : { subject }),
        }
        const target = await parts.useMemory(({ memory }) => {
          for (const id of ids) knownItem(memory, id)
          return forgetTarget(memory.state, meant)
        })
        const sessions = await parts.useStore((store) => forgetInSessions(store, target))
        const forgotten = await parts.useMemory(({ memory }) => forgetMatching(memory, meant))
        const files = await parts.useMemory(({ memory }) => forgetInExports(memory, target))
        return JSON.stringify({ forgotten, sessions, files })
      }),
  )
}
