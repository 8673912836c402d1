import { allLines, type Line, lineList, linesBetween, withStamp } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'
import { changeSomewhere, splitByCertainty } from './somewhere.ts'
import { spliceRun } from './splice-version.ts'
import { type FileVersion, type Knowledge, neverCertain, type Run } from './version.ts'

/** Lines of a run, by the run's index and the first line's offset in it. */
export interface FoundLines {
  readonly run: number
  readonly firstLine: number
  readonly length: number
}

/**
 * Lines in place of those in which a text was found. Certain lines are where they are, and what follows moves along.
 * When some of them are in doubt, the text may as well have stood elsewhere: the place is a guess, the new lines are
 * in doubt with it, and certain lines that may have been moved or changed are no longer taken for granted.
 */
export function spliceFound(
  knowledge: Knowledge,
  found: FoundLines,
  oldText: string,
  lines: readonly Line[],
): FileVersion {
  const { version, doubt } = knowledge
  const { run, firstLine, length } = found
  const list = (version.runs[run] as Run).lines
  const before = linesBetween(list, firstLine, firstLine + length)
  const isCertain = (line: Line): boolean => line.stamp > doubt
  if (before.every(isCertain)) return spliceRun(version, run, firstLine, length, lines)
  const parts = oldText.split('\n')
  // A text that a tool found was found where its certain lines are, and proves right those that it holds whole.
  const anchored = before.some((line) => isCertain(line) && isTelling(line.text))
  const proven = before.every((line, index) => isCertain(line) || isWhole(line, parts[index]))
  if (anchored && proven && parts.length === before.length) {
    return spliceRun(version, run, firstLine, length, lines)
  }
  const elsewhere = changeSomewhere(knowledge, oldText, lines.length - length)?.version
  const base = elsewhere ?? { ...version, count: null, runs: splitByCertainty(version.runs, doubt) }
  const gone = new Set(before.map((line) => line.id))
  const guesses = lines.map((line) => withStamp(line, neverCertain))
  return { ...base, runs: withGuess(base.runs, gone, guesses) }
}

function isWhole(line: Line, part: string | undefined): boolean {
  return part !== undefined && withoutReturn(line.text) === withoutReturn(part)
}

function isTelling(text: string): boolean {
  return /\w{3}/.test(text)
}

/** The runs without some lines, and with others where the first of them was. */
function withGuess(
  runs: readonly Run[],
  gone: ReadonlySet<number>,
  guesses: readonly Line[],
): readonly Run[] {
  let added = false
  return runs.flatMap((run): readonly Run[] => {
    const lines = allLines(run.lines)
    const first = lines.findIndex((line) => gone.has(line.id))
    if (first === -1) return [run]
    const last = lines.findLastIndex((line) => gone.has(line.id))
    const place = run.at ?? run.expected ?? null
    const parts: Run[] = [
      { at: run.at, expected: run.expected, lines: lineList(lines.slice(0, first)) },
    ]
    if (!added) parts.push({ at: null, lines: lineList(guesses) })
    const expected = place === null ? undefined : place + last + 1
    parts.push({ at: null, expected, lines: lineList(lines.slice(last + 1)) })
    added = true
    return parts.filter((part) => part.lines.length > 0)
  })
}
