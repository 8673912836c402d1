import { allLines, type Line, lineList, withStamp } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'
import { type Knowledge, neverCertain, type Run, shiftCount } from './version.ts'

/**
 * Applies a change whose place is in a gap or in lines in doubt. Certain lines stay; those that it may have moved lose
 * their place. null when there is no gap and no line in doubt, which contradicts what seemed certain.
 */
export function changeUnplaced(
  knowledge: Knowledge,
  oldText: string,
  addedLines: number,
): Knowledge | null {
  const { version, doubt } = knowledge
  const runs = splitByCertainty(
    version.runs.map((run) => doubtOverlapping(run, oldText, knowledge)),
    doubt,
  )
  const isCertain = (run: Run): boolean => (run.lines.chunks[0]?.[0]?.stamp ?? 0) > doubt
  // Possible places of the change, as the number of certain runs before each.
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
    if (!isCertain(run) || addedLines === 0 || run.at === null) {
      if (isCertain(run)) seen++
      return run
    }
    const position = seen++
    if (first > position) return run
    return {
      lines: run.lines,
      at: last <= position && run.at + addedLines >= 0 ? run.at + addedLines : null,
    }
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

/** Splits the runs between certain lines and lines in doubt. */
export function splitByCertainty(runs: readonly Run[], doubt: number): readonly Run[] {
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

/**
 * Doubts the certain lines that may have been part of the changed text together with unknown lines next to them.
 */
function doubtOverlapping(run: Run, oldText: string, knowledge: Knowledge): Run {
  const parts = oldText.split('\n').map(withoutReturn)
  const span = parts.length - 1
  if (span === 0) return run
  const { version, doubt } = knowledge
  const lines = allLines(run.lines)
  const isCertain = (index: number): boolean => (lines[index]?.stamp ?? neverCertain) > doubt
  const fits = (index: number, part: number): boolean => {
    const text = withoutReturn((lines[index] as Line).text)
    if (part === 0) return text.endsWith(parts[0] as string)
    return part === span ? text.startsWith(parts[span] as string) : text === parts[part]
  }
  const begins = run.at === 0
  // A hidden last line break may have been part of the text.
  const hidden = version.openEnding && parts[span] === ''
  const ends =
    run.at !== null &&
    run.at + lines.length === version.count &&
    version.countStamp > doubt &&
    !hidden
  const risky = new Set<number>()
  for (let start = begins ? 0 : -span; start + (ends ? span : 0) < lines.length; start++) {
    const covered: number[] = []
    let possible = true
    for (let part = 0; part <= span && possible; part++) {
      if (!isCertain(start + part)) continue
      possible = fits(start + part, part)
      covered.push(start + part)
    }
    if (possible && covered.length <= span) for (const index of covered) risky.add(index)
  }
  if (risky.size === 0) return run
  const doubted = lines.map((line, index) =>
    risky.has(index) ? withStamp(line, neverCertain) : line,
  )
  return { ...run, lines: lineList(doubted) }
}
