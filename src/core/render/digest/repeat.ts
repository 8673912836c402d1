import { cut } from '../marks.ts'
import { shortLine } from './clean-lines.ts'
import { readOutput } from './output.ts'
import { linesOf } from './sight.ts'
import type { Digest, DigestLimits, DigestSource } from './source.ts'

/** An earlier result of the same command, as it is shown now. */
export interface EarlierResult {
  readonly text: string
  readonly handle: string
}

/** A run of so many equal lines is told in one. */
const leastRun = 3
/** Below this share of repeated text a digest of its own is clearer. */
const leastShare = 0.5
const mostShare = 0.9
/** So many lines that report a failure are said again, so that nobody has to look back to know that it failed. */
const mostFailures = 8

/**
 * The same command again, with the same failure or the same list: what is new, and for the rest the handle of the
 * result that shows it. Times and durations make no difference; counts do. null when the two have little in common.
 * Lines that report failures and the last lines stay, so that the outcome is read without looking back. The source may be
 * a digest itself.
 */
export function digestRepeat(
  source: DigestSource,
  earlier: EarlierResult,
  limits: DigestLimits,
): Digest | null {
  if (source.text.length <= limits.leastChars || source.status === 'running') return null
  const { lines, reportsFailure } = readOutput(source)
  const known = new Set(linesOf(earlier.text).map(withoutTimes))
  let failures = 0
  const isSaidAgain = lines.map((line, at) => {
    if (at >= lines.length - 2 || !known.has(withoutTimes(line))) return false
    return !reportsFailure(line) || ++failures > mostFailures
  })
  const shown: string[] = []
  let repeated = 0
  let isTold = false
  let at = 0
  while (at < lines.length) {
    let end = at
    while (end < lines.length && isSaidAgain[end]) end++
    if (end - at < leastRun) {
      shown.push(shortLine((lines[at] as string).trimEnd()))
      at++
      continue
    }
    for (let line = at; line < end; line++) repeated += (lines[line] as string).length + 1
    shown.push(cut.repeated(end - at, earlier.handle, isTold ? null : limits.recall))
    isTold = true
    at = end
  }
  const text = shown.join('\n').trimEnd()
  if (repeated < source.text.length * leastShare) return null
  return text.length > source.text.length * mostShare ? null : { kind: 'repeat', text }
}

function withoutTimes(line: string): string {
  return line
    .slice(0, 400)
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|\d\d:\d\d:\d\d(?:[.,]\d+)?/g, 'T')
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds|m)\b/g, 'D')
    .replaceAll(/0x[0-9a-f]{4,}|^Chunk ID: .*|^Wall time: .*/g, 'X')
    .trim()
}
