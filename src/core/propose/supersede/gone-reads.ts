import type { Proposals, View } from '../strategy.ts'
import type { CurrentLines } from './current-lines.ts'
import type { Holder } from './file-holder.ts'

/** Reads that went because the file had none of their lines any more. An undo may give it those lines again. */
export interface GoneReads {
  add(path: string, read: Holder): void
  /** Shows those again of which the file has lines, as soon as what was sent may change. */
  bringBack(path: string, current: CurrentLines, view: View): Proposals
}

export function createGoneReads(): GoneReads {
  const byPath = new Map<string, readonly Holder[]>()
  return {
    add(path, read) {
      byPath.set(path, [...(byPath.get(path) ?? []), read])
    },
    *bringBack(path, current, view) {
      const reads = byPath.get(path) ?? []
      const back = reads.filter(
        ({ item, lines }) =>
          view.mayChange(item) && lines.ids.some((id) => current.leftOf(id).length > 0),
      )
      for (const { item } of back) yield { kind: 'take-back', item }
      if (back.length > 0) {
        byPath.set(
          path,
          reads.filter((read) => !back.includes(read)),
        )
      }
    },
  }
}
