import { type Body, readBodies } from './file-bodies.ts'
import { indexNames } from './name-index.ts'
import type { Piece } from './piece.ts'
import { worth } from './piece.ts'
import { appendNames, joinKept } from './show-kept.ts'

export interface FoldOptions {
  /** The length of the folded text, unless its signatures alone are longer. */
  readonly targetChars: number
  /** A longer folded text is not used. */
  readonly mostChars?: number
  /** How to restore the original, for example `context_restore a1b2c3`; each fold adds its lines, `a1b2c3:12-45`. */
  readonly recall: string
}

/** A body of fewer characters is not worth a fold. */
const leastFold = 160
/** The share of the room for names that only folded bodies contain. */
const indexShare = 0.25

/**
 * A file's text with its signatures kept and bodies folded, each fold with its own handle. null when the text has no
 * structure or nothing to fold.
 */
export function foldStructure(text: string, options: FoldOptions): string | null {
  const { mostChars = text.length } = options
  const lines = text.split('\n')
  const bodies = readBodies(lines)
  if (bodies === null) return null
  const indexChars = Math.floor(options.targetChars * indexShare)
  const excess = text.length - options.targetChars + indexChars
  const folded = chooseFolds(bodies, excess)
  if (folded.size === 0) return null
  const kept = new Uint8Array(lines.length).fill(1)
  for (const body of folded) kept.fill(0, body.first, body.last + 1)
  const pieces = lines.map(
    (line, at): Piece => ({ text: line, first: at, last: at, worth: worth.plain }),
  )
  const limits = { leastChars: 0, targetChars: options.targetChars, recall: options.recall }
  const shown = {
    limits,
    lines,
    index: (leftOut: readonly number[], body: string, chars: number) =>
      indexNames(
        leftOut.map((line) => lines[line] as string),
        body,
        { chars },
      ),
    marksCuts: true,
    hasOwnHandles: true,
    indexChars,
  }
  const signatures = joinKept(pieces, kept, shown)
  if (signatures.body.length > mostChars) return null
  const withNames = appendNames(signatures, shown)
  return withNames.length < text.length && withNames.length <= mostChars ? withNames : null
}

/** Folds the largest bodies first, because a small one is as likely to be edited and saves less. */
function chooseFolds(bodies: readonly Body[], excess: number): ReadonlySet<Body> {
  const folded = new Set<Body>()
  let left = excess
  for (const body of bodies.toSorted((a, b) => b.text.length - a.text.length)) {
    if (left <= 0) break
    if (body.text.length < leastFold) continue
    folded.add(body)
    left -= body.text.length
  }
  return folded
}
