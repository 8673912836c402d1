import type { LineList } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'
import type { Run } from './version.ts'

/** Where a text stands in a run: from a column of one line to a column of the same or a later one. */
export interface TextPlace {
  readonly run: number
  readonly firstLine: number
  readonly firstColumn: number
  readonly lastLine: number
  readonly lastColumn: number
}

/** How closely lines must agree. `trimmed` leaves out the space around them, and knows only whole lines. */
export type Likeness = 'exact' | 'trimmed'

/**
 * Every place of a text in the known lines, in order and without overlaps. Carriage returns at the ends of lines do not
 * count. One pass over the lines.
 */
export function findText(
  runs: readonly Run[],
  text: string,
  likeness: Likeness = 'exact',
): readonly TextPlace[] {
  const parts = text.split('\n').map(withoutReturn)
  const places: TextPlace[] = []
  runs.forEach((run, index) => {
    const lines = plainTexts(run.lines)
    if (likeness === 'trimmed') findWholeLines(lines, parts, index, places)
    else if (parts.length === 1) findInLines(lines, parts[0] as string, index, places)
    else findAcrossLines(lines, parts, index, places)
  })
  return places
}

function plainTexts(list: LineList): readonly string[] {
  return list.chunks.flatMap((chunk) => chunk.map((line) => withoutReturn(line.text)))
}

function findInLines(
  lines: readonly string[],
  part: string,
  run: number,
  places: TextPlace[],
): void {
  if (part === '') return
  for (let line = 0; line < lines.length; line++) {
    const text = lines[line] as string
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
      places.push({
        run,
        firstLine: line,
        firstColumn: at,
        lastLine: line,
        lastColumn: at + part.length,
      })
    }
  }
}

function findAcrossLines(
  lines: readonly string[],
  parts: readonly string[],
  run: number,
  places: TextPlace[],
): void {
  const first = parts[0] as string
  const last = parts.at(-1) as string
  const span = parts.length - 1
  let free = { line: 0, column: 0 }
  for (let line = 0; line + span < lines.length; line++) {
    const start = lines[line] as string
    if (!start.endsWith(first) || !(lines[line + span] as string).startsWith(last)) continue
    const firstColumn = start.length - first.length
    // The line in which one text ends may be the one in which the next begins, behind it.
    if (line < free.line || (line === free.line && firstColumn < free.column)) continue
    let same = true
    for (let at = 1; at < span && same; at++) same = lines[line + at] === parts[at]
    if (!same) continue
    const place = { lastLine: line + span, lastColumn: last.length }
    places.push({ run, firstLine: line, firstColumn, ...place })
    free = { line: place.lastLine, column: place.lastColumn }
  }
}

function findWholeLines(
  lines: readonly string[],
  parts: readonly string[],
  run: number,
  places: TextPlace[],
): void {
  const wanted = parts.map(plainWords)
  while (wanted.length > 1 && wanted.at(-1) === '') wanted.pop()
  if (wanted.every((part) => part === '')) return
  for (let line = 0; line + wanted.length <= lines.length; line++) {
    if (!wanted.every((part, index) => plainWords(lines[line + index] as string) === part)) continue
    const lastLine = line + wanted.length - 1
    const lastColumn = (lines[lastLine] as string).length
    places.push({ run, firstLine: line, firstColumn: 0, lastLine, lastColumn })
    line = lastLine
  }
}

/** A line as lenient tools compare it: without the space around it, and with plain quotes and dashes. */
function plainWords(text: string): string {
  return text
    .trim()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐-―−]/g, '-')
}
