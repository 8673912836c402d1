import { countLineBreaks } from '../../words/text.ts'
import { certainPlaces, findText, type TextPlace } from './find-text.ts'
import { type Line, linesBetween, spliceLines, withStamp } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'
import { spliceFound, spliceRun } from './splice.ts'
import { changeUnplaced, splitByCertainty } from './unplaced-change.ts'
import {
  type FileVersion,
  isWhollyKnown,
  type Knowledge,
  type Moment,
  neverCertain,
  type Run,
  relined,
  seenLine,
  withRun,
  writtenLine,
} from './version.ts'

export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly all: boolean
}

/** The knowledge after a change, and the lines that it wrote; empty when their place is not known. */
export interface Changed extends Knowledge {
  readonly written: readonly Line[]
}

/**
 * Applies a replacement that a tool reported as done. Tools replace a text only if it occurs once, so its only occurrence
 * in the known lines is the replaced one.
 */
export function replaceText(
  knowledge: Knowledge,
  replacement: Replacement,
  moment: Moment,
): Changed {
  const { oldText, newText, all } = replacement
  const { version } = knowledge
  const found = findText(version.runs, oldText)
  if (all) return replaceAll(knowledge, replacement, found, moment)
  const places = found.length > 1 ? certainPlaces(knowledge, found) : found
  const [only] = places
  if (only !== undefined && places.length === 1) {
    return applyOnce(knowledge, only, replacement, moment)
  }
  if (found.length > 1) return allInDoubt(knowledge, moment)

  const whole = isWhollyKnown(knowledge)
  const ended = whole ? withEnding(version, moment) : null
  const [atEnd, ...others] = ended === null ? [] : findText(ended.runs, oldText)
  if (ended !== null && atEnd !== undefined && others.length === 0) {
    return applyOnce({ ...knowledge, version: ended }, atEnd, replacement, moment)
  }
  const lenient = findText(version.runs, oldText, 'trimmed')
  // Lenient matches count only when the whole file is known, because the exact text may be in an unknown part.
  if (whole && lenient.length === 1) return applyLenient(knowledge, lenient, replacement, moment)
  if (lenient.length > 0) return allInDoubt(knowledge, moment)
  const addedLines = countLineBreaks(newText) - countLineBreaks(oldText)
  const elsewhere = changeUnplaced(knowledge, oldText, addedLines)
  return elsewhere === null ? allInDoubt(knowledge, moment) : { ...elsewhere, written: [] }
}

/** Puts everything that is known of the file in doubt. */
export function allInDoubt({ version }: Knowledge, moment: Moment): Changed {
  return { version, doubt: moment.doubt, written: [] }
}

/** The version with the empty last line that the tool may have hidden; null when there is no such line. */
function withEnding(version: FileVersion, moment: Moment): FileVersion | null {
  const last = version.runs.at(-1)
  if (!version.openEnding || version.count === null || last === undefined) return null
  if (last.at === null || last.at + last.lines.length !== version.count) return null
  const lines = spliceLines(last.lines, last.lines.length, 0, [seenLine('', moment)])
  return {
    ...version,
    runs: withRun(version.runs, version.runs.length - 1, lines),
    count: version.count + 1,
    openEnding: false,
  }
}

function replaceAll(
  knowledge: Knowledge,
  replacement: Replacement,
  found: readonly TextPlace[],
  moment: Moment,
): Changed {
  const { oldText, newText } = replacement
  // A hidden last line break may be part of a replaced text.
  if (knowledge.version.openEnding && oldText.includes('\n')) return allInDoubt(knowledge, moment)
  const changed =
    found.length === 0
      ? { ...knowledge, written: [] }
      : applyEverywhere(knowledge, found, newText, moment)
  if (found.length > 0 && isWhollyKnown(changed)) return changed
  // More occurrences may be in unknown parts of the file, and extend into known lines.
  if (countLineBreaks(oldText) > 0 || countLineBreaks(newText) > 0)
    return allInDoubt(knowledge, moment)
  const elsewhere = changeUnplaced(changed, oldText, 0)
  return elsewhere === null
    ? allInDoubt(knowledge, moment)
    : { ...elsewhere, written: changed.written }
}

/** The version in which only certain lines at the beginning of the file keep their place. */
function withoutPlaces(version: FileVersion, doubt: number): FileVersion {
  const runs = splitByCertainty(version.runs, doubt)
  return {
    ...version,
    runs: runs.map((run) => (run.at === 0 ? run : { lines: run.lines, at: null })),
    count: null,
  }
}

function applyEverywhere(
  knowledge: Knowledge,
  places: readonly TextPlace[],
  newText: string,
  moment: Moment,
): Changed {
  const { doubt } = knowledge
  let { version } = knowledge
  const written: Line[] = []
  const groups = groupsByLine(places)
  let moves = false
  for (const group of groups.toReversed()) {
    const { run, firstLine } = group[0] as TextPlace
    const length = (group.at(-1) as TextPlace).lastLine - firstLine + 1
    const { lines } = version.runs[run] as Run
    const before = linesBetween(lines, firstLine, firstLine + length)
    const texts = replacedTexts(before, group, newText)
    const after = relined(before, texts, moment)
    // Each new line counts as a successor of each old one, because such changes seldom span lines.
    if (group.length > 1 || remainingParts(before, group[0] as TextPlace).some(isNotEmpty)) {
      for (const old of before) for (const line of after) moment.addSuccessor(old, line)
    }
    written.unshift(...after)
    if (before.every((line) => line.stamp > doubt)) {
      version = spliceRun(version, run, firstLine, length, after)
    } else {
      // Replacing all occurrences does not confirm any single one, so lines in doubt stay in doubt.
      const doubted = after.map((line) => withStamp(line, neverCertain))
      version = spliceRun(version, run, firstLine, length, doubted)
      moves ||= after.length !== length
    }
  }
  return { version: moves ? withoutPlaces(version, doubt) : version, doubt, written }
}

/** Replaces one text in one place, as most edits do. */
function applyOnce(
  knowledge: Knowledge,
  place: TextPlace,
  { oldText, newText }: Replacement,
  moment: Moment,
): Changed {
  const { version, doubt } = knowledge
  const { run, firstLine, lastLine } = place
  const length = lastLine - firstLine + 1
  const before = linesBetween((version.runs[run] as Run).lines, firstLine, lastLine + 1)
  const texts = replacedTexts(before, [place], newText)
  const written = relined(before, texts, moment)
  const [head, tail] = remainingParts(before, place)
  if (isNotEmpty(head)) moment.addSuccessor(before[0] as Line, written[0] as Line)
  if (isNotEmpty(tail)) moment.addSuccessor(before.at(-1) as Line, written.at(-1) as Line)
  const after = spliceFound(knowledge, { run, firstLine, length }, oldText, written)
  return { version: after, doubt, written }
}

/** The rest of the first line before a place, and of the last line after it. */
function remainingParts(
  before: readonly Line[],
  { firstColumn, lastColumn }: TextPlace,
): readonly [head: string, tail: string] {
  const first = (before[0] as Line).text
  const last = withoutReturn((before.at(-1) as Line).text)
  return [first.slice(0, firstColumn), last.slice(lastColumn)]
}

const isNotEmpty = (rest: string): boolean => rest !== ''

/** Groups places that share a line. */
function groupsByLine(places: readonly TextPlace[]): readonly (readonly TextPlace[])[] {
  const groups: TextPlace[][] = []
  for (const place of places) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (before !== undefined && before.run === place.run && before.lastLine >= place.firstLine) {
      last?.push(place)
    } else groups.push([place])
  }
  return groups
}

function replacedTexts(
  before: readonly Line[],
  group: readonly TextPlace[],
  newText: string,
): readonly string[] {
  const texts = before.map((line) => withoutReturn(line.text))
  const returns = before.some((line) => line.text.endsWith('\r'))
  const origin = (group[0] as TextPlace).firstLine
  const starts = [0]
  for (const text of texts) starts.push((starts.at(-1) as number) + text.length + 1)
  const whole = texts.join('\n')
  const offset = (line: number, column: number): number => (starts[line - origin] ?? 0) + column
  let result = ''
  let at = 0
  for (const place of group) {
    result += whole.slice(at, offset(place.firstLine, place.firstColumn)) + newText
    at = offset(place.lastLine, place.lastColumn)
  }
  const replaced = (result + whole.slice(at)).split('\n')
  if (!returns) return replaced
  const endsWithReturn = before.at(-1)?.text.endsWith('\r') === true
  return replaced.map((text, index) =>
    index === replaced.length - 1 && !endsWithReturn ? text : `${withoutReturn(text)}\r`,
  )
}

/** Applies a lenient match. The new lines are in doubt, because tools differ in how they indent them. */
function applyLenient(
  knowledge: Knowledge,
  places: readonly TextPlace[],
  replacement: Replacement,
  moment: Moment,
): Changed {
  const place = places[0] as TextPlace
  const { doubt } = knowledge
  const texts = replacement.newText.split('\n')
  // An old text that ends with a line break includes the break of its last line.
  const endsOpen = replacement.oldText.endsWith('\n') && texts.at(-1) === ''
  const lines = (endsOpen ? texts.slice(0, -1) : texts).map((text) => ({
    ...writtenLine(text, moment),
    stamp: neverCertain,
  }))
  const removed = place.lastLine - place.firstLine + 1
  return {
    version: spliceFound(
      knowledge,
      { run: place.run, firstLine: place.firstLine, length: removed },
      replacement.oldText,
      lines,
    ),
    doubt,
    written: lines,
  }
}
