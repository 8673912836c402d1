import { askedWords, linesAskedFor } from './asked-words.ts'
import { indentOf } from './clean-lines.ts'
import type { DigestSource } from './digest-types.ts'
import { createExceptionFinder, oddBeginnings } from './exceptions.ts'
import { createHeadings } from './headings.ts'
import { groupByLayout, groupByShape } from './line-shapes.ts'
import { createLineWords, type LineWords } from './line-words.ts'
import { createReportReader, type ReportKind } from './report-lines.ts'

/** The lines of an output in the order in which they get room. */
export interface RankedLines {
  /** Lines that must stay, the most important first. */
  readonly must: readonly number[]
  /** Lines worth showing while there is room, the most valuable first. */
  readonly useful: readonly number[]
  /** Groups of similar lines, for the count of what is left out. */
  readonly groups: readonly (readonly number[])[]
}

/** Warnings, changes and summaries of one shape beyond this number are shown by examples. */
const mostOfShape = 40
const shownOfLargeGroup = 4
/** A word of trouble that more lines have belongs to a table and reports nothing. */
const mostAlarms = 40
const mostAlarmShare = 0.1
const headLines = 3
const tailLines = 5
/** How many lines after a failure explain it. */
const detailLines = 12

/**
 * Ranks the lines of an output. What must stay: failures, exit statuses, warnings, changes, summaries, lines about what was
 * asked for, and both ends. Then come exceptions: lines that differ from the many lines like them.
 */
export function rankLines(lines: readonly string[], source: DigestSource): RankedLines {
  const { action, request } = source
  const filled = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const textOf = (at: number): string => lines[at] as string
  const lineWords = createLineWords(textOf)
  const shapes = groupByShape(filled, lineWords, textOf)
  const { failures, alarms, others } = reportedLines(lines, filled, shapes)
  const command = action?.kind === 'shell' ? action.command : null
  const asked = [...linesAskedFor(lines, askedWords(request, command))]
  const ends = [...filled.slice(0, headLines), ...filled.slice(-tailLines)]
  const { exceptions, rare } = oddLines(filled, shapes, lineWords)
  // Lines of a large group are shown by examples.
  const inLargeGroups = new Set(
    [...shapes.values()].filter((group) => group.length > mostOfShape).flat(),
  )
  const isInLargeGroup = (at: number): boolean => inLargeGroups.has(at)
  const detail = [
    ...[...failures, ...alarms].flatMap((at) => detailAfter(at, lines, isInLargeGroup)),
    ...others.flatMap((at) => introducedBy(at, lines)),
    ...[...failures, ...alarms, ...exceptions].flatMap((at) => paragraphBefore(at, lines)),
  ]
  const must = [...new Set([...failures, ...asked, ...others, ...ends, ...detail, ...exceptions])]
  const withHeadings = createHeadings(lines)
  return {
    must: withHeadings(must),
    useful: [
      ...new Set([
        ...withHeadings(rare),
        ...examplesOf(shapes),
        ...fromBothEnds(filled.filter((at) => !isInLargeGroup(at))),
      ]),
    ],
    groups: [...shapes.values()],
  }
}

interface Reported {
  readonly failures: readonly number[]
  /** Lines with a word of trouble that few lines have. */
  readonly alarms: readonly number[]
  /** Alarms, warnings, changes and summaries. */
  readonly others: readonly number[]
}

function reportedLines(
  lines: readonly string[],
  filled: readonly number[],
  shapes: ReadonlyMap<string, readonly number[]>,
): Reported {
  const read = createReportReader(lines.join('\n'))
  const kinds = new Map<number, { readonly kind: ReportKind; readonly word: string }>()
  const words = new Map<string, number>()
  for (const at of filled) {
    const report = read(lines[at] as string)
    if (report === null) continue
    kinds.set(at, report)
    if (report.word !== '') words.set(report.word, (words.get(report.word) ?? 0) + 1)
  }
  const most = Math.max(mostAlarms, filled.length * mostAlarmShare)
  const failures: number[] = []
  const alarms: number[] = []
  const others: number[] = []
  for (const group of shapes.values()) {
    const isLarge = group.length > mostOfShape
    group.forEach((at, position) => {
      const report = kinds.get(at)
      if (report === undefined) return
      if (report.kind === 'failure') failures.push(at)
      else if ((words.get(report.word) ?? 0) > most) return
      else if (report.kind === 'alarm' || !isLarge || isExample(position, group.length)) {
        others.push(at)
        if (report.kind === 'alarm' && !isLarge) alarms.push(at)
      }
    })
  }
  const inOrder = (found: number[]): readonly number[] => found.sort((a, b) => a - b)
  return { failures: inOrder(failures), alarms: inOrder(alarms), others: inOrder(others) }
}

function isExample(position: number, count: number): boolean {
  return position < shownOfLargeGroup - 1 || position === count - 1
}

interface OddLines {
  /** Rows that differ from many rows like them. */
  readonly exceptions: readonly number[]
  /** Lines of rare shapes and layouts, the rarest first. */
  readonly rare: readonly number[]
}

/** Where more lines differ, they are not exceptions. */
const mostExceptions = 0.1

function oddLines(
  filled: readonly number[],
  shapes: ReadonlyMap<string, readonly number[]>,
  lineWords: LineWords,
): OddLines {
  const small = Math.max(8, filled.length * 0.04)
  const exceptions = new Set<number>()
  const findExceptions = createExceptionFinder(lineWords)
  const searched: (readonly number[])[] = []
  const search = (group: readonly number[]): void => {
    // In a table, all lines are often one layout and one shape.
    if (searched.some((other) => isSameList(group, other))) return
    searched.push(group)
    for (const at of findExceptions(group)) exceptions.add(at)
  }
  search(filled)
  const ranked: { readonly size: number; readonly lines: readonly number[] }[] = []
  for (const group of groupByLayout(filled, lineWords).values()) {
    if (group.length <= small) ranked.push({ size: group.length, lines: group })
    else search(group)
  }
  const groups = [...shapes.values()]
  const alone = groups.filter(({ length }) => length <= small)
  const aloneCount = alone.reduce((sum, { length }) => sum + length, 0)
  for (const group of groups) if (group.length > small) search(group)
  // Where nearly every line has a shape of its own, a rare shape means nothing.
  const isMeaningful = aloneCount <= filled.length / 2
  for (const group of alone) {
    ranked.push({ size: group.length + (isMeaningful ? 0 : small), lines: group })
  }
  const rare = ranked.toSorted((a, b) => a.size - b.size).flatMap(({ lines }) => lines)
  const most = Math.max(8, filled.length * mostExceptions)
  const beginnings = oddBeginnings(filled, lineWords)
  const isFew = exceptions.size <= most
  for (const odd of beginnings.toSorted((a, b) => a.length - b.length)) {
    if (isFew && exceptions.size + odd.length <= most) for (const at of odd) exceptions.add(at)
  }
  return isFew
    ? { exceptions: [...exceptions], rare: [...beginnings.flat(), ...rare] }
    : { exceptions: [], rare: [...exceptions, ...beginnings.flat(), ...rare] }
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}

/** The lines that follow a failure, up to the next line of a large group. */
function detailAfter(
  at: number,
  lines: readonly string[],
  isInLargeGroup: (at: number) => boolean,
): readonly number[] {
  const detail: number[] = []
  const last = Math.min(lines.length - 1, at + 2 * detailLines)
  for (let next = at + 1; next <= last && detail.length < detailLines; next++) {
    if (isInLargeGroup(next) && indentOf(lines[next] as string) <= indentOf(lines[at] as string))
      break
    if ((lines[next] as string).trim() !== '') detail.push(next)
  }
  return detail
}

/** The first lines of the list that a report announces with a colon. */
function introducedBy(at: number, lines: readonly string[]): readonly number[] {
  if (!(lines[at] as string).trimEnd().endsWith(':')) return []
  const listed: number[] = []
  for (let next = at + 1; next < lines.length && listed.length < detailLines; next++) {
    if ((lines[next] as string).trim() !== '') listed.push(next)
    else if (listed.length > 0) break
  }
  return listed
}

/** A longer paragraph is a table or a list of its own. */
const longestParagraph = 12

/** The lines before a line in its short paragraph, which say what it is about. */
function paragraphBefore(at: number, lines: readonly string[]): readonly number[] {
  const isFilled = (line: number): boolean => (lines[line] ?? '').trim() !== ''
  let first = at
  while (isFilled(first - 1) && at - first < longestParagraph) first--
  let last = at
  while (isFilled(last + 1) && last - first < longestParagraph) last++
  if (last - first >= longestParagraph) return []
  return Array.from({ length: at - first }, (_, above) => first + above)
}

function examplesOf(shapes: ReadonlyMap<string, readonly number[]>): readonly number[] {
  return [...shapes.values()].flatMap((group) => [...group.slice(0, 2), ...group.slice(-1)])
}

/** Two lines of the beginning, which shows what ran, for each line of the end, which shows the outcome. */
function fromBothEnds(filled: readonly number[]): readonly number[] {
  const ordered: number[] = []
  let front = 0
  let back = filled.length - 1
  while (front <= back) {
    const isFromBack = ordered.length % 3 === 2
    ordered.push(filled[isFromBack ? back-- : front++] as number)
  }
  return ordered
}
