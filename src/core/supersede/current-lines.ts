import type { FileLines } from '../record/reading.ts'
import type { FileState } from '../track/files/index.ts'

/** The lines of a file as it is now, by identity. */
export interface CurrentLines {
  /** True for a line that the file has for certain. */
  has(id: number): boolean
  /** True when the line may or may not still be there. */
  isUncertain(id: number): boolean
  /** The number of a certain line, where it is known. */
  numberOf(id: number): number | null
  /** The given lines as runs of the file as it is now; null when the number of one of them is not known. */
  runs(ids: ReadonlyMap<number, unknown>): readonly FileLines[] | null
}

/** `isLost` tells of a line that the state has no place for whether it may still be in the file. */
export function currentLines(state: FileState, isLost: (id: number) => boolean): CurrentLines {
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

  return {
    has: (id) => certain.has(id),
    isUncertain: (id) => uncertain.has(id) || (!certain.has(id) && isLost(id)),
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
