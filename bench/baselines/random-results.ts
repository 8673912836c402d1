import type { Policy } from '../score/policy.ts'
import { createRandom } from '../score/quantile.ts'
import type { Rendition } from '../score/session.ts'
import { elidedResults, elision } from './keep-last-observations.ts'
import { type StandIn, seenResultsIn, showWith } from './stand-in.ts'

interface RandomOptions {
  readonly keep: number
  readonly polling: number
  readonly seed: number
}

/**
 * Elides results at random, at the same requests and as many characters as `LastNObservations` would. The difference
 * between the two is what age says about need. An elided result stays elided.
 */
export function randomResults({ keep, polling, seed }: RandomOptions): Policy {
  return {
    name: 'random-matched',
    source: 'a control: as much as keep-last-10-poll20 elides, chosen at random',
    parameters: `n=${keep}, polling=${polling}, seed=${seed}`,
    begin: () => {
      const random = createRandom(seed)
      const standIns = new Map<number, StandIn>()
      return ({ view }) => {
        const budget = charactersOf(elidedResults(view, { keep, polling }))
        const seen = seenResultsIn(view)
        const open = seen.filter(({ item }) => !standIns.has(item.i))
        let elided = charactersOf(seen.filter(({ item }) => standIns.has(item.i)))
        while (elided < budget && open.length > 0) {
          const [chosen] = open.splice(Math.floor(random() * open.length), 1)
          if (chosen === undefined) break
          standIns.set(chosen.item.i, elision(chosen))
          elided += chosen.text.length
        }
        return showWith(view, standIns)
      }
    },
  }
}

const charactersOf = (results: readonly Rendition[]): number =>
  results.reduce((sum, { text }) => sum + text.length, 0)

export const randomMatched: Policy = randomResults({ keep: 10, polling: 20, seed: 20_261_116 })
