import { estimateTokens } from '../core/record/tokens.ts'
import { createPrefixCost, type PromptPiece } from '../core/schedule/prefix-cost.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'
import { replay } from './replay.ts'

/** What a session sent and what that cost, with Palimpsest and without. */
export interface ReplaySummary {
  readonly requests: number
  /** Summed over all requests; system prompt and tool definitions are not in a recording, so not in here. */
  readonly tokens: { readonly with: number; readonly without: number }
  readonly dollars: { readonly with: number; readonly without: number }
  readonly epochs: number
  readonly decisions: Readonly<Record<string, number>>
}

/** Under the policy `off` both sides are the session as its agent ran it. */
export function summarise(recordings: readonly Recording[], regime: Regime): ReplaySummary {
  let requests = 0
  let tokens = 0
  let dollars = 0
  for (const recording of recordings) {
    const cost = createPrefixCost(regime)
    for (const step of replay(recording)) {
      if (step.kind !== 'request') continue
      requests++
      const pieces = step.view.map(({ item, masked }): PromptPiece => {
        const size = masked === null ? item.tokens : estimateTokens(masked)
        return { id: masked === null ? `${item.index}` : `${item.index} masked`, tokens: size }
      })
      tokens += pieces.reduce((sum, piece) => sum + piece.tokens, 0)
      dollars += cost.price(pieces, step.at)
    }
  }
  return {
    requests,
    tokens: { with: tokens, without: tokens },
    dollars: { with: dollars, without: dollars },
    epochs: 0,
    decisions: {},
  }
}
