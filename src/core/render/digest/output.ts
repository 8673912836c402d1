import { identifiersIn } from '../../files/text/identifiers.ts'
import { namesOfLine } from './line-names.ts'
import { type Sight, sightOf } from './sight.ts'
import type { DigestSource } from './source.ts'

/** A result as the kinds of digests look at it. */
export interface Output extends Sight {
  readonly source: DigestSource
  /** The names in what is looked at of the line with this number. */
  namesOf(looked: string, line: number): readonly string[]
  /** True when the conversation has named one of these before. */
  isKnown(names: readonly string[]): boolean
}

/** What looks at lines: a pattern, or something faster. */
export interface LineTest {
  test(line: string): boolean
}

/** A line that names more than this names nothing in particular. */
const mostNamesOfLine = 40
const mostLooked = 1000

export function readOutput(source: DigestSource): Output {
  const sight = sightOf(source)
  const { lines, sample, programs, reportsFailure, readNames, answers } = sight
  return {
    source,
    lines,
    sample,
    programs,
    reportsFailure,
    readNames,
    answers,
    namesOf(looked, line) {
      const isWhole = looked.length <= mostLooked && looked === lines[line]
      return isWhole ? namesOfLine(readNames(), line) : identifiersIn(looked.slice(0, mostLooked))
    },
    isKnown(names) {
      const asked = Math.min(names.length, mostNamesOfLine + 1)
      for (let at = 0; at < asked; at++) if (source.isKnownName(names[at] as string)) return true
      return false
    },
  }
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
