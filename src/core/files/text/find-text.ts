import { allLines, type LineList, linesBetween } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'
import type { Knowledge, Run } from './version.ts'

/** The place of a text in a run, from a column of one line to a column of the same or a later line. */
export interface TextPlace {
  readonly run: number
  readonly firstLine: number
  readonly firstColumn: number
  readonly lastLine: number
  readonly lastColumn: number
}

/** `trimmed` compares whole lines only, without the white space around them. */
export type Likeness = 'exact' | 'trimmed'

/** Every place of a text in the known lines, in order and without overlaps. Ignores carriage returns at line ends. */
export function findText(
  runs: readonly Run[],
  text: string,
  likeness: Likeness = 'exact',
): readonly TextPlace[] {
  if (text === '') return nowhere
  const parts = text.includes('\n') ? text.split('\n').map(withoutReturn) : [withoutReturn(text)]
  const places: TextPlace[] = []
  runs.forEach(({ lines }, run) => {
    if (likeness === 'trimmed') {
      const texts = allLines(lines).map((line) => withoutReturn(line.text))
      findWholeLines(texts, parts, run, places)
    } else if (parts.length > 1) findAcrossLines(lines, parts, run, places)
    else places.push(...findInLine(lines, parts[0] as string, run))
  })
  return places
}

const nowhere: readonly TextPlace[] = []

/** The places whose lines are all certain. */
export function certainPlaces(
  { version, doubt }: Knowledge,
  places: readonly TextPlace[],
): readonly TextPlace[] {
  return places.filter(({ run, firstLine, lastLine }) => {
    const { lines } = version.runs[run] as Run
    return linesBetween(lines, firstLine, lastLine + 1).every((line) => line.stamp > doubt)
  })
}

function findInLine(lines: LineList, part: string, run: number): readonly TextPlace[] {
  if (part === '') return nowhere
  return partPlaces(lines, part).map(({ line, column }) => {
    const lastColumn = column + part.length
    return { run, firstLine: line, firstColumn: column, lastLine: line, lastColumn }
  })
}

function findAcrossLines(
  list: LineList,
  parts: readonly string[],
  run: number,
  places: TextPlace[],
): void {
  const first = parts[0] as string
  const last = parts.at(-1) as string
  const span = parts.length - 1
  let free = { line: 0, column: 0 }
  for (const line of candidates(list, parts)) {
    if (line < free.line || line + span >= list.length) continue
    const lines = linesBetween(list, line, line + span + 1).map(({ text }) => withoutReturn(text))
    const start = lines[0] as string
    const firstColumn = start.length - first.length
    // A match may begin in the line in which the previous one ends, but only after it.
    if (line === free.line && firstColumn < free.column) continue
    if (!start.endsWith(first) || !(lines[span] as string).startsWith(last)) continue
    if (!parts.every((part, at) => at === 0 || at === span || lines[at] === part)) continue
    places.push({
      run,
      firstLine: line,
      firstColumn,
      lastLine: line + span,
      lastColumn: last.length,
    })
    free = { line: line + span, column: last.length }
  }
}

interface PartPlace {
  readonly line: number
  readonly column: number
}

/** Every place of a text without line breaks, in order and without overlaps. */
function partPlaces(list: LineList, part: string): readonly PartPlace[] {
  const places: PartPlace[] = []
  for (const [line, { text: whole }] of allLines(list).entries()) {
    const text = withoutReturn(whole)
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
      places.push({ line, column: at })
    }
  }
  return places
}

/** Lines at which a text of several lines may begin, found by its longest line; all lines when all parts are empty. */
function* candidates(list: LineList, parts: readonly string[]): Generator<number> {
  let longest = 0
  parts.forEach((part, index) => {
    if (part.length > (parts[longest] as string).length) longest = index
  })
  const part = parts[longest] as string
  if (part === '') {
    for (let line = 0; line < list.length; line++) yield line
    return
  }
  let before = -1
  for (const { line } of partPlaces(list, part)) {
    if (line > before && line >= longest) yield line - longest
    before = line
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

/** A line as lenient tools compare it: without the white space around it, and with plain quotes and dashes. */
function plainWords(text: string): string {
  return text
    .trim()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐-―−]/g, '-')
}
