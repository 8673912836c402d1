import type { FileState } from '../../files/index.ts'
import type { FileLines } from '../../words/reading.ts'

/** The lines of a file as it is now, by identity. */
export interface CurrentLines {
  /** True for a line that the file has for certain. */
  has(id: number): boolean
  /** What the file has for certain of a line: the line itself, or else those in which changes left a part of it. */
  leftOf(id: number): readonly number[]
  /** True when the line, or one with a part of it, may or may not still be there. */
  isUncertain(id: number): boolean
  /** True when all that the file has, or may have, of a line is among those that are shown. */
  isAmong(id: number, shown: Pick<ReadonlySet<number>, 'has'>): boolean
  /** The number of a certain line, where it is known. */
  numberOf(id: number): number | null
  /** The given lines as runs of the file as it is now; null when the number of one of them is not known. */
  runs(ids: ReadonlyMap<number, unknown>): readonly FileLines[] | null
}

/**
 * `isLost` tells of a line that the state has no place for whether it may still be in the file, `restsOf` in which lines
 * changes of a part of it left the rest.
 */
export function currentLines(
  state: FileState,
  isLost: (id: number) => boolean,
  restsOf: (id: number) => readonly number[],
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

  /** The line itself where it is found, or else those with its rest, or else those with theirs. */
  function found(id: number, isFound: (id: number) => boolean): readonly number[] {
    const reached = new Set([id])
    // What is added on the way is visited too.
    for (const each of reached) {
      if (!isFound(each)) for (const rest of restsOf(each)) reached.add(rest)
    }
    return [...reached].filter(isFound)
  }

  // Nearly all lines that are asked about are there as they were.
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
          // After a last line break there is nothing to show, and most agents show no line there.
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
