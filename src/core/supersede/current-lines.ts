import type { FileLines } from '../record/reading.ts'
import type { Coverage, FileState } from '../track/files/index.ts'

/** The lines of a file as it is now, by identity. */
export interface CurrentLines {
  /** True for a line that the file has for certain. */
  has(id: number): boolean
  /** True when the line, which that item showed, may or may not still be there. */
  isUncertain(id: number, item: number): boolean
  /** The number of a certain line, where it is known. */
  numberOf(id: number): number | null
  /** The given lines as runs of the file as it is now; null when the number of one of them is not known. */
  runs(ids: ReadonlyMap<number, unknown>): readonly FileLines[] | null
}

export function currentLines(
  state: FileState,
  coverage: (item: number) => readonly Coverage[],
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
  const lostByItem = new Map<number, ReadonlySet<number>>()

  /** Lines that may still be there, but nobody can say where. */
  function lostOf(item: number): ReadonlySet<number> {
    const known = lostByItem.get(item)
    if (known !== undefined) return known
    const lost = new Set<number>()
    for (const { lines } of coverage(item)) {
      for (const { id, fate } of lines) if (id !== null && fate === 'uncertain') lost.add(id)
    }
    lostByItem.set(item, lost)
    return lost
  }

  return {
    has: (id) => certain.has(id),
    isUncertain: (id, item) => uncertain.has(id) || (!certain.has(id) && lostOf(item).has(id)),
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
