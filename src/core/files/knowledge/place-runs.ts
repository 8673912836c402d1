import { addToList } from '../../words/lists.ts'
import { allLines } from '../text/line-list.ts'
import { hasWord, isSameLine, withoutReturn } from '../text/shown-text.ts'
import type { FileVersion, Run } from '../text/version.ts'
import type { Observation } from './observation.ts'

/** The number of lines that must agree to place a run; a shorter run must be shown whole. */
const minLinesToPlace = 3

/**
 * Places the runs of unknown place where the shown lines have them: at the only position where all their shown lines
 * agree, between the runs before and after.
 */
export function placeRuns(version: FileVersion, observation: Observation): FileVersion {
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
