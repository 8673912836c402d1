import type { LineRange } from '../../words/action.ts'
import type { FileLines, ResultReading } from '../../words/reading.ts'
import { hasCutLine, isCutLine } from '../text/shown-text.ts'
import { isWhollyKnown, type Knowledge } from '../text/version.ts'
import { certainLine, type FileState } from './file-state.ts'
import type { Observation } from './observation.ts'

/**
 * Whether a tool shows the empty line after a last line break. Tools do not say; it is learnt from what they show of
 * texts whose ending is known, and else from what most of their showings look like.
 */
export interface Endings {
  /** What the last line of a file says about its ending when this tool shows it. */
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

/** A count of lines at which tools like to stop without a word. */
function isRound(lines: number): boolean {
  return lines > 0 && lines % 250 === 0
}

/** True when what was shown goes on to the end of the file. */
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

/** What a tool that shows files says with a result, or null when it shows nothing. */
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
  const texts = hasCutLine(shown.lines)
    ? shown.lines.map((line) => (isCutLine(line) ? null : line))
    : shown.lines
  const last = shown.lines.at(-1) as string
  const count = shown.total ?? start + texts.length
  if (whole) return { start, texts, end: end(last), count: start + texts.length }
  if (shown.total !== undefined) return { start, texts, end: 'open', count }
  return { start, texts, end: 'unknown', count: 0 }
}

/** What a shell command says that prints a file, or part of it, as it is. */
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
  // A shell gives the last line break as it is, unless the agent trimmed the output.
  if (options.numbered || !reading.body.endsWith('\n')) {
    return { start, texts, end: 'open', count: start + texts.length }
  }
  texts.push('')
  return { start, texts, end: 'certain', count: start + texts.length }
}

/** Where a known line differs from a trimmed one only in the blanks that went, it is taken to be the known one. */
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
