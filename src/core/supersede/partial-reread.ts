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
export function partialReread(
  read: Holder,
  holders: readonly Holder[],
  places: LinePlaces,
): PartialReread | null {
  const { result, reading } = read.operation
  const texts = reading?.lines?.lines
  if (result === null || reading === null || texts?.length !== read.lines.ids.length) return null
  const elsewhere = runsElsewhere(texts, holders, places)
  if (elsewhere.length === 0) return null
  const text = renderPartialRead({ text: result.text, reading, handle: result.handle }, elsewhere)
  if (text === null || text.length > result.text.length - leastSaved) return null
  return { text, lines: linesLeft(read, elsewhere), source: mainSource(elsewhere) }
}

interface HeldElsewhere extends LinesElsewhere {
  readonly holder: Holder
}

/** Lines that follow each other there as they do here, where they are worth a note. */
function runsElsewhere(
  texts: readonly string[],
  holders: readonly Holder[],
  places: LinePlaces,
): readonly HeldElsewhere[] {
  const runs: HeldElsewhere[] = []
  const count = texts.length
  for (let at = 0; at < count; at++) {
    if (places.holderAt(at) === -1) continue
    let end = at
    while (end < count && places.holderAt(end) !== -1) end++
    // Around lines that are shown anew.
    let first = at === 0 ? at : at + contextLines
    const behind = end === count ? end : end - contextLines
    while (first < behind) {
      const index = places.holderAt(first)
      const holder = holders[index] as Holder
      const number = holder.lines.numberAt(places.positionAt(first))
      let chars = 0
      let next = first
      while (next < behind && places.holderAt(next) === index) {
        const expected = number === null ? null : number + next - first
        if (holder.lines.numberAt(places.positionAt(next)) !== expected) break
        chars += (texts[next] as string).length + 1
        next++
      }
      if (next - first >= leastLines && chars >= leastChars) {
        runs.push({ first, last: next - 1, turn: holder.operation.turn, number, holder })
      }
      first = next
    }
    at = end
  }
  return runs
}

function linesLeft({ lines, item }: Holder, elsewhere: readonly LinesElsewhere[]): ShownLines {
  let left = lines.ids.length
  for (const { first, last } of elsewhere) left -= last + 1 - first
  // Of their size: there is one for each read, for as long as that is shown.
  const ids = new Array<number>(left)
  const numbers = new Array<number | null>(left)
  let kept = 0
  let next = 0
  const keepUntil = (end: number): void => {
    for (let at = next; at < end; at++) {
      ids[kept] = lines.ids[at] as number
      numbers[kept++] = lines.numberAt(at)
    }
  }
  for (const { first, last } of elsewhere) {
    keepUntil(first)
    next = last + 1
  }
  keepUntil(lines.ids.length)
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
