import type { FileState } from '../../files/index.ts'
import type { FileLines } from '../../words/reading.ts'

/** The lines of a file as it is now, by identity. */
export interface CurrentLines {
  /** True for a line that is certainly in the file. */
  has(id: number): boolean
  /** What is certainly left of a line: the line itself, or the lines in which changes left a part of it. */
  leftOf(id: number): readonly number[]
  /** True when it is unknown whether the line, or a line with a part of it, is still there. */
  isUncertain(id: number): boolean
  /** True when everything that the file has, or may have, of a line is among the shown lines. */
  isAmong(id: number, shown: Pick<ReadonlySet<number>, 'has'>): boolean
  /** The number of a certain line, where it is known. */
  numberOf(id: number): number | null
  /** The given lines as runs of the current file; null when the number of one of them is unknown. */
  runs(ids: ReadonlyMap<number, unknown>): readonly FileLines[] | null
}

/**
 * `isLost` says whether a line without a known position may still be in the file. `successorsOf` returns the lines in which
 * partial changes left the rest of a line.
 */
export function currentLines(
  state: FileState,
  isLost: (id: number) => boolean,
  successorsOf: (id: number) => readonly number[],
): CurrentLines {
  const certain = new Map<number, number | null>()
  const uncertain = new Set<number>()
  for (const segment of state.segments) {
    if (segment.kind === 'gap') continue
    let number = segment.first
    for (const { id, certain: isCertain } of segment.lines) {
      if (isCertain) certain.set(id, number)
      else uncertain.add(id)
      if (number !== null) number++
    }
  }
  const last = state.segments.at(-1)
  const ending = last?.kind === 'lines' ? last.lines.at(-1) : undefined

  const isDoubtful = (id: number): boolean => uncertain.has(id) || (!certain.has(id) && isLost(id))
  const isThere = (id: number): boolean => certain.has(id) || isDoubtful(id)

  /** The line itself if it is found, or else its successors, or else theirs. */
  function found(id: number, isFound: (id: number) => boolean): readonly number[] {
    const reached = new Set([id])
    // A set also iterates over the ids that are added during the loop.
    for (const each of reached) {
      if (!isFound(each)) for (const rest of successorsOf(each)) reached.add(rest)
    }
    return [...reached].filter(isFound)
  }

  return {
    has: (id) => certain.has(id),
    leftOf: (id) => found(id, isThere).filter((each) => certain.has(each)),
    isUncertain: (id) => !certain.has(id) && found(id, isThere).some(isDoubtful),
    isAmong: (id, shown) =>
      shown.has(id) ||
      found(id, (each) => shown.has(each) || isThere(each)).every((each) => shown.has(each)),
    numberOf: (id) => certain.get(id) ?? null,
    runs(ids) {
      const runs: { first: number; lines: string[] }[] = []
      for (const segment of state.segments) {
        if (segment.kind === 'gap') continue
        for (const [offset, line] of segment.lines.entries()) {
          // The empty line after the last line break is not shown, as in most agents.
          if (!ids.has(line.id) || (line === ending && line.text === '')) continue
          if (segment.first === null) return null
          const number = segment.first + offset
          const run = runs.at(-1)
          if (run !== undefined && run.first + run.lines.length === number)
            run.lines.push(line.text)
          else runs.push({ first: number, lines: [line.text] })
        }
      }
      return runs
    },
  }
}
