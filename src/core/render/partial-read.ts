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
const notesStart = '[… lines '

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
    const isFirst = run === elsewhere[0]
    next = run.last + 1
    shortened += `${notesStart}${shown.first + run.first}–${shown.first + run.last}`
    shortened += told(run, shown.first)
    if (isFirst) shortened += ` · ${restoreHint(result.handle)}`
    shortened += next === shown.lines.length ? ']' : ']\n'
  }
  const behind = starts[shown.lines.length] as number
  if (next < shown.lines.length) shortened += text.slice(starts[next], behind - 1)
  return shortened + frame.after
}

function beginsAsNote(line: string): boolean {
  return line.trimStart().startsWith(noteStart)
}

/** ` unchanged since turn 3` behind the lines' numbers, or under which numbers they stand there. */
function told({ first, last, turn, number }: LinesElsewhere, base: number): string {
  if (number === null) return ` as written at turn ${turn}`
  if (number === base + first) return unchangedSince(turn)
  return ` unchanged, ${number}–${number + last - first} at turn ${turn}`
}

/** Most notes of a session point to the same few reads, and all of them are kept: one text does for each turn. */
const unchanged = new Map<number, string>()
const mostTurns = 2000

function unchangedSince(turn: number): string {
  const known = unchanged.get(turn)
  if (known !== undefined) return known
  const text = ` unchanged since turn ${turn}`
  if (unchanged.size >= mostTurns) unchanged.clear()
  unchanged.set(turn, text)
  return text
}
