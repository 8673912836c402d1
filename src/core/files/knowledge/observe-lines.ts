import { addToList } from '../../words/lists.ts'
import {
  allLines,
  joinLists,
  type Line,
  lineList,
  linesBetween,
  spliceLines,
} from '../text/line-list.ts'
import { hasWord, isSameLine, mergedText, withoutReturn } from '../text/shown-text.ts'
import {
  type FileVersion,
  type Knowledge,
  type Moment,
  type Run,
  seenLine,
} from '../text/version.ts'
import {
  agreesWithCount,
  countAfter,
  minAgreeingLines,
  type Observation,
  type Observed,
} from './observation.ts'
import { reconcile } from './reconcile.ts'

/**
 * Applies what a read shows. A read that agrees with what is known takes time in proportion to the lines shown, any
 * other in proportion to the known lines of the file.
 */
export function observeLines(
  knowledge: Knowledge,
  observation: Observation,
  moment: Moment,
): Observed {
  const { doubt } = knowledge
  const again = seenAgain(knowledge, observation, moment)
  if (again !== null) return again
  const version = placeRuns(knowledge.version, observation)
  const placed = { version, doubt }
  const agrees =
    version.runs.every((run) => run.at !== null) &&
    !observation.texts.includes(null) &&
    agreesWithCount(version, observation) &&
    agreesWithLines(version, observation)
  if (!agrees) return reconcile(placed, observation, moment)
  const { runs, lines, doubtful } = mergedRuns(placed, observation, moment)
  return {
    version: withCount(runs, countAfter(placed, observation, moment)),
    doubt,
    ids: lines.map((line) => line.id),
    lost: [],
    doubtCheck: doubtful >= minAgreeingLines ? 'same' : null,
    changedUnseen: false,
  }
}

function withCount(
  runs: readonly Run[],
  { count, countStamp, openEnding }: ReturnType<typeof countAfter>,
): FileVersion {
  return { runs, count, countStamp, openEnding }
}

/** The result for a read of certain, unchanged lines, which keeps the version; null for any other read. */
function seenAgain(
  knowledge: Knowledge,
  observation: Observation,
  moment: Moment,
): Observed | null {
  const { version, doubt } = knowledge
  const { settled } = moment
  const { start, texts } = observation
  const run = runAround(version.runs, start, start + texts.length)
  if (run === null || !agreesWithCount(version, observation)) return null
  const from = start - (run.at as number)
  const lines = linesBetween(run.lines, from, from + texts.length)
  if (!lines.every(({ stamp, text }, at) => stamp > settled && text === texts[at])) return null
  const now = countAfter(knowledge, observation, moment)
  const isSame =
    now.count === version.count &&
    now.openEnding === version.openEnding &&
    (now.countStamp === version.countStamp || version.countStamp > settled)
  return {
    version: isSame ? version : withCount(version.runs, now),
    doubt,
    ids: lines.map((line) => line.id),
    lost: [],
    doubtCheck: null,
    changedUnseen: false,
  }
}

/** The run with all lines from `start` up to `end`; null when there is none, or a run has no known place. */
function runAround(runs: readonly Run[], start: number, end: number): Run | null {
  let around: Run | null = null
  for (const run of runs) {
    if (run.at === null) return null
    if (run.at <= start && run.at + run.lines.length >= end) around ??= run
  }
  return around
}

function agreesWithLines(version: FileVersion, { start, texts }: Observation): boolean {
  const end = start + texts.length
  for (const { at, lines } of version.runs) {
    if (at === null) return false
    if (at >= end || at + lines.length <= start) continue
    const from = Math.max(at, start)
    const known = linesBetween(lines, from - at, Math.min(at + lines.length, end) - at)
    for (let index = 0; index < known.length; index++) {
      const { text } = known[index] as Line
      if (!isSameLine(text, texts[from - start + index] as string)) return false
    }
  }
  return true
}

/** The runs with the shown lines merged in. All runs must have a known place. */
function mergedRuns(
  { version: { runs }, doubt }: Knowledge,
  { start, texts }: Observation,
  moment: Moment,
): {
  readonly runs: readonly Run[]
  readonly lines: readonly Line[]
  /** How many of the shown lines were in doubt before. */
  readonly doubtful: number
} {
  const end = start + texts.length
  const place = (run: Run): number => run.at as number
  const touching = runs.filter((run) => place(run) <= end && place(run) + run.lines.length >= start)
  const before = runs.filter((run) => place(run) + run.lines.length < start)
  const after = runs.filter((run) => place(run) > end)
  const lines: Line[] = []
  let doubtful = 0
  const addSeenUpTo = (place: number): void => {
    while (lines.length < place - start) {
      lines.push(seenLine(texts[lines.length] as string, moment))
    }
  }
  for (const run of touching) {
    const from = Math.max(place(run), start)
    const to = Math.min(place(run) + run.lines.length, end)
    addSeenUpTo(from)
    for (const line of linesBetween(run.lines, from - place(run), to - place(run))) {
      const { id, text, written, stamp } = line
      const merged = mergedText(text, texts[lines.length] as string)
      const isSame = merged === text && stamp > moment.settled
      lines.push(isSame ? line : { id, text: merged, stamp: moment.stamp, written })
      if (stamp <= doubt) doubtful++
    }
  }
  addSeenUpTo(end)
  if (lines.length === 0) return { runs, lines, doubtful }
  return { runs: [...before, joined(touching, start, lines), ...after], lines, doubtful }
}

function joined(touching: readonly Run[], start: number, lines: readonly Line[]): Run {
  const end = start + lines.length
  const first = touching[0]
  const last = touching.at(-1)
  if (first === undefined || last === undefined) return { at: start, lines: lineList(lines) }
  const firstAt = first.at as number
  const lastAt = last.at as number
  if (first === last && firstAt <= start && firstAt + first.lines.length >= end) {
    return { at: firstAt, lines: spliceLines(first.lines, start - firstAt, lines.length, lines) }
  }
  const head = Math.max(0, start - firstAt)
  const tail = Math.max(0, end - lastAt)
  return {
    at: Math.min(firstAt, start),
    lines: joinLists([
      spliceLines(first.lines, head, first.lines.length - head, []),
      lineList(lines),
      ...(lastAt + last.lines.length > end ? [spliceLines(last.lines, 0, tail, [])] : []),
    ]),
  }
}

/** The number of lines that must agree to place a run; a shorter run must be shown whole. */
const minLinesToPlace = 3

/**
 * Places the runs of unknown place where the shown lines have them: at the only position where all their shown lines
 * agree, between the runs before and after.
 */
function placeRuns(version: FileVersion, observation: Observation): FileVersion {
  if (version.runs.every((run) => run.at !== null)) return version
  const runs: Run[] = []
  let reached = 0
  version.runs.forEach((run, index) => {
    const at = run.at ?? placeOf(run, observation)
    const next = version.runs.slice(index + 1).find((each) => each.at !== null)?.at ?? Infinity
    const fits = at !== null && at >= reached && at + run.lines.length <= next
    const placed = run.at === null && fits
    runs.push(placed ? { at, lines: run.lines } : run)
    // A run at its expected place shows that nothing before it moved.
    if (placed && at === run.expected) restorePlaces(runs)
    const last = runs.at(-1)?.at ?? null
    if (last !== null) reached = last + run.lines.length
  })
  return { ...version, runs }
}

function restorePlaces(runs: Run[]): void {
  let next = Infinity
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index] as Run
    const at = run.at ?? run.expected ?? null
    if (at === null || at + run.lines.length > next) return
    runs[index] = { at, lines: run.lines }
    next = at
  }
}

function placeOf(run: Run, { start, texts }: Observation): number | null {
  const lines = allLines(run.lines).map((line) => withoutReturn(line.text))
  const offsets = new Map<string, number[]>()
  lines.forEach((text, offset) => {
    if (hasWord(text)) addToList(offsets, text, offset)
  })
  const candidates = new Set<number>()
  texts.forEach((text, index) => {
    for (const offset of offsets.get(withoutReturn(text ?? '')) ?? []) {
      candidates.add(start + index - offset)
    }
  })
  const places = [...candidates].filter((at) => at >= 0 && agrees(lines, at, start, texts))
  return places.length === 1 ? (places[0] ?? null) : null
}

function agrees(
  lines: readonly string[],
  at: number,
  start: number,
  texts: readonly (string | null)[],
): boolean {
  const from = Math.max(at, start)
  const to = Math.min(at + lines.length, start + texts.length)
  if (to - from < Math.min(minLinesToPlace, lines.length)) return false
  for (let place = from; place < to; place++) {
    const text = texts[place - start]
    if (text !== null && !isSameLine(lines[place - at] as string, text as string)) return false
  }
  return true
}
