import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { PalimpsestError } from '../core/errors.ts'
import { checkState, findPatterns, type Memory, type Place } from '../memory/index.ts'
import { exportDecisionRecords } from '../memory/transfer/decision-records.ts'
import { exportJsonLines, importJsonLines } from '../memory/transfer/json-lines.ts'
import { exportMarkdown, importMarkdown } from '../memory/transfer/markdown.ts'
import { openFlags } from '../memory/visible.ts'
import type { McpParts, PlacedMemory } from './parts.ts'
import { answer } from './tool-answer.ts'

const looking = { readOnlyHint: true, openWorldHint: false } as const
const additive = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

/** The tools that are about the memory as a whole: what stands out in it, what is unsettled, and carrying it. */
export function registerWholeMemory(server: McpServer, parts: McpParts): void {
  const use = (work: (placed: PlacedMemory) => unknown): ReturnType<typeof answer> =>
    answer(parts, async () => {
      const result = await parts.useMemory(work)
      return typeof result === 'string' ? result : JSON.stringify(result)
    })

  server.registerTool(
    'memory_patterns',
    {
      description: 'What changes often in the memory, and what to ask the user because of it.',
      inputSchema: z.object({}),
      annotations: looking,
    },
    () => use(({ memory, place }) => findPatterns(memory.state, place)),
  )
  server.registerTool(
    'memory_review',
    {
      description:
        'Contradictions that nobody has settled; with flag and verdict, settles one as the user says.',
      inputSchema: z.object({
        flag: z.string().optional().describe('the id of a contradiction'),
        verdict: z.enum(['newer', 'older', 'both']).optional().describe('which of the two holds'),
      }),
      annotations: additive,
    },
    ({ flag, verdict }) =>
      use(async ({ memory, place }) => {
        if ((flag === undefined) !== (verdict === undefined))
          throw new PalimpsestError('usage', 'to settle one, give flag and verdict')
        if (flag !== undefined && verdict !== undefined) memory.review(flag, verdict)
        await memory.save()
        return unsettled(memory, place)
      }),
  )
  server.registerTool(
    'memory_check',
    {
      description: 'Verifies every invariant of the memory and repairs nothing; [] when all hold.',
      inputSchema: z.object({}),
      annotations: looking,
    },
    () => use(({ memory }) => checkState(memory.state, memory.now())),
  )
  server.registerTool(
    'memory_export',
    {
      description:
        'What is remembered for this project as text: jsonl with what was replaced, markdown a section for CLAUDE.md or AGENTS.md, adr decision records.',
      inputSchema: z.object({ format: z.enum(['jsonl', 'markdown', 'adr']).optional() }),
      annotations: looking,
    },
    ({ format = 'jsonl' }) => use(({ memory, place }) => exportedText(memory, place, format)),
  )
  server.registerTool(
    'memory_import',
    {
      description: 'Takes in the text of an export, as jsonl or markdown.',
      inputSchema: z.object({ text: z.string(), format: z.enum(['jsonl', 'markdown']).optional() }),
      annotations: additive,
    },
    ({ text, format = 'jsonl' }) =>
      use(({ memory, place }) => {
        return format === 'jsonl'
          ? importJsonLines(memory, text.split('\n'))
          : importMarkdown(memory, text, place)
      }),
  )
}

function unsettled({ state }: Memory, place: Place): readonly object[] {
  const text = (id: string): string => state.items.get(id)?.item.text ?? id
  return openFlags(state, place).map(({ id, items, reason }) => ({
    id,
    items,
    texts: items.map(text),
    reason,
  }))
}

function exportedText(memory: Memory, place: Place, format: 'jsonl' | 'markdown' | 'adr'): string {
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
