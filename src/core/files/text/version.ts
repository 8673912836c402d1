import { alignLines } from './align-lines.ts'
import { allLines, type Line, type LineList, lineList } from './line-list.ts'

/** Consecutive lines without a gap. A text that ends with a line break has an empty last line. */
export interface Run {
  /** The number of lines before it in the file; null when only its order among the runs is known. */
  readonly at: number | null
  readonly lines: LineList
  /** The place of a run without a certain one, if the lines before it did not change. */
  readonly expected?: number | undefined
}

/** What is known of a file's text at one time. Immutable. */
export interface FileVersion {
  /** In the order of the file, with a gap between any two. */
  readonly runs: readonly Run[]
  readonly count: number | null
  /** The stamp of the count, like the stamp of a line. */
  readonly countStamp: number
  /** True when an empty last line may follow the counted ones, because the tool does not show it. */
  readonly openEnding: boolean
}

export const nothingKnown: FileVersion = {
  runs: [],
  count: null,
  countStamp: 0,
  openEnding: false,
}

/** The time of an event, which also gives new lines their identities. */
export interface Moment {
  /** The stamp of lines seen or written now. Larger than every earlier stamp and than `doubt`. */
  readonly stamp: number
  /** Puts everything known before in doubt. */
  readonly doubt: number
  /** The newest earlier doubt. All lines with a later stamp are equally certain. */
  readonly settled: number
  nextId(): number
  /** Records that the new line holds the rest of the old one after a change. */
  addSuccessor(old: Line, line: Line): void
}

/** A version, and the stamp up to which its lines are in doubt. */
export interface Knowledge {
  readonly version: FileVersion
  readonly doubt: number
}

/** A stamp that is never certain. */
export const neverCertain = -1

/** A line that was seen. */
export function seenLine(text: string, moment: Moment): Line {
  return { id: moment.nextId(), text, stamp: moment.stamp, written: 0 }
}

/** A line that the agent wrote. */
export function writtenLine(text: string, moment: Moment): Line {
  return { id: moment.nextId(), text, stamp: moment.stamp, written: moment.stamp }
}

export function versionOf(
  lines: readonly Line[],
  moment: Moment,
  options: { readonly openEnding: boolean } = { openEnding: false },
): FileVersion {
  return {
    runs: lines.length === 0 ? [] : [{ at: 0, lines: lineList(lines) }],
    count: lines.length,
    countStamp: moment.stamp,
    openEnding: options.openEnding,
  }
}

/** The version after a write of the whole text. Lines that were there before keep their identity. */
export function writtenVersion(text: string, before: FileVersion, moment: Moment): FileVersion {
  const known = before.runs.flatMap((run) => allLines(run.lines))
  const old = new Map(known.map((line) => [line.id, line.written]))
  const lines = relined(known, text.split('\n'), moment)
  // A line that was there before keeps its time of writing, because its formatting has not changed.
  return versionOf(
    lines.map(({ id, text: unchanged, stamp, written }) => ({
      id,
      text: unchanged,
      stamp,
      written: old.get(id) ?? written,
    })),
    moment,
  )
}

/** The lines for new texts in place of others; unchanged lines keep their identity. */
export function relined(
  before: readonly Line[],
  texts: readonly string[],
  moment: Moment,
): readonly Line[] {
  const matches = alignLines(
    before.map((line) => line.text),
    texts,
  )
  return texts.map((text, index) => rewritten(before[matches[index] ?? -1], text, moment))
}

function rewritten(old: Line | undefined, text: string, moment: Moment): Line {
  return old === undefined
    ? writtenLine(text, moment)
    : { id: old.id, text: old.text, stamp: moment.stamp, written: moment.stamp }
}

/** A line with its known place in the file. */
export interface PlacedLine {
  readonly line: Line
  readonly at: number
}

/** Builds runs from lines in any order. Of two lines at one place, the first in the list wins. */
export function runsOf(placed: readonly PlacedLine[]): readonly Run[] {
  const sorted = placed.toSorted((a, b) => a.at - b.at)
  const runs: Run[] = []
  let start = 0
  let lines: Line[] = []
  for (const { line, at } of sorted) {
    if (lines.length > 0 && at < start + lines.length) continue
    if (lines.length > 0 && at !== start + lines.length) {
      runs.push({ at: start, lines: lineList(lines) })
      lines = []
    }
    if (lines.length === 0) start = at
    lines.push(line)
  }
  if (lines.length > 0) runs.push({ at: start, lines: lineList(lines) })
  return runs
}

/** Shifts the runs from `index` on by a number of lines. */
export function shiftRuns(runs: readonly Run[], index: number, by: number): readonly Run[] {
  if (by === 0) return runs
  return runs.map((run, position) => {
    if (position < index) return run
    if (run.at !== null) return { ...run, at: run.at + by }
    return run.expected === undefined ? run : { ...run, expected: run.expected + by }
  })
}

/** Replaces the lines of a run, and removes the run when there are none. */
export function withRun(runs: readonly Run[], index: number, lines: LineList): readonly Run[] {
  return lines.length === 0
    ? runs.filter((_, position) => position !== index)
    : runs.map((run, position) => (position === index ? { ...run, lines } : run))
}

export function shiftCount(version: FileVersion, by: number): number | null {
  return version.count === null ? null : Math.max(0, version.count + by)
}

/** True when every line of the file is known and certain. */
export function isWhollyKnown({ version, doubt }: Knowledge): boolean {
  const only = version.runs[0]
  if (version.runs.length !== 1 || only === undefined || only.at !== 0) return false
  if (version.countStamp <= doubt || only.lines.length !== version.count) return false
  return only.lines.chunks.every((lines) => lines.every((line) => line.stamp > doubt))
}

export function hasCertainLine({ version, doubt }: Knowledge): boolean {
  return version.runs.some((run) =>
    run.lines.chunks.some((lines) => lines.some((line) => line.stamp > doubt)),
  )
}
