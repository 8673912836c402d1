import { choosePieces } from './choose-pieces.ts'
import { indexLines, indexShare } from './name-index.ts'
import type { Output } from './output.ts'
import type { Piece, Worth, WorthByNames } from './piece.ts'
import { type ShowOptions, showKept } from './show-kept.ts'

export interface ComposeOptions extends Omit<ShowOptions, 'lines' | 'index' | 'hasOwnHandles'> {
  readonly output: Output
  /** The part of a piece that is searched for names; by default its first line. */
  readonly namedIn?: (piece: Piece) => string
}

/** The most valuable pieces in their order, with the number of lines left out and the names in them. */
export function compose(pieces: readonly Piece[], options: ComposeOptions): string {
  const { output, limits, namedIn } = options
  const { lines, readNames } = output
  const room = Math.floor(limits.targetChars * (1 - indexShare))
  const decide = (piece: Piece, byNames: WorthByNames): Worth => {
    const searched = namedIn === undefined ? (lines[piece.first] as string) : namedIn(piece)
    const names = output.namesOf(searched, piece.first)
    return names.length > 0 ? byNames.named : byNames.nameless
  }
  const index: ShowOptions['index'] = (leftOut, shown, chars) =>
    indexLines(readNames(), leftOut, shown, { chars })
  return showKept(pieces, choosePieces(pieces, room, decide), { ...options, lines, index })
}
