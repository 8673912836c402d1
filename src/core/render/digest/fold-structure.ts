import { cutMark } from '../marks.ts'
import { type Body, readBodies } from './file-bodies.ts'
import { indexNames } from './name-index.ts'

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
  const shown: string[] = []
  const leftOut: string[] = []
  let at = 0
  for (const body of [...folded].toSorted((a, b) => a.first - b.first)) {
    shown.push(...lines.slice(at, body.first))
    shown.push(cutMark.fold(body.first + 1, body.last + 1, options.recall, leftOut.length === 0))
    leftOut.push(body.text)
    at = body.last + 1
  }
  const signatures = [...shown, ...lines.slice(at)].join('\n').trimEnd()
  if (signatures.length > mostChars) return null
  const { names, more } = indexNames(leftOut, signatures, { chars: indexChars })
  const withNames =
    names.length === 0
      ? signatures
      : `${signatures}\n${cutMark.write(cutMark.leftOutNames(names, more))}`
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
