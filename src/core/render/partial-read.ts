import type { FileLines } from '../words/reading.ts'
import { linesElsewhere, restoreHint } from './marks.ts'
import { frameOf } from './read-frame.ts'

/** Lines of a read, by their positions in it, the last one included, that another item shows. */
export interface LinesElsewhere {
  readonly first: number
  readonly last: number
  /** The turn of the item that shows them, and the number of the first of them there; null where it shows none. */
  readonly turn: number
  readonly number: number | null
}

/**
 * A read in its own frame, with the lines that other items show left out, each run in a note that says where it is. null
 * when the frame cannot be told from the lines, or when a note could not be told from the file's own text.
 */
export function renderPartialRead(
  result: { readonly text: string; readonly handle: string },
  shown: FileLines,
  elsewhere: readonly LinesElsewhere[],
  restore: string | null,
): string | null {
  const { text, handle } = result
  // The lines were read from this text: with the right numbers where it is cut, those between are right too.
  const frame = frameOf(
    text,
    shown,
    elsewhere.flatMap(({ first, last }) => [first, last + 1]),
  )
  if (frame === null || shown.lines.some(linesElsewhere.isStartOf)) return null
  const { start, end, cuts } = frame.lines
  let shortened = frame.before
  let next = start
  for (const [at, run] of elsewhere.entries()) {
    shortened += text.slice(next, cuts[2 * at])
    next = cuts[2 * at + 1] as number
    shortened += linesElsewhere.write({
      first: shown.first + run.first,
      last: shown.first + run.last,
      there: run.number,
      turn: run.turn,
      hint: at === 0 ? restoreHint({ handle, restore }) : null,
    })
    if (next < end) shortened += '\n'
  }
  return shortened + text.slice(next, end - 1) + frame.after
}
