import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { type FileTimeline, fileTimeline } from '../replay/file-timeline.ts'
import { chosenConfig } from './chosen-config.ts'
import { plural, table } from './figures.ts'
import { openTarget, targetArgument, targetStoreOption } from './recording-target.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeContent, writeJson, writeNotice, writeResult } from './terminal.ts'

interface TimelineOptions {
  readonly at?: string
  readonly store?: string
  readonly json?: true
}

/** Calls `finish` with exit code 1 when the file's text is unknown or the file was never used. */
export function timelineCommand(terminal: Terminal, finish: (code: 0 | 1) => void): Command {
  return targetArgument(new Command('timeline'))
    .description('show the history of a file in a recorded session')
    .argument(
      '<path>',
      "the file's path, as the session spells it, relative to its folder, or the end of it",
    )
    .option('--at <turn>', "print only the file's text after the results of that turn")
    .option(...targetStoreOption)
    .option(
      '--json',
      'print {path, entries: [{turn, kind, version, knownLines, lineCount, exists}]}, or {text} with --at',
    )
    .addHelpText(
      'after',
      `
Exits with 1 when the whole text is not known at that turn, or there was no such turn.

Examples:
  palimpsest timeline session.jsonl src/app.ts
  palimpsest timeline session.jsonl src/app.ts --at 12 > app-at-12.ts`,
    )
    .action(async (file: string, path: string, options: TimelineOptions) => {
      const turn = turnOf(options.at)
      const { toolMappings: mappings } = chosenConfig(terminal, {})
      const { recordings, problems } = await openTarget(terminal, file, options)
      reportProblems(terminal, file, problems)
      const timelines = recordings.map((recording) => fileTimeline(recording, path, { mappings }))
      // A recording may have several sessions; uses the first that used the file.
      const timeline = timelines.find(({ entries }) => entries.length > 0) ?? timelines[0]
      if (timeline === undefined || timeline.entries.length === 0) {
        writeNotice(terminal, `palimpsest: the session never used ${path}`)
        finish(1)
      } else if (turn === null) {
        const { entries } = timeline
        const value = { path: timeline.path, entries }
        await writeResult(terminal, options, value, timelineLines(timeline))
      } else if (!(await printText(terminal, timeline, turn, options))) finish(1)
    })
}

function turnOf(at: string | undefined): number | null {
  if (at === undefined) return null
  const turn = Number(at)
  if (at.trim() !== '' && Number.isInteger(turn) && turn >= 1) return turn
  throw new PalimpsestError(
    'usage',
    `--at ${at} is not a turn: use the number of a request, from 1`,
  )
}

/** Prints the exact text; false when it is not known. */
async function printText(
  terminal: Terminal,
  timeline: FileTimeline,
  turn: number,
  options: TimelineOptions,
): Promise<boolean> {
  const { path, requests } = timeline
  if (turn > requests) {
    const made = plural(requests, 'request')
    writeNotice(
      terminal,
      `palimpsest: ${path} is not known at turn ${turn}: the session made ${made}`,
    )
    return false
  }
  const { text, exists } = timeline.stateAt(turn)
  if (text === null) {
    const why = exists === false ? 'does not exist' : 'is only partly known'
    writeNotice(terminal, `palimpsest: ${path} ${why} at turn ${turn}`)
    return false
  }
  if (options.json) await writeJson(terminal, { text })
  else await writeContent(terminal, text)
  return true
}

function timelineLines({ path, entries }: FileTimeline): string[] {
  const rows = entries.map(({ turn, kind, version, knownLines, lineCount, exists }) => [
    String(turn),
    kind,
    String(version),
    exists === false ? 'gone' : `${knownLines} of ${lineCount ?? '?'}`,
  ])
  return [path, ...table([['turn', 'what', 'version', 'lines known'], ...rows])]
}
