import { type Line, linesBetween, spliceLines } from './line-list.ts'
import { changeSomewhere, splitByCertainty } from './somewhere.ts'
import { spliceRun } from './splice-version.ts'
import type { FileVersion, Knowledge, Run } from './version.ts'

/** Lines of a run, by the run's index and the first line's offset in it. */
export interface FoundLines {
  readonly run: number
  readonly firstLine: number
  readonly length: number
}

/**
 * Lines in place of those in which a text was found. Certain lines are where they are, and what follows moves along.
 * Lines in doubt may be anywhere by now: the new ones are known, their place is not, nor whether they stand before or
 * after the certain ones.
 */
export function spliceFound(
  knowledge: Knowledge,
  found: FoundLines,
  lines: readonly Line[],
): FileVersion {
  const { version, doubt } = knowledge
  const { run, firstLine, length } = found
  const list = (version.runs[run] as Run).lines
  const before = linesBetween(list, firstLine, firstLine + length)
  const anchored = before.some((line) => line.stamp > doubt)
  if (anchored) return spliceRun(version, run, firstLine, length, lines)

  const elsewhere = changeSomewhere(knowledge, '', lines.length - length)
  const runs = elsewhere?.version.runs ?? splitByCertainty(version.runs, doubt)
  const id = before[0]?.id
  const index = runs.findIndex((each) =>
    each.lines.chunks.some((chunk) => chunk.some((line) => line.id === id)),
  )
  const owner = runs[index]
  if (owner === undefined) return version
  return {
    ...version,
    count: elsewhere?.version.count ?? null,
    runs: [...runs.slice(0, index), ...opened(owner, id, length, lines), ...runs.slice(index + 1)],
  }
}

/** The run cut around the lines that go, with the new ones between the parts. */
function opened(
  run: Run,
  id: number | undefined,
  length: number,
  lines: readonly Line[],
): readonly Run[] {
  const offset = run.lines.chunks.flat().findIndex((line) => line.id === id)
  const place = run.at ?? run.expected
  const head = spliceLines(run.lines, offset, run.lines.length - offset, [])
  const tail = spliceLines(run.lines, 0, Math.min(run.lines.length, offset + length), [])
  const middle = spliceLines({ length: 0, chunks: [] }, 0, 0, lines)
  const expected = place === undefined ? undefined : place + offset
  const parts: readonly Run[] = [
    { ...run, lines: head },
    { at: null, lines: middle, expected },
    {
      at: run.at === null ? null : run.at + offset + lines.length,
      lines: tail,
      expected: expected === undefined ? undefined : expected + lines.length,
    },
  ]
  return parts.filter((part) => part.lines.length > 0)
}
