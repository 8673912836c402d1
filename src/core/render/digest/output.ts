import { identifiersIn } from '../../files/text/identifiers.ts'
import { failureLines } from '../failure-lines.ts'
import { terminalText } from './clean-lines.ts'
import type { DigestKind, DigestLimits, DigestSource } from './digest-types.ts'
import { type LineNames, namesOfLine, readLineNames } from './line-names.ts'
import { type ProgramWords, programsOf } from './programs.ts'

/** A result, prepared for the digests of all kinds. */
export interface Output {
  readonly source: DigestSource
  /** What a terminal would show, line by line. */
  readonly lines: readonly string[]
  /** Up to 400 non-empty lines from both ends, used to detect the kind. */
  readonly sample: readonly string[]
  readonly programs: readonly ProgramWords[]
  /** True when the line reports a failure, or how a command ended. */
  reportsFailure(line: string): boolean
  /** The names in the lines, read on first use. */
  readNames(): LineNames
  /** The names in a part of the line with this number. */
  namesOf(part: string, line: number): readonly string[]
}

/** A kind of output: how it is detected and digested. */
export interface OutputKind {
  readonly kind: DigestKind
  /** The largest value of `fits`, which is not called when another kind already fits as well. */
  readonly bestFit: number
  /** From 0 (certainly not) to 1 (certainly). The best fit wins; below 0.5, the output is plain. */
  fits(output: Output): number
  digest(output: Output, limits: DigestLimits): string
}

/** A test of a line: a pattern, or something faster. */
export interface LineTest {
  test(line: string): boolean
}

const mostSearched = 1000

const sampleLines = 200
const unlimited = {
  lines: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
  line: 1000,
}

/** How agents and shells report the end of a command. */
const exitLine =
  /^(?:Process exited with code -?\d+|(?:Error: )?Exit code:? -?\d+|<returncode>.*|.*\bexit(?:ed with)? (?:code|status):? ?-?\d+.*|Command (?:timed out|aborted|failed).*|Process running with session ID .*|.*\b(?:timed out after|Killed|Terminated)\b.*)$/i

export function readOutput(source: DigestSource): Output {
  const { action } = source
  const text = cleanText(source.text)
  const lines = text.split('\n')
  let failures: ReadonlySet<string> | null = null
  let names: LineNames | null = null
  const readNames = (): LineNames => {
    names ??= readLineNames(text, lines.length)
    return names
  }
  return {
    source,
    lines,
    sample: sampleOf(lines),
    programs: action?.kind === 'shell' ? programsOf(action.command) : [],
    reportsFailure(line) {
      failures ??= new Set(failureLines(text, unlimited).map(keyOf))
      return failures.has(keyOf(line)) || (line.length < 300 && exitLine.test(line))
    },
    readNames,
    namesOf(part, line) {
      const isWhole = part.length <= mostSearched && part === lines[line]
      return isWhole ? namesOfLine(readNames(), line) : identifiersIn(part.slice(0, mostSearched))
    },
  }
}

/** The lines of a text as a terminal would show them. */
export function linesOf(text: string): readonly string[] {
  return cleanText(text).split('\n')
}

function cleanText(printed: string): string {
  return withoutJobNames(terminalText(printed))
}

/** Removes the job, the step and the time that GitHub puts before each line of a run's log. */
function withoutJobNames(text: string): string {
  const begin = text.slice(0, 4000)
  if (
    !begin.includes('Z ') ||
    !/^[^\t\n]{1,100}\t[^\t\n]{1,100}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z /m.test(begin)
  )
    return text
  return text.replaceAll(/^[^\t\n]{1,100}\t[^\t\n]{1,100}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '')
}

/** The part of a line by which failures are compared. */
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

/** The share of an output's lines that match. */
export function shareOf({ sample }: Output, pattern: LineTest): number {
  if (sample.length === 0) return 0
  let alike = 0
  for (const line of sample) if (pattern.test(line)) alike++
  return alike / sample.length
}

/** True when more than this share of an output's lines match. Stops as soon as that is decided. */
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
