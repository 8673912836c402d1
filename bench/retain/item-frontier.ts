import { probabilityOfNeed } from '../../src/core/propose/retain/probability.ts'
import { expectedRestores, isWorthShortening } from '../../src/core/propose/retain/worth.ts'
import type { Coefficients } from '../../src/core/words/coefficients.ts'
import type { Example } from './examples.ts'

/** What a risk limit removes, item by item, each at the first age at which it is removed. */
export interface FrontierRow {
  readonly risk: number
  readonly items: number
  /** The share of the characters that requests would show of results from the first age on. */
  readonly residencyRemoved: number
  /** Actions that copied lines or identifiers from removed items. */
  readonly anchorsLost: number
  readonly namesLost: number
}

/** Short forms are taken to have this length, and requests that of a middling session. */
const shortChars = 800
const contextChars = 300_000

/** The predictions for each repository come from a model trained on the others. */
export function itemFrontier(
  examples: readonly Example[],
  learnt: ReadonlyMap<string, Coefficients>,
  risks: readonly number[],
): readonly FrontierRow[] {
  const results = new Map<string, Example[]>()
  for (const example of examples) {
    const key = `${example.session} ${example.item}`
    results.set(key, [...(results.get(key) ?? []), example])
  }
  const all = [...results.values()].reduce((sum, ages) => sum + residencyOf(ages[0]), 0)
  return risks.map((risk) => {
    const gone = [...results.values()].flatMap((ages) => {
      const first = ages.find(({ features, group, size, turn }) => {
        const probability = probabilityOfNeed(features, learnt.get(group) ?? null)
        const sizes = { originalChars: size, shownChars: size, shortChars, contextChars }
        const restores = expectedRestores(features, probability)
        return isWorthShortening(restores, { ...sizes, turn, isWritten: false }, risk)
      })
      return first === undefined ? [] : [first]
    })
    const sum = (of: (each: Example) => number): number =>
      gone.reduce((total, each) => total + of(each), 0)
    return {
      risk,
      items: gone.length,
      residencyRemoved: sum(residencyOf) / Math.max(1, all),
      anchorsLost: sum(({ anchors }) => anchors),
      namesLost: sum(({ names }) => names),
    }
  })
}

function residencyOf(example: Example | undefined): number {
  return example === undefined ? 0 : example.size * example.requestsLeft
}
