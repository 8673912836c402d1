import type { FileLines } from '../../core/words/reading.ts'
import { type NumberedRun, type NumberStyle, numberedRun } from './line-numbers.ts'

/** What the results of a session showed of one file so far. Whatever it knows, readings stay the same. */
export interface ShownFile {
  /** The same as `numberedRun`. Lines that stand in an earlier run as they stand here are taken from it, many at once. */
  run(text: string, style: NumberStyle): NumberedRun | null
  /**
   * The same lines; those that were shown before under the same number are the same strings: kept once, and found equal
   * at a glance.
   */
  share(lines: FileLines): FileLines
}

/** For a result that is read by itself. */
export const nothingShown: ShownFile = { run: numberedRun, share: (lines) => lines }

export function createShownFile(): ShownFile {
  let latest: NumberedRun | undefined
  const known: string[] = []
  return {
    run(text, style) {
      const run = numberedRun(text, style, latest)
      // A glance at a few lines does not replace what is known of all of them.
      if (run !== null && run.starts.length * 2 > (latest?.starts.length ?? 0)) latest = run
      return run
    },
    share(shown) {
      const { first, total } = shown
      // The end of a long file is not worth a list that begins with nothing.
      if (first < 1 || first > known.length + 1) return shown
      const lines = shown.lines.map((line, index) => {
        const before = known[first - 1 + index]
        if (before === line) return before
        known[first - 1 + index] = line
        return line
      })
      return total === undefined ? { first, lines } : { first, lines, total }
    },
  }
}
