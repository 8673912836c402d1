import { createPrefixCost } from '../core/schedule/cache-model.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import { createPieces } from '../replay/prompt-pieces.ts'
import type { ReplayedRequest } from '../replay/replay.ts'
import type { WithAndWithout } from './types.ts'

/** What each request costs under a regime, by the price table and the cache's rules. */
export interface RequestPrices {
  readonly regime: Regime
  readonly requests: readonly WithAndWithout[]
  add(request: ReplayedRequest): void
}

export function createRequestPrices(regime: Regime): RequestPrices {
  const cost = { with: createPrefixCost(regime), without: createPrefixCost(regime) }
  const pieceOf = createPieces()
  const requests: WithAndWithout[] = []
  return {
    regime,
    requests,
    add({ view, unchanged, at }) {
      requests.push({
        with: cost.with.price(view.map(pieceOf), at),
        without: cost.without.price(unchanged.map(pieceOf), at),
      })
    },
  }
}
