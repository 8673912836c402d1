import { alignLines } from '../text/align-lines.ts'
import { allLines, type Line } from '../text/line-list.ts'
import { hasWord, isSameLine, mergedText, withoutReturn } from '../text/shown-text.ts'
import {
  type Knowledge,
  type Moment,
  type PlacedLine,
  type Run,
  runsOf,
  seenLine,
} from '../text/version.ts'
import {
  agreesWithCount,
  countAfter,
  minAgreeingLines,
  type Observation,
  type Observed,
} from './observation.ts'

interface KnownLine {
  readonly line: Line
  readonly at: number | null
  readonly run: number
  readonly offset: number
}

/**
 * Applies an observation when lines changed outside of the agent, or runs have no known place. Shown lines that match
 * known ones keep their identity and give their runs a place. When a certain line was wrong, everything that is not shown
 * is in doubt.
 */
export function reconcile(
  knowledge: Knowledge,
  observation: Observation,
  moment: Moment,
): Observed {
  const { version, doubt } = knowledge
  const { start, texts } = observation
  const end = start + texts.length
  const known = knownLines(version.runs)
  const isCertain = ({ line }: KnownLine): boolean => line.stamp > doubt
  const changedUnseen =
    known.some((entry) => isCertain(entry) && contradicts(entry, observation)) ||
    (version.count !== null && version.countStamp > doubt && !agreesWithCount(version, observation))

  const matches = matchesOf(known, observation)
  const contradicted = known.some(
    (entry) =>
      entry.at !== null && entry.at >= start && entry.at < end && contradicts(entry, observation),
  )
  const lines = texts.map((text, index): Line | null => {
    const match = known[matches[index] ?? -1]
    if (match === undefined) return text === null ? null : seenLine(text, moment)
    const { id, text: before, written } = match.line
    return { id, text: mergedText(before, text as string), stamp: moment.stamp, written }
  })
  const shifts = runShifts(known, matches, start)
  const isStillCertain = (entry: KnownLine): boolean => !changedUnseen && isCertain(entry)
  const rest = hiddenLines(known, matches, observation, { shifts, isStillCertain })
  const shown: PlacedLine[] = lines.flatMap((line, index) =>
    line === null ? [] : [{ line, at: start + index }],
  )
  const kept = keptRuns(version.runs, rest, shifts, observation)
  const seenAgain = matches.filter((index) => {
    const match = known[index]
    return match !== undefined && !isCertain(match)
  }).length
  const counted = countAfter(knowledge, observation, moment)
  const keepsCount = observation.end !== 'unknown' || !changedUnseen
  return {
    version: {
      runs: withUnplaced(runsOf([...shown, ...rest]), kept.runs),
      ...counted,
      count: keepsCount ? counted.count : null,
    },
    doubt: changedUnseen ? moment.doubt : doubt,
    ids: lines.map((line) => line?.id ?? null),
    lost: kept.lost,
    doubtCheck: contradicted ? 'other' : seenAgain >= minAgreeingLines ? 'same' : null,
    changedUnseen,
  }
}

/** The known lines that are not shown, with their new places. Certain ones come first, so that they win a place. */
function hiddenLines(
  known: readonly KnownLine[],
  matches: readonly number[],
  observation: Observation,
  {
    shifts,
    isStillCertain,
  }: { readonly shifts: Shifts; isStillCertain(entry: KnownLine): boolean },
): readonly OwnedLine[] {
  const { start, texts } = observation
  const end = start + texts.length
  const matched = new Set(matches)
  const certainLines: OwnedLine[] = []
  const doubtfulLines: OwnedLine[] = []
  for (const [index, entry] of known.entries()) {
    if (matched.has(index) || entry.at === null) continue
    const certain = isStillCertain(entry)
    const at = newPlace(entry, shifts, { certain })
    if (at === null || at < 0 || isPastEnd(entry.line, at, observation)) continue
    const isCut = texts[at - start] === null
    if (at >= start && at < end && !isCut) continue
    const owned = { line: entry.line, at, run: entry.run }
    if (certain) certainLines.push(owned)
    else doubtfulLines.push(owned)
  }
  return [...certainLines, ...doubtfulLines]
}

function knownLines(runs: readonly Run[]): readonly KnownLine[] {
  const known: KnownLine[] = []
  for (const [run, { at, lines }] of runs.entries()) {
    let offset = 0
    for (const line of allLines(lines)) {
      known.push({ line, at: at === null ? null : at + offset, run, offset })
      offset++
    }
  }
  return known
}

interface OwnedLine extends PlacedLine {
  readonly run: number
}

interface UnplacedRun {
  readonly run: Run
  /** The index of the line that the run comes after; -1 for the beginning of the file. */
  readonly after: number
}

/** Runs without a place that are known to be before or after the shown lines; the others are lost. */
function keptRuns(
  runs: readonly Run[],
  rest: readonly OwnedLine[],
  shifts: Shifts,
  { start, texts, end: fileEnd, count }: Observation,
): { readonly runs: readonly UnplacedRun[]; readonly lost: readonly number[] } {
  const end = start + texts.length
  const kept: UnplacedRun[] = []
  const lost: number[] = []
  for (const [index, run] of runs.entries()) {
    if (run.at !== null) continue
    let after = -1
    let isBefore = index < shifts.firstRun
    let isAfter = index > shifts.lastRun
    for (const owned of rest) {
      if (owned.run < index) {
        after = Math.max(after, owned.at)
        if (owned.at >= end) isAfter = true
      } else if (owned.at < start) isBefore = true
    }
    isBefore &&= run.lines.length <= start
    isAfter &&= fileEnd === 'unknown' || run.lines.length <= count - end
    if (isBefore === isAfter) lost.push(...allLines(run.lines).map((line) => line.id))
    else kept.push({ run, after: isAfter ? Math.max(after, end - 1) : after })
  }
  return { runs: kept, lost }
}

function withUnplaced(placed: readonly Run[], unplaced: readonly UnplacedRun[]): readonly Run[] {
  const runs: Run[] = [...placed]
  for (const { run, after } of unplaced) {
    const next = runs.findIndex((each) => each.at !== null && each.at > after)
    runs.splice(next === -1 ? runs.length : next, 0, run)
  }
  return runs
}

/** True for a line after the shown end of the file, except for the empty line after a hidden last line break. */
function isPastEnd(line: Line, at: number, { end, count }: Observation): boolean {
  if (end === 'unknown' || at < count) return false
  return !(end === 'open' && at === count && line.text === '')
}

function contradicts({ line, at }: KnownLine, observation: Observation): boolean {
  if (at === null) return false
  if (isPastEnd(line, at, observation)) return true
  const { start, texts } = observation
  if (at < start || at >= start + texts.length) return false
  const text = texts[at - start]
  return text !== null && text !== undefined && !isSameLine(line.text, text)
}

function matchesOf(known: readonly KnownLine[], { start, texts }: Observation): readonly number[] {
  // Cut lines and lines without a place get a key with a line break, which matches no line.
  const shown = texts.map((text) => (text === null ? '\n' : withoutReturn(text)))
  const aligned = alignLines(
    known.map(({ line, at }, index) => (at === null ? `\n${index}` : withoutReturn(line.text))),
    shown,
  )
  const found = aligned.filter((index) => index !== -1)
  const matchesWords = found.some((index) => hasWord(known[index]?.line.text ?? ''))
  if (matchesWords || found.length === 0) return aligned
  // Braces and empty lines are too common to identify another place, so they match only at their own.
  return aligned.map((index, shownAt) => (known[index]?.at === start + shownAt ? index : -1))
}

interface RunShift {
  readonly firstOffset: number
  readonly firstAt: number
  readonly lastOffset: number
  readonly lastAt: number
}

interface Shifts {
  readonly ofRun: ReadonlyMap<number, RunShift>
  /** How far the last matched run with a place has moved, and which run that is. */
  readonly tail: number
  readonly tailRun: number
  /** The first and the last run that shown lines were found in. */
  readonly firstRun: number
  readonly lastRun: number
}

/** The new places of the runs with shown lines. */
function runShifts(known: readonly KnownLine[], matches: readonly number[], start: number): Shifts {
  const ofRun = new Map<number, RunShift>()
  let tail = 0
  let tailRun = Number.POSITIVE_INFINITY
  matches.forEach((match, index) => {
    const entry = known[match]
    if (entry === undefined) return
    const at = start + index
    const before = ofRun.get(entry.run)
    ofRun.set(entry.run, {
      firstOffset: before?.firstOffset ?? entry.offset,
      firstAt: before?.firstAt ?? at,
      lastOffset: entry.offset,
      lastAt: at,
    })
    if (entry.at === null) return
    tail = at - entry.at
    tailRun = entry.run
  })
  const runs = [...ofRun.keys()]
  const firstRun = runs.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...runs)
  const lastRun = runs.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...runs)
  return { ofRun, tail, tailRun, firstRun, lastRun }
}

function newPlace(
  entry: KnownLine,
  shifts: Shifts,
  options: { readonly certain: boolean },
): number | null {
  if (options.certain && entry.at !== null) return entry.at
  const shift = shifts.ofRun.get(entry.run)
  if (shift !== undefined) {
    if (entry.offset > shift.lastOffset) return shift.lastAt + entry.offset - shift.lastOffset
    if (entry.offset < shift.firstOffset) return shift.firstAt - shift.firstOffset + entry.offset
    return null
  }
  if (entry.at === null) return null
  return entry.run > shifts.tailRun ? entry.at + shifts.tail : entry.at
}
