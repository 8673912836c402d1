import { Command } from 'commander'
import { loadConfig } from '../config/load.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { RecordingFile } from '../recordings/recording.ts'
import type { AlreadyPruned } from '../replay/already-pruned.ts'
import { type Anatomy, anatomyOf } from '../replay/anatomy.ts'
import { addAnatomies } from '../replay/anatomy-sum.ts'
import { findPrunedSessions, prunedStoreOption } from './already-pruned.ts'
import { anatomyLines, anatomyTable } from './anatomy-lines.ts'
import { createProgress } from './progress.ts'
import { type FoundFile, findFiles, openRecording } from './recording-files.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeJson, writeLines, writeNotice } from './terminal.ts'

/** One file's anatomy: all its sessions together, and each by itself. */
export interface InspectedFile extends Anatomy {
  readonly file: string
  readonly format: RecordingFile['format']
  readonly problems: RecordingFile['problems']
  readonly sessions: readonly Anatomy[]
  /** The sessions that were pruned while they ran; left out when there are none. */
  readonly alreadyPruned?: readonly AlreadyPruned[]
}

export function inspectCommand(terminal: Terminal): Command {
  return new Command('inspect')
    .description(
      'show what fills the context of a recorded session, what is read again and what goes stale',
    )
    .argument('<path>', 'a recording, or a folder of them')
    .option(...prunedStoreOption)
    .option('--json', 'print one JSON value: an object for a file, a list for a folder')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest inspect session.jsonl
  palimpsest inspect ~/.claude/projects --json > anatomy.json`,
    )
    .action(async (target: string, options: { json?: true; store?: string }) => {
      const files = await findFiles(target)
      const single = files.length === 1 && files[0]?.file === target
      const inspected = await inspectAll(terminal, files, { single, store: options.store })
      if (options.json) {
        await writeJson(terminal, single ? inspected[0] : inspected)
        return
      }
      for (const { file, problems } of inspected) reportProblems(terminal, file, problems)
      const lines = single
        ? inspected.flatMap((each) => anatomyLines(each, terminal))
        : anatomyTable(inspected, terminal)
      await writeLines(terminal.out, lines)
    })
}

async function inspectAll(
  terminal: Terminal,
  files: readonly FoundFile[],
  { single, store }: { readonly single: boolean; readonly store: string | undefined },
): Promise<readonly InspectedFile[]> {
  const progress = createProgress(
    terminal,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const { toolMappings: mappings } = loadConfig(terminal)
  const finder = await findPrunedSessions(terminal, store)
  const inspected: InspectedFile[] = []
  for (const { file } of files) {
    try {
      const { format, recordings, problems } = await openRecording(file, (bytes) =>
        progress.advance(bytes, file),
      )
      const sessions = recordings.map((recording) => anatomyOf(recording, { mappings }))
      const { all } = await finder.find(recordings)
      const pruned = all.length === 0 ? {} : { alreadyPruned: all }
      inspected.push({ file, format, ...addAnatomies(sessions), problems, sessions, ...pruned })
    } catch (error) {
      // A folder may contain other files, but a file that the user named must be readable.
      if (single || !PalimpsestError.is(error)) throw error
      writeNotice(terminal, `skipped ${error.message}`)
    }
  }
  progress.end()
  await finder.close()
  if (inspected.length === 0) {
    throw new PalimpsestError(
      'unreadable',
      'none of these files is a recording that palimpsest can read',
    )
  }
  return inspected
}
