import { sourceOf } from '../../render/index.ts'
import { type LinesElsewhere, renderPartialRead } from '../../render/partial-read.ts'
import { outputOf } from '../../words/operation.ts'
import type { Holder } from './file-holder.ts'
import type { LinePlaces } from './line-places.ts'
import { linesOfItem, type ShownLines } from './shown-lines.ts'

/** A read without the lines that other items show. */
export interface PartialReread {
  readonly text: string
  readonly lines: ShownLines
  /** The earlier read that shows most of what is left out; null when only changes show it. */
  readonly source: Holder | null
}

/** How many known lines are repeated around new ones as context. */
const contextLines = 2
/** Shorter runs are not replaced by a note. */
const leastLines = 4
const leastChars = 240
/** The read stays as it is when less is saved in all. */
const leastSaved = 300

/** Leaves out of a read what was found in other holders; null when that saves little. */
export function partialReread(
  read: Holder,
  places: LinePlaces,
  restore: string | null,
): PartialReread | null {
  const { result, reading } = read.operation
  const shown = reading?.lines ?? null
  if (result === null || shown?.lines.length !== read.lines.ids.length) return null
  const elsewhere = runsElsewhere(shown.lines, places)
  if (elsewhere.length === 0) return null
  const text = renderPartialRead(result, shown, elsewhere, restore)
  if (text === null || text.length > outputOf(read.operation).length - leastSaved) return null
  return { text, lines: linesLeft(read, elsewhere), source: mainSource(elsewhere) }
}

interface HeldElsewhere extends LinesElsewhere {
  readonly holder: Holder
}

/** Runs of lines that another item shows in the same order, if they are long enough for a note. */
function runsElsewhere(texts: readonly string[], places: LinePlaces): readonly HeldElsewhere[] {
  const runs: HeldElsewhere[] = []
  const count = places.stretchCount()
  let from = 0
  let until = 0
  for (let stretch = 0; stretch < count; stretch++) {
    if (!places.isFound(stretch)) continue
    const start = places.startOf(stretch)
    if (stretch === 0 || !places.isFound(stretch - 1)) {
      // Keep context lines next to new lines.
      from = start === 0 ? start : start + contextLines
      let next = stretch + 1
      while (next < count && places.isFound(next)) next++
      until = next === count ? texts.length : places.startOf(next) - contextLines
    }
    const first = Math.max(start, from)
    const end = Math.min(places.startOf(stretch + 1), until)
    if (!isWorthNote(texts, first, end)) continue
    const number = places.numberOf(stretch)
    const holder = places.holderOf(stretch)
    const source = sourceOf(holder.operation, holder.kind === 'read' ? 'result' : 'input')
    if (source === null) continue
    runs.push({
      first,
      last: end - 1,
      source,
      number: number === null ? null : number + first - start,
      holder,
    })
  }
  return runs
}

function isWorthNote(texts: readonly string[], first: number, end: number): boolean {
  if (end - first < leastLines) return false
  let chars = 0
  for (let at = first; at < end && chars < leastChars; at++) {
    chars += (texts[at] as string).length + 1
  }
  return chars >= leastChars
}

function linesLeft({ lines, item }: Holder, elsewhere: readonly LinesElsewhere[]): ShownLines {
  let left = lines.ids.length
  for (const { first, last } of elsewhere) left -= last + 1 - first
  const ids = new Array<number>(left)
  const numbers = new Array<number | null>(left)
  let kept = 0
  let next = 0
  for (let run = 0; run <= elsewhere.length; run++) {
    const known = elsewhere[run]
    const end = known === undefined ? lines.ids.length : known.first
    for (let at = next; at < end; at++) {
      ids[kept] = lines.ids[at] as number
      numbers[kept++] = lines.numberAt(at)
    }
    if (known !== undefined) next = known.last + 1
  }
  return linesOfItem(ids, numbers, item.index)
}

function mainSource(elsewhere: readonly HeldElsewhere[]): Holder | null {
  let most: Holder | null = null
  let mostLines = 0
  for (const { holder } of elsewhere) {
    if (holder.kind !== 'read' || holder === most) continue
    let lines = 0
    for (const run of elsewhere) if (run.holder === holder) lines += run.last - run.first + 1
    if (lines > mostLines) {
      most = holder
      mostLines = lines
    }
  }
  return most
}
