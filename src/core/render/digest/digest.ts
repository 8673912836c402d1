import { bringsBack, isContextTool } from '../../words/context-tools.ts'
import { cut, isDigest } from '../marks.ts'
import { outputKinds } from './all-kinds.ts'
import type { Digest, DigestKind, DigestLimits, DigestSource } from './digest-types.ts'
import { type Output, type OutputKind, readOutput } from './output.ts'
import { plain } from './plain.ts'
import { leastOfAll, type UsualLimitOptions, usualLimits } from './usual-limits.ts'

/** A digest longer than this share of the text is not used. */
const mostShare = 0.9

/**
 * A short form of a result, or null when it should stay whole. It is deterministic, never empty and never longer than 0.9
 * of the text. It keeps failures, exit codes and what explains them, and says what it left out and how to restore it.
 */
export function digest(source: DigestSource, limits: DigestLimits): Digest | null {
  if (source.text.length <= limits.leastChars || !isDigestible(source)) return null
  const output = readOutput(source)
  return shorten(bestKind(output), output, limits)
}

/** The digest within the usual limits for the kind of the result. */
export function usualDigest(source: DigestSource, options: UsualLimitOptions): Digest | null {
  if (source.text.length <= leastOfAll * (options.scale ?? 1) || !isDigestible(source)) return null
  const output = readOutput(source)
  const kind = bestKind(output)
  const limits = usualLimits(kind.kind, source.text.length, options)
  return source.text.length <= limits.leastChars ? null : shorten(kind, output, limits)
}

/** The detected kind of a result. */
export function digestKindOf(source: DigestSource): DigestKind {
  return bestKind(readOutput(source)).kind
}

/** False for running commands, task lists, digests, and results that were restored on purpose. */
function isDigestible({ status, action, tool, text }: DigestSource): boolean {
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

/** Adds how to restore the original, where only markup or terminal codes were left out and no cut says it. */
function withRecall(shown: string, length: number, recall: string): string {
  return `${shown}\n${cut.write(cut.leftOut(length - shown.length, 'characters'), recall)}`
}

function bestKind(output: Output): OutputKind {
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
