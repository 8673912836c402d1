import { modelFacts } from '../../src/core/schedule/models/model-facts.ts'
import { type Lifetime, type Regime, regimeOf } from '../../src/core/schedule/regimes.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { coverageOf, pricedPrompts } from '../score/coverage.ts'
import { createPricer } from '../score/price.ts'
import type { TracedSession } from '../score/session.ts'

/** The prices of the recorded model, and the lifetime with which most of the session was written to the cache. */
export function ownRegime({ model, events }: Recording): Regime {
  let written = 0
  let long = 0
  for (const event of events) {
    if (event.kind !== 'message') continue
    const { cacheWrite = 0, cacheWriteLong = 0 } = event.message.usage ?? {}
    written += cacheWrite
    long += cacheWriteLong
  }
  const lifetime: Lifetime = written > 0 && 2 * long >= written ? 'long' : 'short'
  return regimeOf(modelFacts(model), lifetime)
}

/** What a session costs under a regime, in multiples of the price of an input token. */
export function priceUnder(
  regime: Regime,
  unpruned: TracedSession,
  session: TracedSession,
): number {
  const pricer = createPricer([regime])
  for (const { pieces, at } of pricedPrompts(unpruned, session, coverageOf(unpruned, session)))
    pricer.add(pieces, at)
  return pricer.total().cost[0] ?? 0
}
