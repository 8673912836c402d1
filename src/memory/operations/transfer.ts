import * as z from 'zod'
import { PalimpsestError } from '../../core/words/errors.ts'
import {
  type DecisionRecord,
  exportDecisionRecords,
  readDecisionRecords,
} from '../transfer/decision-records.ts'
import {
  exportJsonLines,
  type ImportedItem,
  type ImportReport,
  importChanges,
  importItems,
  readJsonLines,
} from '../transfer/json-lines.ts'
import { exportMarkdown, importMarkdown } from '../transfer/markdown.ts'
import { isVisible } from '../visible.ts'
import {
  canSee,
  type ExportedMemory,
  type ExportFormat,
  type ImportSource,
  type MemoryAccess,
  type MemoryOperation,
  memoryOperation,
} from './operation.ts'

const exportFormats = ['jsonl', 'markdown', 'adr'] as const

interface ExportInput {
  readonly format?: ExportFormat | undefined
  /** A file or a folder; the text itself is the result when left out. */
  readonly to?: string | undefined
  /** Every project; only for `jsonl`. */
  readonly everything?: boolean | undefined
}

interface ExportResult extends ExportedMemory {
  readonly isWritten: boolean
}

export const exportMemory: MemoryOperation = memoryOperation<ExportInput, ExportResult>({
  name: 'export',
  effect: 'reads',
  input: z.object({ format: z.enum(exportFormats).optional() }),
  command: {
    description:
      'write the memory as JSON Lines, as a section of a Markdown file, or as decision records',
    options: [
      ['--format <name>', 'jsonl, markdown or adr', 'jsonl'],
      [
        '--to <path>',
        'a file (its section is replaced), or a folder for adr; standard output when left out',
      ],
    ],
    help: `
JSON Lines contain every project; with --project, that project and what holds for all projects. The other formats are
for one project.

Examples:
  palimpsest memory export > memory.jsonl
  palimpsest memory export --project ~/shop > shop.jsonl
  palimpsest memory export --format markdown --to CLAUDE.md
  palimpsest memory export --format adr --to docs/decisions`,
    input(_, { format, to, project }) {
      const known = exportFormats.find((each) => each === format)
      if (known === undefined)
        throw new PalimpsestError(
          'usage',
          `'${format}' is not a format. Use one of: ${exportFormats.join(', ')}`,
        )
      return { format: known, to, everything: project === undefined }
    },
  },
  toolDescription:
    'What is remembered for this project as text: jsonl with what was replaced, markdown a section for CLAUDE.md or AGENTS.md, adr decision records.',
  async run({ format = 'jsonl', to, everything }, access) {
    const exported = { format, parts: exportedParts(format, access, everything === true) }
    if (to !== undefined) await access.files?.write(to, exported)
    return { ...exported, isWritten: to !== undefined }
  },
  text: ({ parts, isWritten }) =>
    isWritten ? parts.flatMap(({ file }) => file ?? []) : parts.map(({ text }) => text),
  output: 'exact',
  json: null,
  answer: ({ parts }) =>
    parts
      .map(({ file, text }) => (file === undefined ? text : `<!-- ${file} -->\n${text}`))
      .join('\n'),
})

function exportedParts(
  format: ExportFormat,
  { memory, place }: Pick<MemoryAccess, 'memory' | 'place'>,
  everything: boolean,
): ExportedMemory['parts'] {
  switch (format) {
    case 'jsonl':
      return exportJsonLines(memory, everything ? undefined : place).map((text) => ({ text }))
    case 'markdown':
      return [{ text: exportMarkdown(memory, place) }]
    case 'adr':
      return exportDecisionRecords(memory, place)
  }
}

interface ImportInput {
  readonly text?: string | undefined
  readonly format?: 'jsonl' | 'markdown' | undefined
  /** A file or a folder, instead of the text. */
  readonly path?: string | undefined
}

export const importMemory: MemoryOperation = memoryOperation<ImportInput, ImportReport>({
  name: 'import',
  effect: 'removes',
  input: z.object({ text: z.string(), format: z.enum(['jsonl', 'markdown']).optional() }),
  command: {
    description:
      'read an export, a Markdown file with a memory section, or a folder of decision records',
    arguments: [['<path>', 'a .jsonl or .md file, or a folder']],
    input: ([path]) => ({ path: String(path) }),
  },
  toolDescription:
    'Takes in the text of an export, as jsonl or markdown. ' +
    'The user is asked to confirm where it supersedes or retracts what is there.',
  async run({ text = '', format = 'jsonl', path }, access) {
    const { memory, place, files } = access
    const source: ImportSource =
      path === undefined || files === undefined ? { format, text } : await files.read(path)
    switch (source.format) {
      case 'jsonl':
        return importLines(source.text.split('\n'), access)
      case 'markdown':
        return importMarkdown(memory, source.text, place)
      case 'adr':
        return importItems(memory, decisionsOf(source.records, place.project))
    }
  },
  text: ({ added, known, links }) => [`${added} added, ${known} known already, ${links} links`],
  notices: ({ refused }) => refused,
})

/** An agent imports only what its place can see, and asks a person before it changes items that exist. */
async function importLines(
  lines: readonly string[],
  access: MemoryAccess,
): Promise<ImportReport | null> {
  const { memory, place, caller } = access
  const { items, refused } = readJsonLines(lines)
  if (caller === 'person') return importItems(memory, items, refused)
  const own = items
    .filter(({ item: { id, scope = 'user' } }) => {
      return isVisible(scope, place) && (id === undefined || canSee(access, id))
    })
    .map((each) => ({
      ...each,
      supersededBy: each.supersededBy.filter((id) => canSee(access, id)),
    }))
  const changes = importChanges(memory, own)
  if (changes.length > 0) {
    const question = `Import ${own.length} memory items, and let them supersede or retract ${changes.length} that are there?`
    const isAgreed = await access.consent({
      action: 'memory import',
      ids: changes,
      question,
      detailedQuestion: question,
      command: ['memory', 'import', 'FILE'],
    })
    if (!isAgreed) return null
  }
  const foreign = items.length - own.length
  const left = foreign === 0 ? [] : [`${foreign} items belong to other projects`]
  return importItems(memory, own, [...refused, ...left])
}

function decisionsOf(records: readonly DecisionRecord[], project: string): readonly ImportedItem[] {
  return readDecisionRecords(records).map((found) => ({
    ...found,
    item: { ...found.item, scope: `project:${project}` },
  }))
}
