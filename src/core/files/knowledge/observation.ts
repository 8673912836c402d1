import type { LineRange } from '../../words/action.ts'
import type { FileLines, ResultReading } from '../../words/reading.ts'
import { lineAt } from '../text/line-list.ts'
import { isCutLine } from '../text/shown-text.ts'
import { type FileVersion, isWhollyKnown, type Knowledge, type Moment } from '../text/version.ts'
import { certainLine, type FileState } from './file-state.ts'

/** Part of a file as a result shows it. */
export interface Observation {
  /** The number of lines before the first one shown. */
  readonly start: number
  /** null for a line whose text is cut. */
  readonly texts: readonly (string | null)[]
  /** `certain`: the end of the file is known; `open`: known except for a last line break; `unknown`: not shown. */
  readonly end: 'unknown' | 'certain' | 'open'
  /** The number of lines of the file, unless `end` is `unknown`. */
  readonly count: number
}

/** When this many lines are unchanged, other lines of the file are unlikely to have changed. */
export const minAgreeingLines = 8

export interface Observed extends Knowledge {
  /** The identities of the lines shown, null where the text is not known. */
  readonly ids: readonly (number | null)[]
  /** Lines that may still be in the file, at an unknown place. */
  readonly lost: readonly number[]
  /** `same` when enough doubted lines were shown unchanged, `other` when one had changed, else null. */
  readonly doubtCheck: 'same' | 'other' | null
  /** True when a certain line or count turned out to be wrong, so the file was changed outside of the agent. */
  readonly changedUnseen: boolean
}

/** False when the observation contradicts the known number of lines. */
export function agreesWithCount(version: FileVersion, observation: Observation): boolean {
  const { count, openEnding } = version
  if (count === null) {
    if (observation.end === 'unknown') return true
    const last = version.runs.at(-1)
    return (
      last === undefined || last.at === null || last.at + last.lines.length <= observation.count
    )
  }
  const shownTo = observation.start + observation.texts.length
  const showsEmptyLast = openEnding && shownTo === count + 1 && observation.texts.at(-1) === ''
  if (shownTo > count && !showsEmptyLast) return false
  if (observation.end === 'unknown') return true
  if (observation.count === count)
    return observation.end === 'open' || !openEnding || showsEmptyLast || shownTo === count
  if (observation.end === 'open' && !openEnding)
    return observation.count + 1 === count && isEmptyLast(version)
  return openEnding && observation.end === 'certain' && observation.count === count + 1
}

/** True unless the last line is known and not empty. */
function isEmptyLast(version: FileVersion): boolean {
  const last = version.runs.at(-1)
  if (last === undefined || last.at === null || version.count === null) return true
  return (
    last.at + last.lines.length < version.count ||
    lineAt(last.lines, last.lines.length - 1)?.text === ''
  )
}

/** The known line count after an observation. */
export function countAfter(
  { version, doubt }: Knowledge,
  observation: Observation,
  moment: Moment,
): Pick<FileVersion, 'count' | 'countStamp' | 'openEnding'> {
  const { count, countStamp, openEnding } = version
  const shownTo = observation.start + observation.texts.length
  if (observation.end === 'unknown') {
    if (count === null || shownTo <= count) return { count, countStamp, openEnding }
    const certain = countStamp > doubt
    return certain && shownTo === count + 1 && openEnding && observation.texts.at(-1) === ''
      ? { count: shownTo, countStamp: moment.stamp, openEnding: false }
      : { count: null, countStamp, openEnding: false }
  }
  const better =
    observation.end === 'open' &&
    !openEnding &&
    count === observation.count + 1 &&
    isEmptyLast(version) &&
    countStamp > doubt
  return better
    ? { count, countStamp: moment.stamp, openEnding: false }
    : {
        count: observation.count,
        countStamp: moment.stamp,
        openEnding:
          observation.end === 'open' &&
          !(count === observation.count && !openEnding && countStamp > doubt),
      }
}

/**
 * Whether a tool shows the empty line after a last line break. It is learnt from files whose ending is known, or else
 * from what the tool shows most often.
 */
export interface Endings {
  /** How certain the end of a file is when this tool shows its last line. */
  endOf(tool: string, lastLine: string): 'certain' | 'open'
  learn(tool: string, lines: FileLines, known: Knowledge): void
}

export function createEndings(): Endings {
  const tools = new Map<string, { shown: number; hidden: number; known: boolean | null }>()
  return {
    endOf(tool, lastLine) {
      const { shown, hidden, known } = tools.get(tool) ?? { shown: 0, hidden: 0, known: null }
      if (known !== null) return known ? 'certain' : 'open'
      return lastLine === '' || shown > hidden ? 'certain' : 'open'
    },
    learn(tool, { first, lines }, knowledge) {
      const votes = tools.get(tool) ?? { shown: 0, hidden: 0, known: null }
      tools.set(tool, votes)
      if (lines.at(-1) === '') votes.shown++
      else votes.hidden++
      const { version } = knowledge
      const last = version.runs[0]?.lines.chunks.at(-1)?.at(-1)?.text
      if (first !== 1 || version.openEnding || last !== '' || !isWhollyKnown(knowledge)) return
      if (lines.length === version.count) votes.known = true
      if (lines.length + 1 === version.count) votes.known = false
    },
  }
}

/** A count of lines at which tools often stop without saying so. */
function isRound(lines: number): boolean {
  return lines > 0 && lines % 250 === 0
}

/** True when the shown lines reach the end of the file. */
export function reachesEnd(
  { first, lines, total }: FileLines,
  asked: LineRange | null,
  truncated: boolean,
): boolean {
  if (total !== undefined) return first - 1 + lines.length >= total
  if (truncated || (lines.length === 0 && first > 1)) return false
  if (asked === null) return first === 1 && !isRound(lines.length)
  if (asked.end === null) return !isRound(lines.length)
  return lines.length < asked.end - asked.start + 1
}

/** What a read tool's result shows of a file; null when it shows nothing. */
export function readObservation(
  reading: ResultReading,
  asked: LineRange | null,
  end: (lastLine: string) => 'certain' | 'open',
): Observation | null {
  const shown = reading.lines
  if (shown === null) return null
  const start = shown.first - 1
  const whole = reachesEnd(shown, asked, reading.truncated)
  if (shown.lines.length === 0) {
    return start === 0 && whole ? { start: 0, texts: [''], end: 'certain', count: 1 } : null
  }
  const texts = shown.lines.map((line) => (isCutLine(line) ? null : line))
  const last = shown.lines.at(-1) as string
  const count = shown.total ?? start + texts.length
  if (whole) return { start, texts, end: end(last), count: start + texts.length }
  if (shown.total !== undefined) return { start, texts, end: 'open', count }
  return { start, texts, end: 'unknown', count: 0 }
}

/** What a shell command shows that prints a file or a part of it unchanged. */
export function printedObservation(
  reading: ResultReading,
  asked: LineRange | null,
  options: { readonly numbered: boolean },
): Observation | null {
  const shown = reading.lines
  if (shown === null) return null
  const start = shown.first - 1
  const whole = reachesEnd(shown, asked, reading.truncated)
  if (shown.lines.length === 0) {
    return start === 0 && whole && asked?.end === null
      ? { start: 0, texts: [''], end: 'certain', count: 1 }
      : null
  }
  const texts = [...shown.lines]
  if (!whole) return { start, texts, end: 'unknown', count: 0 }
  // A shell prints the last line break, unless the agent trimmed the output.
  if (options.numbered || !reading.body.endsWith('\n')) {
    return { start, texts, end: 'open', count: start + texts.length }
  }
  texts.push('')
  return { start, texts, end: 'certain', count: start + texts.length }
}

/** Restores the whitespace at both ends of a trimmed output from the lines that are known. */
export function untrimmed(observation: Observation, known: FileState): Observation {
  const { start, texts } = observation
  const last = texts.length - 1
  const restored = texts.map((text, at) => {
    if (text === null || (at > 0 && at < last)) return text
    const line = certainLine(known, start + at + 1)
    if (line === null) return text
    const begun = at === 0 ? line.trimStart() : line
    return (at === last ? begun.trimEnd() : begun) === text ? line : text
  })
  return { ...observation, texts: restored }
}
