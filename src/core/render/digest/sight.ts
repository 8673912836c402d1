import type { Action } from '../../words/action.ts'
import type { ResultStatus } from '../../words/item.ts'
import { failureLines } from '../failure-lines.ts'
import { terminalText } from './clean-lines.ts'
import { type LineNames, readLineNames } from './line-names.ts'
import { type ProgramWords, programsOf } from './programs.ts'
import type { DigestSource } from './source.ts'

/** What an output is, whoever asks and whatever was said since. */
export interface Sight {
  /** What a terminal would show, line by line. */
  readonly lines: readonly string[]
  /** Up to 400 lines of both ends, none of them empty: enough to see what it is. */
  readonly sample: readonly string[]
  readonly programs: readonly ProgramWords[]
  /** True when the line reports that something went wrong, or how a command ended. */
  reportsFailure(line: string): boolean
  /** The names in the lines, which are read when they are first asked for. */
  readNames(): LineNames
  /** What was worked out of it before, by what did so. */
  readonly answers: Map<unknown, unknown>
}

const sampleLines = 200
const unlimited = {
  lines: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
  line: 1000,
}

/** How agents and shells say how a command ended. */
const exitLine =
  /^(?:Process exited with code -?\d+|(?:Error: )?Exit code:? -?\d+|<returncode>.*|.*\bexit(?:ed with)? (?:code|status):? ?-?\d+.*|Command (?:timed out|aborted|failed).*|Process running with session ID .*|.*\b(?:timed out after|Killed|Terminated)\b.*)$/i

/** Every such line has one of these, and most lines have none. */
const exitWord =
  /exit|<returncode>|command (?:timed|aborted|failed)|process running|timed out after|killed|terminated/i

interface KnownSight {
  readonly sight: Sight
  readonly action: Action | null
  readonly status: ResultStatus
}

/** An output is digested when it comes, and for a shorter form some requests later. */
const mostSights = 64
const mostSightChars = 50_000
const sights = new Map<string, KnownSight>()

export function sightOf({ text, action, status }: DigestSource): Sight {
  if (text.length > mostSightChars) return see(text, action)
  const known = sights.get(text)
  if (known?.action === action && known.status === status) return known.sight
  const sight = see(text, action)
  sights.delete(text)
  for (const [oldest] of sights) {
    if (sights.size < mostSights) break
    sights.delete(oldest)
  }
  sights.set(text, { sight, action, status })
  return sight
}

/** The lines alone, whatever printed them. */
export function linesOf(text: string): readonly string[] {
  return sights.get(text)?.sight.lines ?? cleanText(text).split('\n')
}

/**
 * What is worked out of an output, by its sight, only once for as long as that is known. It must depend on nothing else:
 * neither on what the conversation has named nor on any limits.
 */
export function oncePerSight<Seen extends Pick<Sight, 'answers'>, Answer extends object | string>(
  work: (seen: Seen) => Answer,
): (seen: Seen) => Answer {
  return (seen) => {
    const known = seen.answers.get(work)
    if (known !== undefined) return known as Answer
    const answer = work(seen)
    seen.answers.set(work, answer)
    return answer
  }
}

function see(printed: string, action: Action | null): Sight {
  const text = cleanText(printed)
  const lines = text.split('\n')
  let failures: ReadonlySet<string> | null = null
  let mayEnd: boolean | null = null
  let names: LineNames | null = null
  return {
    lines,
    sample: sampleOf(lines),
    programs: action?.kind === 'shell' ? programsOf(action.command) : [],
    reportsFailure(line) {
      failures ??= new Set(failureLines(text, unlimited).map(keyOf))
      if (failures.size > 0 && failures.has(keyOf(line))) return true
      mayEnd ??= exitWord.test(text)
      return mayEnd && line.length < 300 && exitWord.test(line) && exitLine.test(line)
    },
    answers: new Map(),
    readNames() {
      names ??= readLineNames(text, lines.length)
      return names
    },
  }
}

function cleanText(printed: string): string {
  return withoutJobNames(terminalText(printed))
}

/** GitHub puts the job, the step and the time before each line of a run's log; the line is what counts. */
function withoutJobNames(text: string): string {
  const begin = text.slice(0, 4000)
  if (
    !begin.includes('Z ') ||
    !/^[^\t\n]{1,100}\t[^\t\n]{1,100}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z /m.test(begin)
  )
    return text
  return text.replaceAll(/^[^\t\n]{1,100}\t[^\t\n]{1,100}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '')
}

/** Lines are compared without their indentation, and by their beginning. */
function keyOf(line: string): string {
  return line.trim().slice(0, 300).trimEnd()
}

function sampleOf(lines: readonly string[]): readonly string[] {
  const ends =
    lines.length <= 2 * sampleLines
      ? lines
      : [...lines.slice(0, sampleLines), ...lines.slice(-sampleLines)]
  return ends.filter((line) => line.trim() !== '').map((line) => line.slice(0, 400))
}
