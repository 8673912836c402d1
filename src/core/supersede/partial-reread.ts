import { type LinesElsewhere, renderPartialRead } from '../render/partial-read.ts'
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

/** What is shown again around lines that are new, so that they are read in their place. */
const contextLines = 2
/** A note is not worth fewer lines or characters than these. */
const leastLines = 4
const leastChars = 240
/** Nor is a read that gets shorter by less. */
const leastSaved = 300

/** Leaves out of a read what was found in other holders; null when that saves little. */
export function partialReread(read: Holder, places: LinePlaces): PartialReread | null {
  const { result, reading } = read.operation
  const texts = reading?.lines?.lines
  if (result === null || reading === null || texts?.length !== read.lines.ids.length) return null
  const elsewhere = runsElsewhere(texts, places)
  if (elsewhere.length === 0) return null
  const text = renderPartialRead({ text: result.text, reading, handle: result.handle }, elsewhere)
  if (text === null || text.length > result.text.length - leastSaved) return null
  return { text, lines: linesLeft(read, elsewhere), source: mainSource(elsewhere) }
}

interface HeldElsewhere extends LinesElsewhere {
  readonly holder: Holder
}

/** Lines that follow each other there as they do here, where they are worth a note. */
function runsElsewhere(texts: readonly string[], places: LinePlaces): readonly HeldElsewhere[] {
  const runs: HeldElsewhere[] = []
  const count = places.stretchCount()
  for (let stretch = 0; stretch < count; stretch++) {
    if (places.holderOf(stretch) === null) continue
    const first = stretch
    while (stretch + 1 < count && places.holderOf(stretch + 1) !== null) stretch++
    addRuns(runs, first, stretch, texts, places)
  }
  return runs
}

/** Those of stretches, the last one included, that follow each other. */
function addRuns(
  runs: HeldElsewhere[],
  firstStretch: number,
  lastStretch: number,
  texts: readonly string[],
  places: LinePlaces,
): void {
  const begin = places.startOf(firstStretch)
  const end = places.startOf(lastStretch + 1)
  // Around lines that are shown anew.
  const from = begin === 0 ? begin : begin + contextLines
  const behind = end === texts.length ? end : end - contextLines
  let holder: Holder | null = null
  let number: number | null = null
  let first = from
  for (let stretch = firstStretch; stretch <= lastStretch; stretch++) {
    const start = places.startOf(stretch)
    const until = Math.min(behind, places.startOf(stretch + 1))
    const own = places.holderOf(stretch) as Holder
    const shift = places.positionOf(stretch) - start
    for (let at = Math.max(from, start); at < until; ) {
      const ownNumber = own.lines.numberAt(at + shift)
      const goesOn = own === holder && ownNumber === (number === null ? null : number + at - first)
      if (!goesOn) {
        if (holder !== null) addRun(runs, holder, number, first, at, texts)
        holder = own
        number = ownNumber
        first = at
      }
      at += own.lines.inARow(at + shift, until - at)
    }
  }
  if (holder !== null) addRun(runs, holder, number, first, behind, texts)
}

function addRun(
  runs: HeldElsewhere[],
  holder: Holder,
  number: number | null,
  first: number,
  end: number,
  texts: readonly string[],
): void {
  if (end - first < leastLines) return
  let chars = 0
  for (let at = first; at < end && chars < leastChars; at++) {
    chars += (texts[at] as string).length + 1
  }
  if (chars < leastChars) return
  runs.push({ first, last: end - 1, turn: holder.operation.turn, number, holder })
}

function linesLeft({ lines, item }: Holder, elsewhere: readonly LinesElsewhere[]): ShownLines {
  let left = lines.ids.length
  for (const { first, last } of elsewhere) left -= last + 1 - first
  // Of their size: there is one for each read, for as long as that is shown.
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
