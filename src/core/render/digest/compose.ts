import { choosePieces } from './choose-pieces.ts'
import { indexLines, indexShare } from './name-index.ts'
import type { Output } from './output.ts'
import type { Piece, Worth, WorthByNames } from './piece.ts'
import { type ShowOptions, showKept } from './show-kept.ts'

export interface ComposeOptions extends Omit<ShowOptions, 'lines' | 'index' | 'hasOwnHandles'> {
  /** What the pieces are of. */
  readonly output: Output
  /** What of a piece is looked at for names; its first line unless told. */
  readonly namedIn?: (piece: Piece) => string
}

/** The pieces that are worth most, in their own order, with what was left out counted and its names told. */
export function compose(pieces: readonly Piece[], options: ComposeOptions): string {
  const { output, limits, namedIn } = options
  const { lines, readNames } = output
  const room = Math.floor(limits.targetChars * (1 - indexShare))
  const settle = (piece: Piece, byNames: WorthByNames): Worth => {
    const looked = namedIn === undefined ? (lines[piece.first] as string) : namedIn(piece)
    const names = output.namesOf(looked, piece.first)
    return names.length > 0 ? byNames.named : byNames.nameless
  }
  const index: ShowOptions['index'] = (leftOut, shown, chars) =>
    indexLines(readNames(), leftOut, shown, { chars })
  return showKept(pieces, choosePieces(pieces, room, settle), { ...options, lines, index })
}
