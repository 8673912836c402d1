import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { cutEnd, oneLine } from '../core/render/cut.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import {
  type ForgetInput,
  type ForgetTarget,
  forgetMatching,
  forgetTarget,
} from '../memory/forget/forget-matching.ts'
import { forgetInSessions } from '../memory/forget/forget-sessions.ts'
import { isVisible } from '../memory/visible.ts'
import { forgetInExports } from './exported-files.ts'
import { newItem, newItemSchema } from './new-item.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { type Call, registerTool } from './register-tool.ts'
import { knownItem } from './shown-item.ts'

const itemId = z.string().describe('the id of a memory item')
const reason = z.string().optional()
const additive = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const
const mostShown = 5
const shownLength = 100

/** The tools that change what is remembered. Each answers with the items as they are then. */
export function registerMemoryChanges(server: McpServer, parts: McpParts): void {
  const change = async (call: Call, work: (placed: PlacedMemory) => unknown): Promise<string> =>
    JSON.stringify(await call.useMemory(work))

  registerTool(server, parts, {
    name: 'memory_add',
    description:
      'Remembers a fact, a preference or a decision beyond this session. ' +
      'A preference replaces the earlier one with the same category and key.',
    inputSchema: newItemSchema,
    annotations: additive,
    work: (input, call) =>
      change(call, async (placed) => {
        const { memory, place } = placed
        const { id, outcome } = await memory.addDurably(newItem(input, place))
        return { ...knownItem(placed, id), outcome }
      }),
  })
  registerTool(server, parts, {
    name: 'memory_supersede',
    description: 'Says that one memory item was true and has been replaced by another.',
    inputSchema: z.object({ old: itemId, new: itemId, reason }),
    annotations: additive,
    work: (input, call) =>
      change(call, async (placed) => {
        const { memory } = placed
        for (const id of [input.old, input.new]) knownItem(placed, id)
        memory.supersede(input.old, input.new, input.reason)
        await memory.save()
        return [knownItem(placed, input.old), knownItem(placed, input.new)]
      }),
  })
  registerTool(server, parts, {
    name: 'memory_retract',
    description: 'Says that a memory item was never true.',
    inputSchema: z.object({ id: itemId, reason }),
    annotations: additive,
    work: (input, call) =>
      change(call, async (placed) => {
        knownItem(placed, input.id)
        placed.memory.retract(input.id, input.reason)
        await placed.memory.save()
        return knownItem(placed, input.id)
      }),
  })
  registerTool(server, parts, {
    name: 'memory_undo',
    description: 'Takes back the last supersession or retraction of a memory item.',
    inputSchema: z.object({ id: itemId }),
    annotations: additive,
    work: ({ id }, call) =>
      change(call, async (placed) => {
        knownItem(placed, id)
        placed.memory.undo(id)
        await placed.memory.save()
        return knownItem(placed, id)
      }),
  })
  registerTool(server, parts, {
    name: 'memory_forget',
    description:
      'Removes memory items and the messages that they came from, everywhere and for good. ' +
      'Only when the user asks for it; the user is asked to confirm.',
    inputSchema: z.object({
      ids: z.array(itemId).optional(),
      search: z.string().optional().describe('every item and message that says these words'),
      subject: z.string().optional().describe('every item about this subject or attribute'),
    }),
    annotations: { ...additive, destructiveHint: true },
    async work({ ids = [], search = '', subject = '' }, call) {
      if (ids.length === 0 && search.trim() === '' && subject.trim() === '')
        throw new PalimpsestError('usage', 'name the items to forget: ids, search or subject')
      const named = {
        ids,
        ...(search.trim() === '' ? {} : { search }),
        ...(subject.trim() === '' ? {} : { subject }),
      }
      const { target, meant, texts } = await call.useMemory((placed) => {
        for (const id of ids) knownItem(placed, id)
        return targetIn(placed, named)
      })
      const consent = call.consent({
        action: 'memory forget',
        ids: target.items,
        question: questionOf(named, texts),
        command: commandOf(named),
      })
      if (consent !== 'agreed') return consent
      const sessions = await parts.useStore((store) => forgetInSessions(store, target))
      const forgotten = await parts.useMemory((memory) => forgetMatching(memory, meant))
      const { changed: files, left } = await parts.useMemory((memory) =>
        forgetInExports(memory, parts.home, target),
      )
      return JSON.stringify({ forgotten, sessions, files, left })
    },
  })
}

interface MeantItems {
  readonly meant: ForgetInput
  readonly target: ForgetTarget
  readonly texts: readonly string[]
}

/** Items of other projects are not meant, whatever they say. */
function targetIn({ memory, place }: PlacedMemory, named: ForgetInput): MeantItems {
  const { state } = memory
  const meant: ForgetInput = { ...named, isMeant: ({ scope }) => isVisible(scope, place) }
  const target = forgetTarget(state, meant)
  const texts = target.items.flatMap((id) => state.items.get(id)?.item.text ?? [])
  return { meant, target, texts }
}

function questionOf({ search }: ForgetInput, texts: readonly string[]): string {
  const shown = texts.slice(0, mostShown).map((text) => `- ${cutEnd(oneLine(text), shownLength)}`)
  const more = texts.length > shown.length ? [`and ${texts.length - shown.length} more`] : []
  const words =
    search === undefined ? [] : [`- whatever says "${cutEnd(oneLine(search), shownLength)}"`]
  return [
    'Forget this for good, in the memory and in every line of stored sessions and exports that says it?',
    ...words,
    ...shown,
    ...more,
  ].join('\n')
}

function commandOf({ ids = [], search, subject }: ForgetInput): readonly string[] {
  const searched = search === undefined ? [] : ['--search', search]
  const about = subject === undefined ? [] : ['--subject', subject]
  return ['memory', 'forget', ...ids, ...searched, ...about]
}
