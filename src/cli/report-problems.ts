import type { RecordingProblem } from '../recordings/recording.ts'
import type { Terminal } from './terminal.ts'

const shown = 10

/** Says on standard error which lines of a recording were skipped, and goes on. */
export function reportProblems(
  terminal: Terminal,
  file: string,
  problems: readonly RecordingProblem[],
): void {
  for (const { line, message } of problems.slice(0, shown)) {
    terminal.err.write(`${file}:${line}: skipped: ${message}\n`)
  }
  if (problems.length > shown) {
    terminal.err.write(`${file}: and ${problems.length - shown} more; --json lists them all\n`)
  }
}
