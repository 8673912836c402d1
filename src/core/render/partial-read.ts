import type { FileLines } from '../words/reading.ts'
import { linesElsewhere, restoreHint, type Source } from './marks.ts'
import { frameOf } from './read-frame.ts'

/** Lines of a read that another item shows, by their positions in the read, including the last. */
export interface LinesElsewhere {
  readonly first: number
  readonly last: number
  /** The call of that item, and the number of the first line in it; null when it shows no numbers. */
  readonly source: Source
  readonly number: number | null
}

/**
 * A read in its own frame, with notes in place of the lines that other items show. null when the frame is not recognised,
 * or when the file contains text like such a note.
 */
export function renderPartialRead(
  result: { readonly text: string; readonly handle: string },
  shown: FileLines,
  elsewhere: readonly LinesElsewhere[],
  restore: string | null,
): string | null {
  const { text, handle } = result
  // The lines come from this text, so checking the numbers at the cuts is enough.
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
      source: run.source,
      hint: at === 0 ? restoreHint({ handle, restore }) : null,
    })
    if (next < end) shortened += '\n'
  }
  return shortened + text.slice(next, end - 1) + frame.after
}
