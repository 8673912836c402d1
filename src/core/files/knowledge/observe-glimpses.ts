import type { FileGlimpse } from '../../words/reading.ts'
import { linesBetween, spliceLines, withStamp } from '../text/line-list.ts'
import type { FileVersion, Moment, Run } from '../text/version.ts'
import type { FileTable } from './file-table.ts'
import { isNamed, spelledPath } from './formatting.ts'

/**
 * What a result shows of files among other things. Between the stretches of a comparison nothing differs from the older
 * version: known lines that fill the space between them exactly are what they were.
 */
export function observeGlimpses(table: FileTable, glimpses: readonly FileGlimpse[]): void {
  for (const { path: spelled, stretches, complete } of glimpses) {
    const path = pathOf(table, spelledPath(spelled))
    if (path === null) continue
    for (const { first, lines } of stretches) {
      const start = first - 1
      table.glimpse(path, { start, texts: lines, end: 'unknown', count: 0 })
    }
    if (complete) table.settle(path, (version, moment) => filled(version, stretches, moment))
  }
}

/** The only file whose path ends so. */
export function pathOf(table: FileTable, ending: string): string | null {
  if (table.files.has(ending)) return ending
  const alike = table.named(ending.slice(ending.lastIndexOf('/') + 1))
  const paths = alike.filter((path) => isNamed(path, ending))
  return paths.length === 1 ? (paths[0] as string) : null
}

/** The version with the lines between stretches that were just seen as certain as these. */
function filled(
  version: FileVersion,
  stretches: FileGlimpse['stretches'],
  moment: Moment,
): FileVersion {
  let end = 0
  let { runs } = version
  for (const { first, lines } of stretches) {
    const start = end
    runs = runs.map((run) =>
      spans(run, start, first - 1) ? sure(run, start, first - 1, moment) : run,
    )
    end = first - 1 + lines.length
  }
  return { ...version, runs }
}

/** True when a run has all the lines from `from` up to `to`, and those next to them. */
function spans({ at, lines }: Run, from: number, to: number): boolean {
  return at !== null && to > from && at <= Math.max(0, from - 1) && at + lines.length > to
}

function sure(run: Run, from: number, to: number, moment: Moment): Run {
  const at = run.at as number
  const lines = linesBetween(run.lines, from - at, to - at)
  const seen = lines.map((line) => withStamp(line, moment.stamp))
  return { ...run, lines: spliceLines(run.lines, from - at, seen.length, seen) }
}
