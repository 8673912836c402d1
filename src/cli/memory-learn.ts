import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'
import {
  type InstructionLine,
  instructionFileKind,
  readInstructionFile,
} from '../memory/extract/instruction-file.ts'
import { typedText } from '../memory/listen/new-turns.ts'
import type { Message } from '../memory/observe.ts'
import type { Recording } from '../recordings/recording.ts'
import { findFiles, openRecording } from './recording-files.ts'
import { type Terminal, writeNotice } from './terminal.ts'

export interface RecordedConversation {
  readonly session: string
  readonly messages: readonly Message[]
}

/** Folders of a project that hold other people's files. */
const foreign = /(?:^|[/\\])(?:node_modules|\.git|dist|build|vendor|target)[/\\]/

/** The rules and facts in the instruction files of a folder, or in the one file that is named. */
export async function instructionLines(target: string): Promise<readonly InstructionLine[]> {
  const found: InstructionLine[] = []
  for (const { file } of await findFiles(target)) {
    const kind = instructionFileKind(path.basename(file))
    if (kind === undefined || foreign.test(path.relative(target, file))) continue
    const name = path.relative(target, file) || path.basename(file)
    found.push(...readInstructionFile(name, await readFile(file, 'utf8'), kind))
  }
  return found
}

/** The messages of users and assistants in recorded sessions. Skips other files in a folder. */
export async function recordedMessages(
  terminal: Terminal,
  target: string,
): Promise<readonly RecordedConversation[]> {
  const all = await findFiles(target)
  const isProject = all.some(({ file }) => instructionFileKind(path.basename(file)) !== undefined)
  // Of a project's many files, only those that can be recordings are opened.
  const files = isProject
    ? all.filter(
        ({ file }) => file.endsWith('.jsonl') && !foreign.test(path.relative(target, file)),
      )
    : all
  const found: RecordedConversation[] = []
  for (const { file } of files) {
    try {
      const { recordings } = await openRecording(file)
      for (const [index, recording] of recordings.entries())
        found.push({
          session: recording.session ?? `${file}#${index}`,
          messages: spoken(recording),
        })
    } catch (error) {
      if (files.length === 1 || !PalimpsestError.is(error)) throw error
      writeNotice(terminal, `palimpsest: ${error.message}`)
    }
  }
  return found
}

function spoken(recording: Recording): readonly Message[] {
  const messages: Message[] = []
  for (const event of recording.events) {
    if (event.kind !== 'message') continue
    const { role, items, at, id } = event.message
    if (role !== 'user' && role !== 'assistant') continue
    const said = items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('\n')
    const text = role === 'user' ? typedText(said) : said
    if (text.trim() === '') continue
    messages.push({
      id: id ?? String(messages.length + 1),
      role,
      text,
      ...(at === undefined ? {} : { at }),
    })
  }
  return messages
}
