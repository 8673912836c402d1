import { alignLines } from './align-lines.ts'
import { allLines, type Line } from './line-list.ts'
import { agreesWithCount, countAfter, type Observation, type Observed } from './observation.ts'
import { isSameLine, mergedText, withoutReturn } from './shown-text.ts'
import { type Knowledge, type Moment, newLine, type PlacedLine, runsOf } from './version.ts'

interface KnownLine {
  readonly line: Line
  readonly at: number | null
  readonly run: number
  readonly offset: number
}

/**
 * Takes in an observation that does not simply fit: lines changed unseen, or runs have no known place. The shown lines
 * are found again among the known ones and keep their identity; runs that they belong to get their place from them.
 * When a certain line turned out to be otherwise, everything that is not shown is in doubt from now on.
 */
export function reconcile(knowledge: Knowledge, observation: Observation, moment: Moment): Observed {
  const { version, doubt } = knowledge
  const { start, texts } = observation
  const end = start + texts.length
  const known: KnownLine[] = version.runs.flatMap(({ at, lines }, run) =>
    allLines(lines).map((line, offset) => ({
      line,
      at: at === null ? null : at + offset,
      run,
      offset,
    })),
  )
  const isCertain = ({ line }: KnownLine): boolean => line.stamp > doubt
  const surprised =
    known.some((entry) => isCertain(entry) && contradicts(entry, observation)) ||
    (version.count !== null &&
      version.countStamp > doubt &&
      !agreesWithCount(version, observation))

  const matches = matchesOf(known, observation)
  const lines = texts.map((text, index) => {
    const match = known[matches[index] ?? -1]
    if (match === undefined) return text === null ? null : newLine(text, moment)
    const { line } = match
    return { ...line, text: mergedText(line.text, text as string), stamp: moment.stamp }
  })
  const placed: PlacedLine[] = lines.flatMap((line, index) =>
    line === null ? [] : [{ line, at: start + index }],
  )
  const shifts = runShifts(known, matches, start)
  const matched = new Set(matches)
  const rest: PlacedLine[][] = [[], []]
  const lost: number[] = []
  for (const [index, entry] of known.entries()) {
    if (matched.has(index)) continue
    const certain = !surprised && isCertain(entry)
    const at = newPlace(entry, shifts, { certain, end })
    const hidden = at !== null && at >= start && at < end && texts[at - start] === null
    if (at === null && entry.at === null && !shifts.ofRun.has(entry.run)) lost.push(entry.line.id)
    if (at === null || at < 0 || (at >= start && at < end && !hidden)) continue
    rest[certain ? 0 : 1]?.push({ line: entry.line, at })
  }
  const after = surprised ? moment.doubt : doubt
  const counted = countAfter(knowledge, observation, moment)
  const keepsCount = observation.end !== 'unknown' || !surprised
  return {
    version: {
      runs: runsOf([...placed, ...rest.flat()]),
      ...counted,
      count: keepsCount ? counted.count : null,
    },
    doubt: after,
    ids: lines.map((line) => line?.id ?? null),
    lost,
    agreed: false,
    surprised,
  }
}

function contradicts({ line, at }: KnownLine, { start, texts, end, count }: Observation): boolean {
  if (at === null) return false
  if (end !== 'unknown' && at >= count) return !(end === 'open' && at === count && line.text === '')
  if (at < start || at >= start + texts.length) return false
  const text = texts[at - start]
  return text !== null && text !== undefined && !isSameLine(line.text, text)
}

function matchesOf(known: readonly KnownLine[], { start, texts }: Observation): readonly number[] {
  // A line that is not shown whole matches nothing: line breaks stand in no line.
  const shown = texts.map((text) => (text === null ? '\n' : withoutReturn(text)))
  const aligned = alignLines(
    known.map(({ line }) => withoutReturn(line.text)),
    shown,
  )
  const found = aligned.filter((index) => index !== -1)
  const telling = found.some((index) => /\w{3}/.test(known[index]?.line.text ?? ''))
  if (telling || found.length === 0) return aligned
  // Braces and empty lines are everywhere: alone they say nothing about a place, unless it is their own.
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
}

/** Where the shown lines put the runs that they were found in. */
function runShifts(
  known: readonly KnownLine[],
  matches: readonly number[],
  start: number,
): Shifts {
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
  return { ofRun, tail, tailRun }
}

function newPlace(
  entry: KnownLine,
  shifts: Shifts,
  options: { readonly certain: boolean; readonly end: number },
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
