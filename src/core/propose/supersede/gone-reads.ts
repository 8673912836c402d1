import { addToList } from '../../words/lists.ts'
import type { Proposals, View } from '../strategy.ts'
import type { CurrentLines } from './current-lines.ts'
import type { Holder } from './file-holder.ts'

/** Reads that were hidden because none of their lines was left in the file. An undo may bring the lines back. */
export interface GoneReads {
  add(path: string, read: Holder): void
  /** Shows reads again whose lines are back in the file, as soon as sent bytes may change. */
  bringBack(path: string, current: CurrentLines, view: View): Proposals
}

export function createGoneReads(): GoneReads {
  const byPath = new Map<string, Holder[]>()
  return {
    add(path, read) {
      addToList(byPath, path, read)
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
