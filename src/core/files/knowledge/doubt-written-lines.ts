import { formatterReach } from '../text/formatted-lines.ts'
import { allLines, type Line, lineList, withStamp } from '../text/line-list.ts'
import { joinTouching } from '../text/splice.ts'
import { type FileVersion, neverCertain, type Run } from '../text/version.ts'

/**
 * Doubts the lines that the agent wrote after the stamp `since` and up to the stamp `until`, because a formatter or a
 * reviewing user may have changed them. The other lines stay certain, but lose their line numbers after the first place
 * where lines may have been added or removed. Lines seen after `until` keep their line numbers.
 */
export function doubtWrittenLines(
  version: FileVersion,
  path: string,
  { since, until }: { readonly since: number; readonly until: number },
): FileVersion {
  const isWritten = (line: Line): boolean => line.written > since && line.stamp <= until
  if (!version.runs.some(({ lines }) => lines.chunks.some((chunk) => chunk.some(isWritten))))
    return version
  const all = version.runs.map((run) => allLines(run.lines))
  const lastSeen = all.findLastIndex((lines) => lines.some((line) => line.stamp > until))
  const runs: Run[] = []
  let moved = false
  let anyRisky = false
  version.runs.forEach((run, position) => {
    const lines = all[position] as readonly Line[]
    const written = lines.map(isWritten)
    const { risky: near, moving } = formatterReach(path, lines, written)
    const risky = near.map((isNear, index) => isNear && (lines[index] as Line).stamp <= until)
    anyRisky ||= risky.includes(true)
    const fixed = position < lastSeen ? lines.length : seenUntil(lines, until)
    let start = 0
    for (let index = 1; index <= lines.length; index++) {
      const continues = risky[index] === risky[index - 1] && moving[index] === moving[index - 1]
      if (index < lines.length && continues && index !== fixed) continue
      const part = lines.slice(start, index)
      const place = run.at ?? run.expected
      const expected = place === undefined ? undefined : place + start
      const at = moved || run.at === null ? null : run.at + start
      const kept = risky[start] === true ? part.map((line) => withStamp(line, neverCertain)) : part
      const list = lineList(kept)
      runs.push(at === null ? { at, lines: list, expected } : { at, lines: list })
      moved ||= moving[start] === true && start >= fixed
      start = index
    }
  })
  if (!anyRisky) return version
  return moved
    ? { ...version, runs, count: null, openEnding: false }
    : { ...version, runs: joinTouching(runs) }
}

/** How many lines of a run there are up to the last one that was seen after a stamp. */
function seenUntil(lines: readonly Line[], stamp: number): number {
  return lines.findLastIndex((line) => line.stamp > stamp) + 1
}
