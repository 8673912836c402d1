import type { ResultReading } from '../record/reading.ts'
import { frameOf } from './file-view.ts'
import { restoreHint } from './fitting.ts'

/** Lines of a read, by their positions in it, the last one included, that other items show. */
export interface LinesElsewhere {
  readonly first: number
  readonly last: number
  /** The turn of the item that shows them, and the number of the first of them there; null where it shows none. */
  readonly turn: number
  readonly number: number | null
}

const noteStart = '[… line'

/**
 * A read in its own frame, with the lines that other items show left out, each run in a note that says where it is. null
 * when the frame cannot be told from the lines, or when a note could not be told from the file's own text.
 */
export function renderPartialRead(
  result: { readonly text: string; readonly reading: ResultReading; readonly handle: string },
  elsewhere: readonly LinesElsewhere[],
): string | null {
  const shown = result.reading.lines
  if (shown === null) return null
  const cuts: number[] = []
  for (const { first, last } of elsewhere) {
    cuts.push(first)
    if (last + 1 < shown.lines.length) cuts.push(last + 1)
  }
  // The lines were read from this text: with the right numbers where it is cut, those between are right too.
  const frame = frameOf(result.text, shown, cuts)
  if (frame === null) return null
  if (result.text.includes(noteStart) && shown.lines.some(beginsAsNote)) return null
  const { text } = result
  const { starts } = frame
  // Put together by adding: what is superseded before anybody sees it is never copied out of the read.
  let shortened = frame.before
  let next = 0
  for (const run of elsewhere) {
    if (run.first > next) shortened += text.slice(starts[next], starts[run.first])
    const hint = run === elsewhere[0] ? ` · ${restoreHint(result.handle)}` : ''
    next = run.last + 1
    const isLast = next === shown.lines.length
    shortened += `${noteStart}s ${told(run, shown.first)}${hint}]${isLast ? '' : '\n'}`
  }
  const behind = starts[shown.lines.length] as number
  if (next < shown.lines.length) shortened += text.slice(starts[next], behind - 1)
  return shortened + frame.after
}

function beginsAsNote(line: string): boolean {
  return line.trimStart().startsWith(noteStart)
}

/** `4–60 unchanged since turn 3`, or under which numbers they stand there. */
function told({ first, last, turn, number }: LinesElsewhere, base: number): string {
  const lines = `${base + first}–${base + last}`
  if (number === null) return `${lines} as written at turn ${turn}`
  if (number === base + first) return `${lines} unchanged since turn ${turn}`
  return `${lines} unchanged, ${number}–${number + last - first} at turn ${turn}`
}
