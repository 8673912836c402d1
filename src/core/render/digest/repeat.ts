import { cut } from '../marks.ts'
import { shortLine } from './clean-lines.ts'
import type { Digest, DigestLimits, DigestSource } from './digest-types.ts'
import { linesOf, readOutput } from './output.ts'

/** An earlier result of the same command, as it is shown now. */
export interface EarlierResult {
  readonly text: string
  readonly handle: string
}

/** The smallest run of repeated lines that is replaced. */
const leastRun = 3
/** Below this share of repeated text, an ordinary digest is clearer. */
const leastShare = 0.5
const mostShare = 0.9
/** The number of repeated failure lines that stay, so that the failure is visible here. */
const mostFailures = 8

/**
 * A digest of a repeated command: the new lines, and for the others the handle of the earlier result. Times and durations
 * are ignored in the comparison, counts are not. Failure lines and the last lines stay, so that the outcome is visible.
 * null when the two results have little in common. The source may be a digest itself.
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
  const isRepeated = lines.map((line, at) => {
    if (at >= lines.length - 2 || !known.has(withoutTimes(line))) return false
    return !reportsFailure(line) || ++failures > mostFailures
  })
  const shown: string[] = []
  let repeated = 0
  let hasHint = false
  let at = 0
  while (at < lines.length) {
    let end = at
    while (end < lines.length && isRepeated[end]) end++
    if (end - at < leastRun) {
      shown.push(shortLine((lines[at] as string).trimEnd()))
      at++
      continue
    }
    for (let line = at; line < end; line++) repeated += (lines[line] as string).length + 1
    shown.push(cut.repeated(end - at, earlier.handle, hasHint ? null : limits.recall))
    hasHint = true
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
