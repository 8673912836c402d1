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
  const places = placesElsewhere(ids, earlier)
  const elsewhere = [...runsElsewhere(places)].filter(
    (run) => run.last - run.first + 1 >= leastLines && charsOf(texts, run) >= leastChars,
  )
  if (elsewhere.length === 0) return null
  const text = renderPartialRead({ text: result.text, reading, handle: result.handle }, elsewhere)
  if (text === null || text.length > result.text.length - leastSaved) return null
  return {
    text,
    lines: linesLeft(read.lines, elsewhere),
    source: mainSource(places, elsewhere),
  }
}

/** By the position of a line in the read: the newest item that shows it already, and its number there. */
interface Places {
  readonly holders: readonly (Holder | null)[]
  readonly numbers: readonly (number | null)[]
}

/** From the newest item back, until every line is found: there is a read for each few requests of a session. */
function placesElsewhere(ids: readonly number[], earlier: readonly Holder[]): Places {
  const positions = new Map<number, number>()
  for (let at = 0; at < ids.length; at++) positions.set(ids[at] as number, at)
  const holders = new Array<Holder | null>(ids.length).fill(null)
  const numbers = new Array<number | null>(ids.length).fill(null)
  let missing = ids.length
  for (let at = earlier.length - 1; at >= 0 && missing > 0; at--) {
    const holder = earlier[at] as Holder
    const { lines } = holder
    for (let there = lines.ids.length - 1; there >= 0; there--) {
      const position = positions.get(lines.ids[there] as number)
      if (position === undefined || holders[position] !== null) continue
      holders[position] = holder
      numbers[position] = lines.numberAt(there)
      missing--
    }
  }
  return { holders, numbers }
}

/** Lines that follow each other there as they do here. */
function* runsElsewhere({ holders, numbers }: Places): Generator<LinesElsewhere> {
  for (let at = 0; at < holders.length; at++) {
    if (holders[at] === null) continue
    let end = at
    while (end < holders.length && holders[end] !== null) end++
    // Around lines that are shown anew.
    let first = at === 0 ? at : at + contextLines
    const behind = end === holders.length ? end : end - contextLines
    while (first < behind) {
      const holder = holders[first] as Holder
      const number = numbers[first] ?? null
      let next = first + 1
      while (next < behind && holders[next] === holder) {
        if (numbers[next] !== (number === null ? null : number + next - first)) break
        next++
      }
      yield { first, last: next - 1, turn: holder.operation.turn, number }
      first = next
    }
    at = end
  }
}

function charsOf(texts: readonly string[], { first, last }: LinesElsewhere): number {
  let chars = 0
  for (let at = first; at <= last; at++) chars += (texts[at] as string).length + 1
  return chars
}

function linesLeft(lines: ShownLines, elsewhere: readonly LinesElsewhere[]): ShownLines {
  const ids: number[] = []
  const numbers: (number | null)[] = []
  const items: number[] = []
  let next = 0
  const keepUntil = (end: number): void => {
    for (let at = next; at < end; at++) {
      ids.push(lines.ids[at] as number)
      numbers.push(lines.numberAt(at))
      items.push(lines.itemAt(at))
    }
  }
  for (const { first, last } of elsewhere) {
    keepUntil(first)
    next = last + 1
  }
  keepUntil(lines.ids.length)
  return linesTogether(ids, numbers, items)
}

function mainSource({ holders }: Places, elsewhere: readonly LinesElsewhere[]): Holder | null {
  const counts = new Map<Holder, number>()
  for (const { first, last } of elsewhere) {
    const holder = holders[first] as Holder
    if (holder.kind === 'read') counts.set(holder, (counts.get(holder) ?? 0) + last - first + 1)
  }
  let most: Holder | null = null
  for (const [holder, count] of counts) {
    if (most === null || count > (counts.get(most) ?? 0)) most = holder
  }
  return most
}
