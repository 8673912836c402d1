import { joinLists, type Line, lineList, spliceLines } from './line-list.ts'
import { type FileVersion, type Run, shiftCount, shiftRuns, withRun } from './version.ts'

/** Lines of one run in place of others; what follows moves along. */
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
 * Lines in place of `removed` others, at a place counted from the top of the file, known or not. Runs without a place
 * are given up: nobody can say whether the change moved or removed them.
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

/** Runs that follow each other without a gap are one. */
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

/** The lines after the first `lines` of the file lose their place, and keep their order. */
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
