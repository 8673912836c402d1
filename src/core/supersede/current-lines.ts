import type { FileLines } from '../record/reading.ts'
import type { FileState } from '../track/files/index.ts'

/** The lines of a file that are certain now, by identity. */
export interface CurrentLines {
  has(id: number): boolean
  /** True when the line may or may not still be as it was shown. */
  isUncertain(id: number): boolean
  /** The given lines as runs of the file as it is now; null when the number of one of them is not known. */
  runs(ids: ReadonlySet<number>): readonly FileLines[] | null
}

export function currentLines(state: FileState): CurrentLines {
  const certain = new Set<number>()
  const uncertain = new Set<number>()
  for (const segment of state.segments) {
    if (segment.kind === 'gap') continue
    for (const line of segment.lines) (line.certain ? certain : uncertain).add(line.id)
  }
  return {
    has: (id) => certain.has(id),
    isUncertain: (id) => uncertain.has(id),
    runs(ids) {
      const runs: { first: number; lines: string[] }[] = []
      for (const segment of state.segments) {
        if (segment.kind === 'gap') continue
        for (const [offset, line] of segment.lines.entries()) {
          if (!ids.has(line.id)) continue
          if (segment.first === null) return null
          const number = segment.first + offset
          const last = runs.at(-1)
          if (last !== undefined && last.first + last.lines.length === number)
            last.lines.push(line.text)
          else runs.push({ first: number, lines: [line.text] })
        }
      }
      return runs
    },
  }
}
