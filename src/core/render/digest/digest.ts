import { bringsBack, isContextTool } from '../../words/context-tools.ts'
import { cut, isDigest } from '../marks.ts'
import { outputKinds } from './kinds.ts'
import { type Output, readOutput } from './output.ts'
import type { OutputKind } from './output-kind.ts'
import { plain } from './plain.ts'
import { oncePerSight } from './sight.ts'
import type { Digest, DigestKind, DigestLimits, DigestSource } from './source.ts'
import { leastOfAll, type UsualLimitOptions, usualLimits } from './usual-limits.ts'

/** A digest that saves less than this is not worth the doubt. */
const mostShare = 0.9

/**
 * The shortest faithful form of a result, or null when it should stay whole. Never longer than 0.9 of the text, never
 * empty, the same for the same source. It keeps failures, exit codes and what explains them, and says what it left out
 * and how to get it back.
 */
export function digest(source: DigestSource, limits: DigestLimits): Digest | null {
  if (source.text.length <= limits.leastChars || !isOpen(source)) return null
  const output = readOutput(source)
  return shorten(bestKind(output), output, limits)
}

/** The digest within the limits that suit what the result turns out to be. */
export function usualDigest(source: DigestSource, options: UsualLimitOptions): Digest | null {
  if (source.text.length <= leastOfAll * (options.scale ?? 1) || !isOpen(source)) return null
  const output = readOutput(source)
  const kind = bestKind(output)
  const limits = usualLimits(kind.kind, source.text.length, options)
  return source.text.length <= limits.leastChars ? null : shorten(kind, output, limits)
}

/** What a result is, for choosing its limits. */
export function digestKindOf(source: DigestSource): DigestKind {
  return bestKind(readOutput(source)).kind
}

/** What may still change, was cut already, or was brought back on purpose stays as it is; so does the task list. */
function isOpen({ status, action, tool, text }: DigestSource): boolean {
  if (status === 'running' || action?.kind === 'list' || isContextTool(tool)) return false
  return !bringsBack(tool, action) && !isDigest(text)
}

function shorten(kind: OutputKind, output: Output, limits: DigestLimits): Digest | null {
  const { length } = output.source.text
  const shown = kind.digest(output, limits).trimEnd()
  if (shown.trim() === '' || shown.length > length * mostShare) return null
  const text = shown.includes(`· ${limits.recall}`)
    ? shown
    : withRecall(shown, length, limits.recall)
  return text.length > length * mostShare ? null : { kind: kind.kind, text }
}

/** Markup and terminal codes are left out without a cut in any place, and still there to be got back. */
function withRecall(shown: string, length: number, recall: string): string {
  return `${shown}\n${cut.write(cut.leftOut(length - shown.length, 'characters'), recall)}`
}

const bestKind = oncePerSight(findKind)

function findKind(output: Output): OutputKind {
  let best: OutputKind = plain
  let fit = plain.fits(output)
  for (const kind of outputKinds) {
    if (kind.bestFit <= fit) continue
    const next = kind.fits(output)
    if (next > fit) {
      best = kind
      fit = next
    }
  }
  return best
}
