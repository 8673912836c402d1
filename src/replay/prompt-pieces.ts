import { estimateTokens } from '../core/record/tokens.ts'
import type { PromptPiece } from '../core/schedule/cached-prefixes.ts'
import { type Shown, textOf } from './replay.ts'

/** An item as a request shows it. Two pieces are equal only when all their bytes are. */
export function pieceOf({ item, rendition }: Shown): PromptPiece {
  if (rendition === null) return { id: `${item.index}`, tokens: item.tokens }
  const text = textOf(rendition)
  return { id: `${item.index} ${text}`, tokens: estimateTokens(text) }
}
