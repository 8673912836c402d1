import type { Engine } from '../core/engine.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import { createPrefixCost, type PromptPiece } from '../core/schedule/prefix-cost.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'
import { replay, type Shown } from './replay.ts'
import { createEpochs } from './trace.ts'

interface Comparison {
  readonly with: number
  readonly without: number
}

/** What a session sent and what that cost, with Palimpsest and without. */
export interface ReplaySummary {
  readonly requests: number
  /** Summed over all requests; system prompt and tool definitions are not in a recording, so not in here. */
  readonly tokens: Comparison
  readonly dollars: Comparison
  readonly epochs: number
  /** How many decisions each strategy made. */
  readonly decisions: Readonly<Record<string, number>>
}

export interface SummaryOptions {
  readonly regime: Regime
  /** Called for each session; without it nothing is changed. */
  readonly engineFor?: (recording: Recording) => Engine
}

export function summarise(
  recordings: readonly Recording[],
  options: SummaryOptions,
): ReplaySummary {
  let requests = 0
  let epochs = 0
  const tokens = { with: 0, without: 0 }
  const dollars = { with: 0, without: 0 }
  const decisions: Record<string, number> = {}
  for (const recording of recordings) {
    const engine = options.engineFor?.(recording)
    const cost = {
      with: createPrefixCost(options.regime),
      without: createPrefixCost(options.regime),
    }
    const counted = createEpochs()
    let epoch = 0
    for (const step of replay(recording, engine)) {
      if (step.kind !== 'request') continue
      requests++
      epoch = counted.after(step.view, step.unchanged)
      for (const [side, view] of [
        ['with', step.view],
        ['without', step.unchanged],
      ] as const) {
        const pieces = view.map(pieceOf)
        tokens[side] += pieces.reduce((sum, piece) => sum + piece.tokens, 0)
        dollars[side] += cost[side].price(pieces, step.at)
      }
    }
    epochs += epoch
    for (const entry of engine?.ledger.entries ?? []) {
      if (entry.kind === 'decision')
        decisions[entry.strategy] = (decisions[entry.strategy] ?? 0) + 1
    }
  }
  return { requests, tokens, dollars, epochs, decisions }
}

function pieceOf({ item, rendition }: Shown): PromptPiece {
  if (rendition === null) return { id: `${item.index}`, tokens: item.tokens }
  return { id: `${item.index} ${rendition.text}`, tokens: estimateTokens(rendition.text) }
}
