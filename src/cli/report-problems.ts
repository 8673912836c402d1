import type { RecordingProblem } from '../recordings/recording.ts'
import { type Terminal, writeNotice } from './terminal.ts'

const shown = 10

/** Writes to standard error which lines of a recording were skipped. */
export function reportProblems(
  terminal: Terminal,
  file: string,
  problems: readonly RecordingProblem[],
): void {
  for (const { line, message } of problems.slice(0, shown)) {
    writeNotice(terminal, `${file}:${line}: skipped: ${message}`)
  }
  if (problems.length > shown) {
    writeNotice(terminal, `${file}: and ${problems.length - shown} more; --json lists them all`)
  }
}
