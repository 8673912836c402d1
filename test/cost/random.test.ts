import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Breach } from '../../src/gateway/verify/sample.ts'
import { runsOf } from '../soak.ts'
import { openDecider, openGateway } from './door.ts'
import { termsOf } from './models.ts'
import { play, type Script, script } from './script.ts'
import type { CostSession } from './session.ts'

const runs = {
  direct: runsOf({ short: 900, long: 19_000 }),
  verified: runsOf({ short: 60, long: 500 }),
  overHttp: runsOf({ short: 40, long: 500 }),
}

/** An automatic cache counts in steps, so the last one may fall to either side. */
function stepDollars(model: string): number {
  const { api, stepTokens, write, read, inputPrice } = termsOf(model)
  return api === 'anthropic' ? 0 : (stepTokens * (write - read) * inputPrice) / 1_000_000
}

/** The first request at which a session has cost more than it may; null when there is none. */
function tooMuchAt(
  { model, trueLifetimeMs }: Script,
  { costs, receipts }: CostSession,
): string | null {
  // A declared lifetime that turns out wrong may cost one percent.
  const share = trueLifetimeMs === null ? 0 : 0.01
  const spare = 1e-9 + stepDollars(model.startsWith('gpt') ? 'gpt-5.6-sol' : model)
  const at = costs.findIndex((each) => each.with > each.without * (1 + share) + spare)
  if (at < 0) return null
  const { with: paid = 0, without = 0 } = costs[at] ?? {}
  return `request ${at}: ${paid.toFixed(5)} instead of ${without.toFixed(5)} dollars (${receipts[at]})`
}

it('random sessions never cost more than without us, at any request', async () => {
  let saved = 0
  let paid = 0
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      const session = await play(each)
      saved += session.total.without - session.total.with
      paid += session.total.without
      expect(tooMuchAt(each, session)).toBeNull()
    }),
    { numRuns: runs.direct },
  )
  // They would never cost more either if nothing was pruned.
  expect(saved).toBeGreaterThan(0.1 * paid)
}, 7_200_000)

it('random sessions break none of the promises that `verify` checks', async () => {
  let checked = 0
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      const broken: Breach[] = []
      const onBroken = (breach: Breach): number => broken.push(breach)
      const { receipts } = await play(each, (options) => openDecider({ ...options, onBroken }))
      expect(broken).toEqual([])
      checked += receipts.length
    }),
    { numRuns: runs.verified },
  )
  expect(checked).toBeGreaterThan(5 * runs.verified)
}, 1_200_000)

it('random sessions through the gateway never cost more either', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      expect(tooMuchAt(each, await play(each, openGateway))).toBeNull()
    }),
    { numRuns: runs.overHttp },
  )
}, 1_200_000)
