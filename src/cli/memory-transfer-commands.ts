import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { ExportFormat } from '../mcp/export-registry.ts'
import { noteExport } from '../mcp/exported-files.ts'
import type { Memory } from '../memory/memory.ts'
import {
  type DecisionRecord,
  exportDecisionRecords,
  readDecisionRecords,
} from '../memory/transfer/decision-records.ts'
import {
  exportJsonLines,
  type ImportReport,
  importItems,
  importJsonLines,
} from '../memory/transfer/json-lines.ts'
import { exportMarkdown, importMarkdown, insertMarkdown } from '../memory/transfer/markdown.ts'
import { makeFolder } from '../store/sqlite/private-file.ts'
import {
  type MemoryOptions,
  type OpenedMemory,
  withMemory,
  withMemoryOptions,
} from './memory-open.ts'
import { type Terminal, writeContent, writeLines, writeNotice } from './terminal.ts'
import { writing } from './writing.ts'

interface ExportOptions extends MemoryOptions {
  readonly format: string
  readonly to?: string
}

/** The commands that carry a memory in and out. */
export function memoryTransferCommands(terminal: Terminal): readonly Command[] {
  return [exportCommand(terminal), importCommand(terminal)]
}

function exportCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('export'))
    .description(
      'write the memory as JSON Lines, as a section of a Markdown file, or as decision records',
    )
    .option('--format <name>', 'jsonl, markdown or adr', 'jsonl')
    .option(
      '--to <path>',
      'a file (its section is replaced), or a folder for adr; standard output when left out',
    )
    .addHelpText(
      'after',
      `
As JSON Lines everything is written, and with --project that project and what holds for all of them. The other formats are
for one project.

Examples:
  palimpsest memory export > memory.jsonl
  palimpsest memory export --project ~/work/shop > shop.jsonl
  palimpsest memory export --format markdown --to CLAUDE.md
  palimpsest memory export --format adr --to docs/decisions`,
    )
    .action(async (options: ExportOptions) =>
      withMemory(terminal, options, async (opened) => {
        const lines = await writing(options.to, () => exported(opened, options))
        const { format, to } = options
        if (to !== undefined)
          noteExport(opened.memory, {
            format: format as ExportFormat,
            target: path.resolve(terminal.cwd, to),
            files: format === 'adr' ? lines : [],
            place: opened.place,
            home: terminal.home,
          })
        await writeContent(terminal, lines.map((line) => `${line}\n`).join(''))
      }),
    )
}

async function exported(
  { memory, place }: OpenedMemory,
  { format, to, project }: ExportOptions,
): Promise<readonly string[]> {
  switch (format) {
    case 'jsonl': {
      const lines = exportJsonLines(memory, project === undefined ? undefined : place)
      if (to === undefined) return lines
      await writeFile(to, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
      return []
    }
    case 'markdown': {
      const section = exportMarkdown(memory, place)
      if (to === undefined) return [section]
      const before = await readFile(to, 'utf8').catch(() => '')
      await writeFile(to, insertMarkdown(before, section))
      return []
    }
    case 'adr': {
      const records = exportDecisionRecords(memory, place)
      if (to === undefined) return records.map(({ text }) => text)
      makeFolder(to, 0o777)
      await removeRenamed(to, records)
      for (const { file, text } of records) await writeFile(path.join(to, file), text)
      return records.map(({ file }) => file)
    }
    default:
      throw new PalimpsestError('usage', `${format} is none of jsonl, markdown, adr`)
  }
}

/** Numbers move when a decision is forgotten: what an earlier export wrote under another name goes. */
async function removeRenamed(folder: string, records: readonly DecisionRecord[]): Promise<void> {
  const idOf = (text: string): string | undefined => /<!-- id: (\S+) -->/.exec(text)?.[1]
  const names = new Map(records.map(({ file, text }) => [idOf(text), file]))
  for (const file of (await readdir(folder)).filter((each) => each.endsWith('.md'))) {
    const id = idOf(await readFile(path.join(folder, file), 'utf8'))
    if (id !== undefined && names.has(id) && names.get(id) !== file)
      await rm(path.join(folder, file))
  }
}

function importCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('import'))
    .description(
      'take in an export, a Markdown file with a memory section, or a folder of decision records',
    )
    .argument('<path>', 'a .jsonl or .md file, or a folder')
    .action(async (target: string, options: MemoryOptions) =>
      withMemory(terminal, options, async (opened) => {
        const report = await imported(opened, target)
        for (const refusal of report.refused) writeNotice(terminal, `palimpsest: ${refusal}`)
        await writeLines(
          terminal.out,
          options.json
            ? [JSON.stringify(report)]
            : [`${report.added} added, ${report.known} known already, ${report.links} links`],
        )
      }),
    )
}

async function imported({ memory, place }: OpenedMemory, target: string): Promise<ImportReport> {
  const info = await stat(target).catch((cause: unknown) => {
    throw new PalimpsestError('unreadable', `${target}: there is no such file or folder`, { cause })
  })
  if (info.isDirectory()) return importFolder(memory, target, place.project)
  const text = await readFile(target, 'utf8')
  if (!/\.(?:md|markdown)$/i.test(target)) return importJsonLines(memory, text.split('\n'))
  return importMarkdown(memory, text, place)
}

async function importFolder(
  memory: Memory,
  folder: string,
  project: string,
): Promise<ImportReport> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted()
  const records = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(path.join(folder, file), 'utf8') })),
  )
  const items = readDecisionRecords(records).map((found) => ({
    ...found,
    item: { ...found.item, scope: `project:${project}` as const },
  }))
  return importItems(memory, items)
}
