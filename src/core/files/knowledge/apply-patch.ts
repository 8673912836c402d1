import type { PatchHunk } from '../../words/action.ts'
import { allLines, type Line, lineAt, linesBetween } from '../text/line-list.ts'
import { allInDoubt, type Changed } from '../text/replace-text.ts'
import { withoutReturn } from '../text/shown-text.ts'
import { spliceFile, spliceFound } from '../text/splice.ts'
import { changeUnplaced } from '../text/unplaced-change.ts'
import {
  type FileVersion,
  isWhollyKnown,
  type Knowledge,
  type Moment,
  neverCertain,
  type Run,
  relined,
  writtenLine,
} from '../text/version.ts'

/**
 * Applies the hunks that a tool reported as done, in their order. A hunk without a line number is applied where its lines
 * occur once in the known lines.
 */
export function applyHunks(
  knowledge: Knowledge,
  hunks: readonly PatchHunk[],
  moment: Moment,
): Changed {
  let current = knowledge
  const written: Line[] = []
  let reached: Reached = { shift: 0, line: 0 }
  for (const hunk of hunks) {
    const changed = applyHunk(current, hunk, reached, moment)
    current = { version: changed.version, doubt: changed.doubt }
    written.push(...changed.written)
    const shift = reached.shift + count(hunk, '+') - count(hunk, '-')
    reached = { shift, line: changed.reached ?? reached.line }
  }
  return { ...current, written }
}

/** The number of lines that the hunks before added, and where the last one ended. */
interface Reached {
  readonly shift: number
  readonly line: number
}

function count(hunk: PatchHunk, sign: '+' | '-'): number {
  return hunk.lines.filter((line) => line.sign === sign).length
}

function applyHunk(
  knowledge: Knowledge,
  hunk: PatchHunk,
  reached: Reached,
  moment: Moment,
): Changed & { readonly reached?: number } {
  const older = hunk.lines.filter((line) => line.sign !== '+').map((line) => line.text)
  const newer = hunk.lines.filter((line) => line.sign !== '-').map((line) => line.text)
  const { version, doubt } = knowledge
  const added = newer.length - older.length
  if (older.length === 0) return addLines(knowledge, hunk, reached, moment)
  const place = placeOf(knowledge, older, hunk, reached)
  if (place === 'several') return allInDoubt(knowledge, moment)
  if (place === null) {
    const elsewhere = changeUnplaced(knowledge, older.join('\n'), added)
    return elsewhere === null ? allInDoubt(knowledge, moment) : { ...elsewhere, written: [] }
  }
  const before = linesBetween(
    (version.runs[place.run] as Run).lines,
    place.line,
    place.line + older.length,
  )
  const lines = patchedLines(before, older, hunk, moment)
  return {
    version: spliceFound(
      knowledge,
      { run: place.run, firstLine: place.line, length: older.length },
      older.join('\n'),
      lines,
    ),
    doubt,
    written: lines,
    reached: place.line + lines.length,
  }
}

/** Applies a hunk without context at its line number, or else at the end of the file. */
function addLines(
  knowledge: Knowledge,
  hunk: PatchHunk,
  { shift }: Reached,
  moment: Moment,
): Changed {
  const { version, doubt } = knowledge
  const lines = hunk.lines.map(({ text }) => writtenLine(text, moment))
  if (hunk.oldStart !== null) {
    const after = spliceFile(version, hunk.oldStart + shift, 0, lines)
    return { version: after, doubt, written: lines }
  }
  const end = version.count
  if (end === null || version.openEnding || version.countStamp <= doubt) {
    return { version: { ...version, count: null, openEnding: false }, doubt, written: [] }
  }
  const last = version.runs.at(-1)
  const closed = last === undefined || lineAt(last.lines, last.lines.length - 1)?.text === ''
  return {
    version: spliceFile(version, closed ? Math.max(0, end - 1) : end, 0, lines),
    doubt,
    written: lines,
  }
}

interface HunkPlace {
  readonly run: number
  readonly line: number
}

/** The lines after a hunk. Context lines keep the text that the file has. */
function patchedLines(
  before: readonly Line[],
  older: readonly string[],
  hunk: PatchHunk,
  moment: Moment,
): readonly Line[] {
  const returns = before.some((line) => line.text.endsWith('\r'))
  const exact = before.every(
    (line, index) => withoutReturn(line.text) === withoutReturn(older[index] ?? ''),
  )
  const lines: Line[] = []
  let at = 0
  for (const { sign, text } of hunk.lines) {
    const plain = withoutReturn(text)
    const old = before[at]
    if (sign !== '+') at++
    if (sign === '-') continue
    const spelled = returns ? `${plain}\r` : text
    if (sign === ' ' && old !== undefined && exact) lines.push({ ...old, stamp: moment.stamp })
    // Tools that match leniently may keep the file's context lines or write the hunk's.
    else if (sign === ' ' && old !== undefined) lines.push({ ...old, stamp: neverCertain })
    else lines.push(writtenLine(spelled, moment))
  }
  if (!exact) return lines
  // A line that was removed and added again with the same text keeps its identity.
  const texts = lines.map((line) => line.text)
  return relined(before, texts, moment)
}

function placeOf(
  knowledge: Knowledge,
  older: readonly string[],
  hunk: PatchHunk,
  reached: Reached,
): HunkPlace | 'several' | null {
  const { version, doubt } = knowledge
  const whole = isWhollyKnown(knowledge)
  for (const normalize of [withoutReturn, trimmedEnd, trimmed]) {
    const places = allPlaces(version, older.map(normalize), normalize)
    if (places.length === 0) continue
    // Lenient matches count only when the whole file is known, because the exact lines may be in an unknown part.
    if (normalize !== withoutReturn && !whole) return 'several'
    if (hunk.oldStart !== null)
      return numberedPlace(knowledge, places, older, hunk.oldStart - 1 + reached.shift)
    if (places.length === 1) return places[0] ?? null
    const certain = places.filter(({ run, line }) =>
      linesBetween((version.runs[run] as Run).lines, line, line + older.length).every(
        (each) => each.stamp > doubt,
      ),
    )
    if (certain.length === 1) return certain[0] ?? null
    return chosenPlace(knowledge, places, hunk, reached) ?? 'several'
  }
  return null
}

/** The place at the expected line; another one only when the lines there are known and differ. */
function numberedPlace(
  { version, doubt }: Knowledge,
  places: readonly HunkPlace[],
  older: readonly string[],
  expected: number,
): HunkPlace | 'several' | null {
  const startOf = ({ run, line }: HunkPlace): number =>
    ((version.runs[run] as Run).at ?? Number.NaN) + line
  const there = places.find((place) => startOf(place) === expected)
  if (there !== undefined) return there
  const known = version.runs.some((run) => {
    if (run.at === null || run.at > expected) return false
    const lines = linesBetween(run.lines, expected - run.at, expected - run.at + older.length)
    return lines.length === older.length && lines.every((line) => line.stamp > doubt)
  })
  if (!known) return null
  return places.length === 1 ? (places[0] ?? null) : 'several'
}

/** Among several places, the first one after the hunk's heading. */
function chosenPlace(
  knowledge: Knowledge,
  places: readonly HunkPlace[],
  hunk: PatchHunk,
  reached: Reached,
): HunkPlace | null {
  const { version } = knowledge
  // The first section with a heading is only certain when the whole file is known.
  const only = version.runs[0]
  if (only === undefined || !isWhollyKnown(knowledge)) return null
  let from = reached.line
  for (const heading of hunk.heading.split('\n').map(trimmed)) {
    if (heading === '') continue
    const lines = linesBetween(only.lines, from, only.lines.length)
    const found = lines.findIndex((line) => line.text.trim() === heading)
    if (found === -1) return null
    from += found + 1
  }
  return places.find((place) => place.line >= from) ?? null
}

function allPlaces(
  version: FileVersion,
  wanted: readonly string[],
  normalize: (text: string) => string,
): readonly HunkPlace[] {
  const places: HunkPlace[] = []
  version.runs.forEach(({ lines }, run) => {
    const texts = allLines(lines).map((line) => normalize(line.text))
    for (let line = 0; line + wanted.length <= texts.length; line++) {
      if (texts[line] !== wanted[0]) continue
      if (wanted.every((text, index) => texts[line + index] === text)) places.push({ run, line })
    }
  })
  return places
}

function trimmedEnd(text: string): string {
  return text.trimEnd()
}

function trimmed(text: string): string {
  return text.trim()
}
