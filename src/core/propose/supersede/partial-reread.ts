import { sourceOf } from '../../render/index.ts'
import { type LinesElsewhere, renderPartialRead } from '../../render/partial-read.ts'
import { outputOf } from '../../words/operation.ts'
import type { Holder } from './file-holder.ts'
import type { Stretch } from './line-places.ts'
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
  stretches: readonly Stretch[],
  restore: string | null,
): PartialReread | null {
  const { result, reading } = read.operation
  const shown = reading?.lines ?? null
  if (result === null || shown?.lines.length !== read.lines.ids.length) return null
  const elsewhere = runsElsewhere(shown.lines, stretches)
  if (elsewhere.length === 0) return null
  const text = renderPartialRead(result, shown, elsewhere, restore)
  if (text === null || text.length > outputOf(read.operation).length - leastSaved) return null
  return { text, lines: linesLeft(read, elsewhere), source: mainSource(elsewhere) }
}

interface HeldElsewhere extends LinesElsewhere {
  readonly holder: Holder
}

/** Runs of lines that another item shows in the same order, if they are long enough for a note. */
function runsElsewhere(
  texts: readonly string[],
  stretches: readonly Stretch[],
): readonly HeldElsewhere[] {
  const runs: HeldElsewhere[] = []
  for (const group of groupsOf(stretches)) {
    const [start, end] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0]
    // Lines next to new lines stay as context.
    const from = start === 0 ? start : start + contextLines
    const until = end === texts.length ? end : end - contextLines
    for (const stretch of group) {
      const { holder, number } = stretch
      const first = Math.max(stretch.start, from)
      const after = Math.min(stretch.end, until)
      if (!isWorthNote(texts, first, after)) continue
      const source = sourceOf(holder.operation, holder.kind === 'read' ? 'result' : 'input')
      if (source === null) continue
      const numberThere = number === null ? null : number + first - stretch.start
      runs.push({ first, last: after - 1, source, number: numberThere, holder })
    }
  }
  return runs
}

interface FoundStretch extends Stretch {
  readonly holder: Holder
}

/** The stretches that were found, in groups without new lines between them. */
function groupsOf(stretches: readonly Stretch[]): readonly (readonly FoundStretch[])[] {
  const groups: FoundStretch[][] = []
  for (const [at, stretch] of stretches.entries()) {
    const { holder } = stretch
    if (holder === null) continue
    if (stretches[at - 1]?.holder == null) groups.push([])
    groups.at(-1)?.push({ ...stretch, holder })
  }
  return groups
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
  const ids: number[] = []
  const numbers: (number | null)[] = []
  let run = 0
  for (const [at, id] of lines.ids.entries()) {
    while (at > (elsewhere[run]?.last ?? Infinity)) run++
    if (at >= (elsewhere[run]?.first ?? Infinity)) continue
    ids.push(id)
    numbers.push(lines.numberAt(at))
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
