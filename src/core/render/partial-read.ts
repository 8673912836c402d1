import type { FileLines } from '../words/reading.ts'
import { restoreHint } from './fitting.ts'
import { frameOf } from './read-frame.ts'

/** Lines of a read, by their positions in it, the last one included, that other items show. */
export interface LinesElsewhere {
  readonly first: number
  readonly last: number
  /** The turn of the item that shows them, and the number of the first of them there; null where it shows none. */
  readonly turn: number
  readonly number: number | null
  /** That item, which keeps the last note. */
  readonly holder: { note: PlainNote | null }
}

/** A note on lines that stand under the same numbers elsewhere. */
export interface PlainNote {
  readonly number: number
  readonly more: number
  readonly text: string
}

const noteStart = '[… line'
const notesStart = '[… lines '

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
  const cuts = new Array<number>(2 * elsewhere.length)
  for (let run = 0; run < elsewhere.length; run++) {
    const { first, last } = elsewhere[run] as LinesElsewhere
    cuts[2 * run] = first
    cuts[2 * run + 1] = last + 1
  }
  // The lines were read from this text: with the right numbers where it is cut, those between are right too.
  const frame = frameOf(result.text, shown, cuts)
  if (frame === null) return null
  if (result.text.includes(noteStart) && shown.lines.some(beginsAsNote)) return null
  const { text } = result
  const { start, end, cuts: places } = frame.lines
  // Put together by adding: what is superseded before anybody sees it is never copied out of the read.
  let shortened = frame.before
  let next = start
  for (let at = 0; at < elsewhere.length; at++) {
    const run = elsewhere[at] as LinesElsewhere
    const from = places[2 * at] as number
    if (from > next) shortened += text.slice(next, from)
    next = places[2 * at + 1] as number
    if (at > 0 && next < end && run.number === shown.first + run.first) {
      shortened += plainNote(run, run.number)
      continue
    }
    shortened += noted(run, shown.first)
    if (at === 0) shortened += ` · ${restoreHint({ handle: result.handle, restore })}`
    shortened += next < end ? ']\n' : ']'
  }
  if (next < end) shortened += text.slice(next, end - 1)
  return shortened + frame.after
}

function beginsAsNote(line: string): boolean {
  return line.trimStart().startsWith(noteStart)
}

/** `[… lines 5–19 unchanged since turn 3`, or under which numbers they stand there. */
function noted({ first, last, turn, number }: LinesElsewhere, base: number): string {
  const lines = `${notesStart}${base + first}–${base + last}`
  if (number === null) return `${lines} as written at turn ${turn}`
  if (number === base + first) return `${lines} unchanged since turn ${turn}`
  return `${lines} unchanged, ${number}–${number + last - first} at turn ${turn}`
}

/**
 * From one read of a file to the next most notes are the same, and all of them are kept for as long as the session: one
 * text does for as many reads as it can.
 */
function plainNote({ first, last, turn, holder }: LinesElsewhere, number: number): string {
  const more = last - first
  const { note } = holder
  if (note !== null && note.number === number && note.more === more) return note.text
  const text = `${notesStart}${number}–${number + more} unchanged since turn ${turn}]\n`
  holder.note = { number, more, text }
  return text
}
