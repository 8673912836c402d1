import { type LinesElsewhere, renderPartialRead } from '../render/partial-read.ts'
import type { Holder } from './file-holder.ts'
import { linesTogether, type ShownLines } from './shown-lines.ts'

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

/** Leaves out of a read what earlier items in the page show of the file; null when that saves little. */
export function partialReread(read: Holder, earlier: readonly Holder[]): PartialReread | null {
  const { result, reading } = read.operation
  const texts = reading?.lines?.lines
  const { ids } = read.lines
  if (result === null || reading === null || texts?.length !== ids.length) return null
  const places = new Map<number, Place>()
  for (const holder of earlier) {
    holder.lines.ids.forEach((id, position) => {
      places.set(id, { holder, number: holder.lines.numberAt(position) })
    })
  }
  const placeAt = ids.map((id) => places.get(id) ?? null)
  const elsewhere = [...runsElsewhere(placeAt)].filter(({ first, last }) => {
    const chars = texts.slice(first, last + 1).reduce((sum, line) => sum + line.length + 1, 0)
    return last - first + 1 >= leastLines && chars >= leastChars
  })
  if (elsewhere.length === 0) return null
  const text = renderPartialRead({ text: result.text, reading, handle: result.handle }, elsewhere)
  if (text === null || text.length > result.text.length - leastSaved) return null
  return {
    text,
    lines: linesLeft(read.lines, elsewhere),
    source: mainSource(placeAt, elsewhere),
  }
}

/** Where a line stands already. */
interface Place {
  readonly holder: Holder
  readonly number: number | null
}

/** Lines that follow each other there as they do here. */
function* runsElsewhere(placeAt: readonly (Place | null)[]): Generator<LinesElsewhere> {
  for (let at = 0; at < placeAt.length; at++) {
    if (placeAt[at] === null) continue
    let end = at
    while (end < placeAt.length && placeAt[end] !== null) end++
    // Around lines that are shown anew.
    let first = at === 0 ? at : at + contextLines
    const behind = end === placeAt.length ? end : end - contextLines
    while (first < behind) {
      const place = placeAt[first] as Place
      let next = first + 1
      while (next < behind && follows(placeAt[next] as Place, place, next - first)) next++
      const { turn } = place.holder.operation
      yield { first, last: next - 1, turn, number: place.number }
      first = next
    }
    at = end
  }
}

function follows({ holder, number }: Place, start: Place, distance: number): boolean {
  if (holder !== start.holder) return false
  return start.number === null ? number === null : number === start.number + distance
}

function linesLeft(lines: ShownLines, elsewhere: readonly LinesElsewhere[]): ShownLines {
  const left = lines.ids
    .map((_, position) => position)
    .filter((at) => !elsewhere.some(({ first, last }) => at >= first && at <= last))
  return linesTogether(
    left.map((at) => lines.ids[at] as number),
    left.map((at) => lines.numberAt(at)),
    left.map((at) => lines.itemAt(at)),
  )
}

function mainSource(
  placeAt: readonly (Place | null)[],
  elsewhere: readonly LinesElsewhere[],
): Holder | null {
  const counts = new Map<Holder, number>()
  for (const { first, last } of elsewhere) {
    const holder = placeAt[first]?.holder
    if (holder?.kind === 'read') counts.set(holder, (counts.get(holder) ?? 0) + last - first + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}
