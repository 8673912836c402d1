import { lineAt } from '../text/line-list.ts'
import type { FileVersion, Knowledge, Moment } from '../text/version.ts'

/** Part of a file as a result shows it. */
export interface Observation {
  /** How many lines stand before the first one shown. */
  readonly start: number
  /** null: the line is there, but its text is not shown whole. */
  readonly texts: readonly (string | null)[]
  /** What the result says about the end of the file: nothing, its place, or its place but for a last line break. */
  readonly end: 'unknown' | 'certain' | 'open'
  /** How many lines the file has where `end` is not unknown. */
  readonly count: number
}

/** So many lines as they were make it unlikely that others of the file changed. */
export const fewestAgreeing = 8

export interface Observed extends Knowledge {
  /** The identities of the lines shown, null where the text is not known. */
  readonly ids: readonly (number | null)[]
  /** Lines that may still be there, but nobody can say where. */
  readonly lost: readonly number[]
  /** Whether enough lines that were in doubt were shown again where and as they were, or one was not; else null. */
  readonly doubted: 'same' | 'other' | null
  /** True when something that was certain turned out to be otherwise: the file changed unseen. */
  readonly surprised: boolean
}

/** False when lines are shown where the file was thought to have ended, or an end where it went on. */
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

/** What is known of the count once an observation has been taken in. */
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
