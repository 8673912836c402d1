import {
  allLines,
  joinLists,
  type Line,
  lineList,
  linesBetween,
  spliceLines,
  withStamp,
} from './line-list.ts'
import { hasWord, withoutReturn } from './shown-text.ts'
import { changeUnplaced, splitByCertainty } from './unplaced-change.ts'
import {
  type FileVersion,
  type Knowledge,
  neverCertain,
  type Run,
  shiftCount,
  shiftRuns,
  withRun,
} from './version.ts'

/** Replaces lines of one run, and shifts what follows. */
export function spliceRun(
  version: FileVersion,
  run: number,
  firstLine: number,
  removed: number,
  lines: readonly Line[],
): FileVersion {
  const by = lines.length - removed
  const list = (version.runs[run] as Run).lines
  const shifted = shiftRuns(version.runs, run + 1, by)
  return {
    runs: withRun(shifted, run, spliceLines(list, firstLine, removed, lines)),
    count: shiftCount(version, by),
    countStamp: version.countStamp,
    openEnding: version.openEnding,
  }
}

/**
 * Replaces `removed` lines from line `at` of the file, whether known or not. Runs without a place are dropped, because the
 * change may have moved or removed them.
 */
export function spliceFile(
  version: FileVersion,
  at: number,
  removed: number,
  lines: readonly Line[],
): FileVersion {
  const end = at + removed
  const by = lines.length - removed
  const before: Run[] = []
  const after: Run[] = []
  for (const run of version.runs) {
    if (run.at === null) continue
    const inside = { from: Math.max(0, at - run.at), to: Math.max(0, end - run.at) }
    if (inside.from > 0) {
      const gone = run.lines.length - inside.from
      before.push({
        at: run.at,
        lines: gone <= 0 ? run.lines : spliceLines(run.lines, inside.from, gone, []),
      })
    }
    if (inside.to < run.lines.length) {
      after.push({
        at: run.at + inside.to + by,
        lines: inside.to === 0 ? run.lines : spliceLines(run.lines, 0, inside.to, []),
      })
    }
  }
  const middle: readonly Run[] = lines.length === 0 ? [] : [{ at, lines: lineList(lines) }]
  return {
    ...version,
    runs: joinTouching([...before, ...middle, ...after]),
    count: shiftCount(version, by),
  }
}

/** Joins runs that follow each other without a gap. */
export function joinTouching(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const touches =
      last !== undefined &&
      last.at !== null &&
      run.at !== null &&
      last.at + last.lines.length === run.at
    if (touches)
      joined[joined.length - 1] = { at: last.at, lines: joinLists([last.lines, run.lines]) }
    else joined.push(run)
  }
  return joined
}

/** Removes the place, but not the order, of all lines after the first `lines` of the file. */
export function unplaceAfter(version: FileVersion, lines: number): FileVersion {
  const runs = version.runs.flatMap((run): readonly Run[] => {
    if (run.at === null || run.at + run.lines.length <= lines) return [run]
    if (run.at >= lines) return [{ ...run, at: null }]
    const kept = lines - run.at
    return [
      { at: run.at, lines: spliceLines(run.lines, kept, run.lines.length - kept, []) },
      { at: null, lines: spliceLines(run.lines, 0, kept, []) },
    ]
  })
  return { ...version, runs, count: null }
}

/** Lines of a run, by the run's index and the first line's offset in it. */
export interface FoundLines {
  readonly run: number
  readonly firstLine: number
  readonly length: number
}

/**
 * Replaces the lines in which a text was found, and shifts what follows. When some of the lines are in doubt, the text may
 * have been elsewhere: then the place is a guess, the new lines are in doubt, and so are certain lines that may have been
 * moved or changed.
 */
export function spliceFound(
  knowledge: Knowledge,
  found: FoundLines,
  oldText: string,
  lines: readonly Line[],
): FileVersion {
  const { version, doubt } = knowledge
  const { run, firstLine, length } = found
  const list = (version.runs[run] as Run).lines
  const before = linesBetween(list, firstLine, firstLine + length)
  const isCertain = (line: Line): boolean => line.stamp > doubt
  if (before.every(isCertain)) return spliceRun(version, run, firstLine, length, lines)
  const parts = oldText.split('\n')
  // The certain lines of a found text fix its place, and the text confirms the other lines that it contains whole.
  const anchored = before.some((line) => isCertain(line) && hasWord(line.text))
  const proven = before.every((line, index) => isCertain(line) || isWhole(line, parts[index]))
  if (anchored && proven && parts.length === before.length) {
    return spliceRun(version, run, firstLine, length, lines)
  }
  const elsewhere = changeUnplaced(knowledge, oldText, lines.length - length)?.version
  const base = elsewhere ?? { ...version, count: null, runs: splitByCertainty(version.runs, doubt) }
  const gone = new Set(before.map((line) => line.id))
  const guesses = lines.map((line) => withStamp(line, neverCertain))
  return { ...base, runs: withGuess(base.runs, gone, guesses) }
}

function isWhole(line: Line, part: string | undefined): boolean {
  return part !== undefined && withoutReturn(line.text) === withoutReturn(part)
}

/** Replaces lines by guesses at the place of the first one. */
function withGuess(
  runs: readonly Run[],
  gone: ReadonlySet<number>,
  guesses: readonly Line[],
): readonly Run[] {
  let added = false
  return runs.flatMap((run): readonly Run[] => {
    const lines = allLines(run.lines)
    const first = lines.findIndex((line) => gone.has(line.id))
    if (first === -1) return [run]
    const last = lines.findLastIndex((line) => gone.has(line.id))
    const place = run.at ?? run.expected ?? null
    const parts: Run[] = [
      { at: run.at, expected: run.expected, lines: lineList(lines.slice(0, first)) },
    ]
    if (!added) parts.push({ at: null, lines: lineList(guesses) })
    const expected = place === null ? undefined : place + last + 1
    parts.push({ at: null, expected, lines: lineList(lines.slice(last + 1)) })
    added = true
    return parts.filter((part) => part.lines.length > 0)
  })
}
