import { estimateTokens } from '../core/record/tokens.ts'
import type { PromptPiece } from '../core/schedule/cached-prefixes.ts'
import { type Shown, textOf } from './replay.ts'

/** An item as a request shows it. Two pieces are equal only when all their bytes are. */
export function pieceOf({ item, rendition }: Shown): PromptPiece {
  if (rendition === null) return { id: `${item.index}`, tokens: item.tokens }
  const text = textOf(rendition)
  return { id: `${item.index} ${text}`, tokens: estimateTokens(text) }
}

/** `pieceOf` for the requests of one session: a rendition's tokens are estimated when it is first shown. */
export function createPieces(): (shown: Shown) => PromptPiece {
  const whole = new Map<number, PromptPiece>()
  const changed = new Map<number, { readonly text: string; readonly piece: PromptPiece }>()
  return (shown) => {
    const { index } = shown.item
    if (shown.rendition === null) {
      const known = whole.get(index) ?? pieceOf(shown)
      whole.set(index, known)
      return known
    }
    const text = textOf(shown.rendition)
    const known = changed.get(index)
    if (known?.text === text) return known.piece
    const piece = pieceOf(shown)
    changed.set(index, { text, piece })
    return piece
  }
}
