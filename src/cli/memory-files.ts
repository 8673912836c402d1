import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'
import { noteExport } from '../mcp/exported-files.ts'
import type { ExportedMemory, ImportSource, MemoryFiles } from '../memory/operations/operation.ts'
import type { DecisionRecord } from '../memory/transfer/decision-records.ts'
import { insertMarkdown } from '../memory/transfer/markdown.ts'
import { makeFolder } from '../store/sqlite/private-file.ts'
import type { OpenedMemory } from './memory-open.ts'
import type { Terminal } from './terminal.ts'
import { writing } from './writing.ts'

/** The files that `memory export` writes and `memory import` reads. */
export function memoryFiles(
  { cwd, home }: Terminal,
  { memory, place }: Pick<OpenedMemory, 'memory' | 'place'>,
): MemoryFiles {
  return {
    read: readImport,
    async write(target, exported) {
      await writing(target, () => writeExport(target, exported))
      noteExport(memory, {
        format: exported.format,
        target: path.resolve(cwd, target),
        files: exported.parts.flatMap(({ file }) => file ?? []),
        place,
        home,
      })
    },
  }
}

async function writeExport(target: string, { format, parts }: ExportedMemory): Promise<void> {
  switch (format) {
    case 'jsonl': {
      const text = parts.map((part) => `${part.text}\n`).join('')
      await writeFile(target, text, { mode: 0o600 })
      return
    }
    case 'markdown': {
      const before = await readFile(target, 'utf8').catch(() => '')
      await writeFile(target, insertMarkdown(before, parts.map(({ text }) => text).join('')))
      return
    }
    case 'adr': {
      const records = parts.flatMap(({ file, text }) => (file === undefined ? [] : { file, text }))
      makeFolder(target, 0o777)
      await removeRenamed(target, records)
      for (const { file, text } of records) await writeFile(path.join(target, file), text)
    }
  }
}

/** Record numbers change when a decision is forgotten, so a record of an earlier export may have an old name. */
async function removeRenamed(folder: string, records: readonly DecisionRecord[]): Promise<void> {
  const idOf = (text: string): string | undefined => /<!-- id: (\S+) -->/.exec(text)?.[1]
  const names = new Map(records.map(({ file, text }) => [idOf(text), file]))
  for (const { file, text } of await markdownFiles(folder)) {
    const id = idOf(text)
    if (id !== undefined && names.has(id) && names.get(id) !== file)
      await rm(path.join(folder, file))
  }
}

async function readImport(target: string): Promise<ImportSource> {
  const info = await stat(target).catch((cause: unknown) => {
    throw new PalimpsestError('unreadable', `${target}: no such file or folder`, { cause })
  })
  if (info.isDirectory()) return { format: 'adr', records: await markdownFiles(target) }
  const format = /\.(?:md|markdown)$/i.test(target) ? 'markdown' : 'jsonl'
  return { format, text: await readFile(target, 'utf8') }
}

async function markdownFiles(folder: string): Promise<readonly DecisionRecord[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted()
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(path.join(folder, file), 'utf8') })),
  )
}
