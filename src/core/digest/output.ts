import type { Action } from '../record/action.ts'
import { failureLines } from '../render/failure-lines.ts'
import { terminalText } from './clean-lines.ts'
import { identifiersIn } from './identifiers.ts'
import { type ProgramWords, programsOf } from './programs.ts'
import type { DigestSource } from './source.ts'

/** A result as the kinds of digests look at it. */
export interface Output {
  readonly source: DigestSource
  /** What a terminal would show, line by line. */
  readonly lines: readonly string[]
  /** Up to 400 lines of both ends, none of them empty: enough to see what it is. */
  readonly sample: readonly string[]
  readonly programs: readonly ProgramWords[]
  /** True when the line reports that something went wrong, or how a command ended. */
  reportsFailure(line: string): boolean
  /** True when the line names something that the conversation has named before. */
  isAboutKnown(line: string): boolean
  /** True when the line names anything. */
  hasName(line: string): boolean
}

/** What looks at lines: a pattern, or something faster. */
export interface LineTest {
  test(line: string): boolean
}

const sampleLines = 200
/** A line that names more than this names nothing in particular. */
const mostNamesOfLine = 40
const unlimited = {
  lines: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
  line: 1000,
}

/** How agents and shells say how a command ended. */
const exitLine =
  /^(?:Process exited with code -?\d+|(?:Error: )?Exit code:? -?\d+|<returncode>.*|.*\bexit(?:ed with)? (?:code|status):? ?-?\d+.*|Command (?:timed out|aborted|failed).*|Process running with session ID .*|.*\b(?:timed out after|Killed|Terminated)\b.*)$/i

/** Every such line has one of these, and most outputs have none. */
const exitWord =
  /exit|<returncode>|command (?:timed|aborted|failed)|process running|timed out after|killed|terminated/i

export function readOutput(source: DigestSource): Output {
  const { lines, sample, programs, reportsFailure } = sightOf(source)
  let named = ''
  let names: readonly string[] = []
  /** The same line is asked about several times in a row. */
  function namesOf(line: string): readonly string[] {
    if (line !== named) {
      names = identifiersIn(line)
      named = line
    }
    return names
  }
  return {
    source,
    lines,
    sample,
    programs,
    reportsFailure,
    isAboutKnown(line) {
      let asked = 0
      for (const name of namesOf(line.slice(0, 1000))) {
        if (source.isKnownName(name)) return true
        if (++asked > mostNamesOfLine) return false
      }
      return false
    },
    hasName: (line) => namesOf(line).length > 0,
  }
}

/** What an output is, whoever asks and whatever was said since. */
type Sight = Pick<Output, 'lines' | 'sample' | 'programs' | 'reportsFailure'>

/** An output is digested when it comes, and for a shorter form some requests later. */
const mostSights = 64
const mostSightChars = 50_000
const sights = new Map<string, { readonly sight: Sight; readonly action: Action | null }>()

function sightOf({ text, action }: DigestSource): Sight {
  if (text.length > mostSightChars) return see(text, action)
  const known = sights.get(text)
  if (known?.action === action) return known.sight
  const sight = see(text, action)
  sights.delete(text)
  for (const [oldest] of sights) {
    if (sights.size < mostSights) break
    sights.delete(oldest)
  }
  sights.set(text, { sight, action })
  return sight
}

function see(printed: string, action: Action | null): Sight {
  const text = withoutJobNames(terminalText(printed))
  const lines = text.split('\n')
  let failures: ReadonlySet<string> | null = null
  let mayEnd: boolean | null = null
  return {
    lines,
    sample: sampleOf(lines),
    programs: action?.kind === 'shell' ? programsOf(action.command) : [],
    reportsFailure(line) {
      failures ??= new Set(failureLines(text, unlimited).map(keyOf))
      if (failures.size > 0 && failures.has(keyOf(line))) return true
      mayEnd ??= exitWord.test(text)
      return mayEnd && line.length < 300 && exitLine.test(line)
    },
  }
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

/** The share of an output's lines that look so. */
export function shareOf({ sample }: Output, pattern: LineTest): number {
  if (sample.length === 0) return 0
  let alike = 0
  for (const line of sample) if (pattern.test(line)) alike++
  return alike / sample.length
}

/** True when more than this share of an output's lines look so. Only as many are looked at as decide it. */
export function moreThan(share: number, { sample }: Output, pattern: LineTest): boolean {
  const { length } = sample
  let alike = 0
  for (let at = 0; at < length; at++) {
    if ((alike + length - at) / length <= share) return false
    if (pattern.test(sample[at] as string) && ++alike / length > share) return true
  }
  return false
}

/** True when the command runs one of these programs. */
export function runs(output: Output, names: RegExp): boolean {
  return output.programs.some(([program = '']) => names.test(program))
}
