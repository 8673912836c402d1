import type { LineCommand } from '../../words/action.ts'
import { allLines, type Line, lineAt, lineList, withStamp } from '../text/line-list.ts'
import type { Changed } from '../text/replace-text.ts'
import { withoutReturn } from '../text/shown-text.ts'
import {
  type Knowledge,
  type Moment,
  neverCertain,
  type Run,
  writtenLine,
} from '../text/version.ts'
import { type LinesOf, type ScriptEdit, scriptEdit } from './script-edit.ts'

/**
 * Applies a line editor's script. Numbers count the lines as they were before. Where nobody knows a line, nobody knows
 * whether a pattern finds it: when that would add or remove lines, those behind it lose their place.
 */
export function applyScript(
  { version, doubt }: Knowledge,
  script: readonly LineCommand[],
  moment: Moment,
  linesOf: LinesOf,
): Changed {
  const written: Line[] = []
  const output = createOutput()
  const whole = version.count !== null && version.countStamp > doubt
  const edits = script.map((command) => scriptEdit(command, linesOf))
  const scatters = edits.some((edit) => edit.scatters)
  const placed = version.runs.filter((run) => run.at !== null)
  const known = placed.reduce((most, run) => Math.max(most, placeOf(run) + run.lines.length), 0)
  // What follows a last line break is no line for an editor.
  const last = whole && !version.openEnding ? (version.count as number) - 1 : null
  // Whether a line is there that nobody has seen, nobody knows.
  const furthest = Math.max(known, ...edits.map((edit) => edit.lastLine))
  const end = Math.min(last === null ? known : furthest, last ?? Infinity)
  const addressed = addressedLines(edits, end)
  let number = 1
  for (const run of placed) {
    skipTo(placeOf(run) + 1)
    for (const line of allLines(run.lines)) {
      if (number > end) break
      editLine(line, number++)
    }
  }
  skipTo(end + 1)
  const closing = last === null ? undefined : lineAfter(placed, last)
  if (closing !== undefined && end === last) output.line(closing)
  const read = closing !== undefined && end === last ? end + 1 : end
  const unsure = !whole && (scatters || furthest > known)
  const shift = unsure ? null : output.longerThan(read)
  return {
    version: {
      ...version,
      runs: [...output.runs(), ...version.runs.flatMap(looseRun)],
      count: shift === null || version.count === null ? null : version.count + shift,
      openEnding: shift !== null && version.openEnding,
    },
    doubt,
    written,
  }

  /** Goes on to a line over some that nobody knows. */
  function skipTo(next: number): void {
    for (const at of addressed) {
      if (at < number || at >= next) continue
      output.gap(at - number, { scatters })
      number = at
      editLine(null, number++)
    }
    if (next > number) output.gap(next - number, { scatters })
    number = Math.max(number, next)
  }

  function editLine(line: Line | null, number: number): void {
    const certain = line !== null && line.stamp > doubt
    let text = line === null ? null : withoutReturn(line.text)
    let gone = false
    let sure = certain
    const after: (readonly string[] | null)[] = []
    for (const edit of edits) {
      const hit = edit.on(number, certain ? text : null)
      if (hit === 'no') continue
      const { does } = edit
      if (does.kind === 'substitute') {
        if (text === null) {
          if (does.breaks) output.unplace()
          continue
        }
        const next = does.replace(text)
        if (next === null || (hit === 'maybe' && next !== text)) sure = false
        if (next !== null) text = next
        else if (does.breaks) output.unplace()
        continue
      }
      if (hit === 'maybe') {
        output.line(line)
        output.unplace()
        return
      }
      if (does.kind === 'insert') fresh(does.lines)
      else if (does.kind === 'append') after.push(does.lines)
      else {
        gone = true
        if (does.kind === 'change') fresh(does.lines)
        break
      }
    }
    if (!gone) keep(line, text, sure)
    for (const lines of after) {
      if (lines === null) output.unplace()
      else fresh(lines)
    }
  }

  function keep(line: Line | null, text: string | null, sure: boolean): void {
    if (line === null || text === null || text === withoutReturn(line.text)) {
      output.line(line === null || sure || line.stamp <= doubt ? line : uncertain(line))
      return
    }
    const ending = line.text.endsWith('\r') ? '\r' : ''
    for (const part of text.split('\n')) {
      const changed = writtenLine(part + ending, moment)
      moment.keepRest(line, changed)
      written.push(changed)
      output.line(sure ? changed : uncertain(changed))
    }
  }

  function fresh(texts: readonly string[] | null): void {
    for (const text of texts ?? []) {
      const line = writtenLine(text, moment)
      written.push(line)
      output.line(line)
    }
  }

  /** Of lines without a place, those stay certain that no command can be about. */
  function looseRun(run: Run): readonly Run[] {
    if (run.at !== null) return []
    const lines = allLines(run.lines).map((line) => {
      const text = withoutReturn(line.text)
      const touched = edits.some(
        ({ on, does }) =>
          on(null, text) !== 'no' && (does.kind !== 'substitute' || does.replace(text) !== text),
      )
      return touched ? uncertain(line) : line
    })
    return [{ at: null, lines: lineList(lines) }]
  }
}

function placeOf(run: Run): number {
  return run.at ?? 0
}

function lineAfter(runs: readonly Run[], place: number): Line | undefined {
  const run = runs.find(
    (each) => placeOf(each) <= place && placeOf(each) + each.lines.length > place,
  )
  return run === undefined ? undefined : lineAt(run.lines, place - placeOf(run))
}

/** The lines that the script names by number, in order. */
function addressedLines(edits: readonly ScriptEdit[], end: number): readonly number[] {
  const numbers = new Set<number>()
  for (const { firstLine, lastLine } of edits) {
    for (let line = Math.max(1, firstLine); line <= Math.min(lastLine, end); line++)
      numbers.add(line)
  }
  return [...numbers].sort((a, b) => a - b)
}

function uncertain(line: Line): Line {
  return withStamp(line, neverCertain)
}

/** Lines one after the other, with gaps between, and with places as long as these are known. */
interface ScriptOutput {
  /** The next line; null when nobody knows it. */
  line(line: Line | null): void
  /** Lines that nobody knows; when a script scatters, nor how many there are of them now. */
  gap(lines: number, options: { readonly scatters: boolean }): void
  /** Nobody knows how many lines stand before the next one. */
  unplace(): void
  runs(): readonly Run[]
  /** By how many lines it is longer; null when nobody knows. */
  longerThan(lines: number): number | null
}

function createOutput(): ScriptOutput {
  const runs: Run[] = []
  let open: Line[] = []
  let next: number | null = 0
  const close = (): void => {
    if (open.length > 0) {
      runs.push({ at: next === null ? null : next - open.length, lines: lineList(open) })
    }
    open = []
  }
  return {
    line(line) {
      if (line === null) close()
      else open.push(line)
      if (next !== null) next++
    },
    gap(lines, { scatters }) {
      if (lines <= 0) return
      close()
      next = next === null || scatters ? null : next + lines
    },
    unplace() {
      close()
      next = null
    },
    runs() {
      close()
      return runs
    },
    longerThan: (lines) => (next === null ? null : next - lines),
  }
}
