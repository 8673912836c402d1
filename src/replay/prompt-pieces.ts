import { estimateTokens } from '../core/record/tokens.ts'
import type { PromptPiece } from '../core/schedule/prefix-cost.ts'
import type { Shown } from './replay.ts'

/** An item as a request shows it: equal only where every byte is. */
export function pieceOf({ item, rendition }: Shown): PromptPiece {
  if (rendition === null) return { id: `${item.index}`, tokens: item.tokens }
  return { id: `${item.index} ${rendition.text}`, tokens: estimateTokens(rendition.text) }
}
