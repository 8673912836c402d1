import { type Body, readBodies } from './file-bodies.ts'
import { indexNames } from './name-index.ts'
import type { Piece } from './piece.ts'
import { worth } from './piece.ts'
import { joinKept, tellNames } from './show-kept.ts'

export interface FoldOptions {
  /** So long the folded text gets, unless its signatures alone are longer. */
  readonly targetChars: number
  /** null is better than a text that is longer than this. */
  readonly mostChars?: number
  /** How the original is got back, for example `context_restore a1b2c3`; each fold has a handle of its own, `a1b2c3:12-45`. */
  readonly recall: string
}

/** A body of fewer characters is not worth a fold. */
const leastFold = 160
/** So much of the room is for the names that only folded bodies have. */
const indexShare = 0.25

/**
 * A file's text with its signatures kept and bodies folded, each fold with a handle of its own. null when it has no structure to
 * fold by, or nothing is left to fold: nothing is cut blindly.
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
  const told = tellNames(signatures, shown)
  return told.length < text.length && told.length <= mostChars ? told : null
}

/** Folds the largest bodies until enough is folded: a small one is as likely to be edited, and costs less. */
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
