import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { PalimpsestError } from '../core/words/errors.ts'
import { checkState, findPatterns } from '../memory/index.ts'
import { exportDecisionRecords } from '../memory/transfer/decision-records.ts'
import {
  exportJsonLines,
  importChanges,
  importItems,
  readJsonLines,
} from '../memory/transfer/json-lines.ts'
import { exportMarkdown, importMarkdown } from '../memory/transfer/markdown.ts'
import { isVisible, openFlags } from '../memory/visible.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { type Call, registerTool } from './register-tool.ts'

const looking = { readOnlyHint: true, openWorldHint: false } as const
const additive = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

/** The tools that are about the memory as a whole: what stands out in it, what is unsettled, and carrying it. */
export function registerWholeMemory(server: McpServer, parts: McpParts): void {
  const use = async (call: Call, work: (placed: PlacedMemory) => unknown): Promise<string> => {
    const result = await call.useMemory(work)
    return typeof result === 'string' ? result : JSON.stringify(result)
  }

  registerTool(server, parts, {
    name: 'memory_patterns',
    description: 'What changes often in the memory, and what to ask the user because of it.',
    inputSchema: z.object({}),
    annotations: looking,
    work: (_, call) => use(call, ({ memory, place }) => findPatterns(memory.state, place)),
  })
  registerTool(server, parts, {
    name: 'memory_review',
    description:
      'Contradictions that nobody has settled; with flag and verdict, settles one as the user says.',
    inputSchema: z.object({
      flag: z.string().optional().describe('the id of a contradiction'),
      verdict: z.enum(['newer', 'older', 'both']).optional().describe('which of the two holds'),
    }),
    annotations: additive,
    work: ({ flag, verdict }, call) =>
      use(call, async (placed) => {
        const { memory } = placed
        if ((flag === undefined) !== (verdict === undefined))
          throw new PalimpsestError('usage', 'to settle one, give flag and verdict')
        if (flag !== undefined && verdict !== undefined) {
          if (!isFlagVisible(placed, flag))
            throw new PalimpsestError('usage', `there is no flag ${flag}`)
          memory.review(flag, verdict)
        }
        await memory.save()
        return unsettled(placed)
      }),
  })
  registerTool(server, parts, {
    name: 'memory_check',
    description: 'Verifies every invariant of the memory and repairs nothing; [] when all hold.',
    inputSchema: z.object({}),
    annotations: looking,
    work: (_, call) =>
      use(call, (placed) =>
        checkState(placed.memory.state, placed.memory.now()).filter(({ items }) =>
          items.every((id) => isItemVisible(placed, id)),
        ),
      ),
  })
  registerTool(server, parts, {
    name: 'memory_export',
    description:
      'What is remembered for this project as text: jsonl with what was replaced, markdown a section for CLAUDE.md or AGENTS.md, adr decision records.',
    inputSchema: z.object({ format: z.enum(['jsonl', 'markdown', 'adr']).optional() }),
    annotations: looking,
    work: ({ format = 'jsonl' }, call) => use(call, (placed) => exportedText(placed, format)),
  })
  registerTool(server, parts, {
    name: 'memory_import',
    description:
      'Takes in the text of an export, as jsonl or markdown. ' +
      'The user is asked to confirm where it supersedes or retracts what is there.',
    inputSchema: z.object({ text: z.string(), format: z.enum(['jsonl', 'markdown']).optional() }),
    annotations: { ...additive, destructiveHint: true },
    async work({ text, format = 'jsonl' }, call) {
      if (format === 'markdown')
        return use(call, ({ memory, place }) => importMarkdown(memory, text, place))
      const { items, refused } = readJsonLines(text.split('\n'))
      const { known, changes } = await call.useMemory((placed) => {
        const isOwn = ({ id, scope = 'user' }: (typeof items)[number]['item']): boolean =>
          isVisible(scope, placed.place) && (id === undefined || isItemVisible(placed, id))
        const own = items.filter(({ item }) => isOwn(item))
        const linked = own.map((each) => ({
          ...each,
          supersededBy: each.supersededBy.filter((id) => isItemVisible(placed, id)),
        }))
        return { known: linked, changes: importChanges(placed.memory, linked) }
      })
      if (changes.length > 0) {
        const question = `Import ${known.length} memory items, and let them supersede or retract ${changes.length} that are there?`
        const command = ['memory', 'import', 'FILE']
        const consent = call.consent({ action: 'memory import', ids: changes, question, command })
        if (consent !== 'agreed') return consent
      }
      const foreign = items.length - known.length
      const left = foreign === 0 ? [] : [`${foreign} items belong to other projects`]
      return use(call, ({ memory }) => importItems(memory, known, [...refused, ...left]))
    },
  })
}

/** An id that nobody knows is no secret either. */
function isItemVisible({ memory, place }: PlacedMemory, id: string): boolean {
  const entry = memory.state.items.get(id)
  return entry === undefined || isVisible(entry.item.scope, place)
}

function isFlagVisible(placed: PlacedMemory, id: string): boolean {
  const flag = placed.memory.state.flags.get(id)
  return flag?.items.every((item) => isItemVisible(placed, item)) ?? false
}

function unsettled({ memory: { state }, place }: PlacedMemory): readonly object[] {
  const text = (id: string): string => state.items.get(id)?.item.text ?? id
  return openFlags(state, place).map(({ id, items, reason }) => ({
    id,
    items,
    texts: items.map(text),
    reason,
  }))
}

function exportedText(
  { memory, place }: PlacedMemory,
  format: 'jsonl' | 'markdown' | 'adr',
): string {
  switch (format) {
    case 'jsonl':
      return exportJsonLines(memory, place).join('\n')
    case 'markdown':
      return exportMarkdown(memory, place)
    case 'adr':
      return exportDecisionRecords(memory, place)
        .map(({ file, text }) => `<!-- ${file} -->\n${text}`)
        .join('\n')
  }
}
