import { allLines, type Line, lineList } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'
import { type Knowledge, neverCertain, type Run, shiftCount } from './version.ts'

/**
 * A change happened, but not in the lines that are certain: it must have been in a gap, or in lines that are in doubt.
 * Certain lines stay; those that the change may have moved lose their place when it changes the number of lines. null
 * when there is no such place, so that what seemed certain cannot be.
 */
export function changeSomewhere(
  knowledge: Knowledge,
  oldText: string,
  addedLines: number,
): Knowledge | null {
  const { version, doubt } = knowledge
  const runs = splitByCertainty(version.runs, doubt)
  const isCertain = (run: Run): boolean => (run.lines.chunks[0]?.[0]?.stamp ?? 0) > doubt
  // Places where it may have been, as the number of certain runs before them.
  const places = new Set<number>()
  let certainRuns = 0
  let reached: number | null = 0
  for (const run of runs) {
    if (run.at === null || reached === null || run.at > reached || !isCertain(run)) {
      places.add(certainRuns)
    }
    if (isCertain(run)) certainRuns++
    reached = run.at === null ? null : run.at + run.lines.length
  }
  const whole = version.count !== null && version.countStamp > doubt && reached === version.count
  if (!whole) places.add(certainRuns)
  if (places.size === 0) return null

  const first = Math.min(...places)
  const last = Math.max(...places)
  let seen = 0
  const moved = runs.map((run): Run => {
    const safe = withoutStraddlers(run, oldText)
    if (!isCertain(run) || addedLines === 0 || run.at === null) {
      if (isCertain(run)) seen++
      return safe
    }
    const position = seen++
    if (first > position) return safe
    return { lines: safe.lines, at: last <= position ? run.at + addedLines : null }
  })
  const counted = version.count !== null && version.countStamp > doubt
  return {
    version: {
      ...version,
      runs: moved,
      count: counted ? shiftCount(version, addedLines) : version.count,
    },
    doubt,
  }
}

function splitByCertainty(runs: readonly Run[], doubt: number): readonly Run[] {
  return runs.flatMap((run): readonly Run[] => {
    const lines = allLines(run.lines)
    const parts: Run[] = []
    let start = 0
    for (let index = 1; index <= lines.length; index++) {
      const before = (lines[index - 1] as Line).stamp > doubt
      if (index < lines.length && (lines[index] as Line).stamp > doubt === before) continue
      const at = run.at === null ? null : run.at + start
      parts.push({ at, lines: lineList(lines.slice(start, index)) })
      start = index
    }
    return parts.length === 1 ? [run] : parts
  })
}

/** Lines at the edges of a run that may be the beginning or the end of the changed text are no longer certain. */
function withoutStraddlers(run: Run, oldText: string): Run {
  const parts = oldText.split('\n').map(withoutReturn)
  const span = parts.length - 1
  if (span === 0 || run.lines.length === 0) return run
  const lines = allLines(run.lines)
  const texts = lines.map((line) => withoutReturn(line.text))
  let head = 0
  let tail = 0
  for (let length = 1; length <= Math.min(span, lines.length); length++) {
    const end = texts.slice(texts.length - length)
    const begins = end.every((text, index) =>
      index === 0 ? text.endsWith(parts[0] as string) : text === parts[index],
    )
    if (begins) tail = length
    const ends = texts
      .slice(0, length)
      .every((text, index) =>
        index === length - 1
          ? text.startsWith(parts[span] as string)
          : text === parts[span - length + 1 + index],
      )
    if (ends) head = length
  }
  if (head === 0 && tail === 0) return run
  const doubted = lines.map((line, index) =>
    index < head || index >= lines.length - tail ? { ...line, stamp: neverCertain } : line,
  )
  return { at: run.at, lines: lineList(doubted) }
}
