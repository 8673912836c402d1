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
  const frame = shown === null ? null : frameOf(result.text, shown)
  if (shown === null || frame === null) return null
  if (result.text.includes(noteStart) && shown.lines.some(beginsAsNote)) return null
  const parts: string[] = []
  let next = 0
  const showUntil = (end: number): void => {
    if (end <= next) return
    const [from, to] = [frame.starts[next] as number, frame.starts[end] as number]
    parts.push(result.text.slice(from, to - 1))
  }
  for (const [at, run] of elsewhere.entries()) {
    showUntil(run.first)
    const hint = at === 0 ? ` · ${restoreHint(result.handle)}` : ''
    parts.push(`${noteStart}s ${told(run, shown.first)}${hint}]`)
    next = run.last + 1
  }
  showUntil(shown.lines.length)
  return `${frame.before}${parts.join('\n')}${frame.after}`
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
