import { allLines, type Line, lineList } from './line-list.ts'
import { type FileVersion, neverCertain, type Run } from './version.ts'

/** A formatter that rewraps what was written may take the lines next to it along. */
const radius = 2

/**
 * Somebody may have gone over what the agent wrote since a stamp: a formatter, or a user who reviews. Those lines are
 * in doubt; the others are what they were, but behind the first of them nobody knows their places.
 */
export function loosen(version: FileVersion, since: number): FileVersion {
  const runs: Run[] = []
  let loosened = false
  for (const run of version.runs) {
    const lines = allLines(run.lines)
    const risky = riskyLines(lines, since)
    let start = 0
    for (let index = 1; index <= lines.length; index++) {
      if (index < lines.length && risky[index] === risky[index - 1]) continue
      const part = lines.slice(start, index)
      const isRisky = risky[start] === true
      const place = run.at ?? run.expected
      const expected = place === undefined ? undefined : place + start
      const at = loosened || run.at === null ? null : run.at + start
      const kept = isRisky ? part.map((line): Line => ({ ...line, stamp: neverCertain })) : part
      const list = kept === lines ? run.lines : lineList(kept)
      runs.push(at === null ? { at, lines: list, expected } : { at, lines: list })
      loosened ||= isRisky
      start = index
    }
  }
  return loosened ? { ...version, runs, count: null, openEnding: false } : version
}

function riskyLines(lines: readonly Line[], since: number): readonly boolean[] {
  const risky = new Array<boolean>(lines.length).fill(false)
  lines.forEach((line, index) => {
    if (line.written > since) {
      risky.fill(true, Math.max(0, index - radius), Math.min(lines.length, index + radius + 1))
    }
  })
  return risky
}
