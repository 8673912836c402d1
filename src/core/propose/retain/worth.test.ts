import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NeedProbability } from './rules.ts'
import { expectedRestores, isWorthShortening, type Stakes } from './worth.ts'

interface Bargain extends Stakes {
  readonly isFileText: boolean
  readonly probability: NeedProbability
}

function isWorthIt({ probability, ...bargain }: Bargain, risk: number): boolean {
  return isWorthShortening(expectedRestores(bargain, probability), bargain, risk)
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const anyBargain: fc.Arbitrary<Bargain> = fc.record({
  isFileText: fc.boolean(),
  probability: fc.record({ anchor: share, name: share }),
  originalChars: fc.integer({ min: 1, max: 200_000 }),
  shownChars: fc.integer({ min: 1, max: 200_000 }),
  shortChars: fc.nat(5000),
  contextChars: fc.nat(2_000_000),
  turn: fc.integer({ min: 1, max: 2000 }),
  isWritten: fc.boolean(),
})

describe('letting go of a result', () => {
  it('is never worth anything when nothing gets shorter and it may be needed', () => {
    fc.assert(
      fc.property(anyBargain, share, (bargain, risk) => {
        const probability = { anchor: 0.01, name: 0 }
        const same = { ...bargain, probability, shortChars: bargain.shownChars }
        expect(isWorthIt(same, risk)).toBe(false)
        expect(isWorthIt({ ...bargain, probability }, 0)).toBe(false)
      }),
    )
  })

  it('stays worth it when the risk may be higher or the need is less probable', () => {
    fc.assert(
      fc.property(anyBargain, share, share, (bargain, risk, less) => {
        fc.pre(isWorthIt(bargain, risk))
        const { anchor, name } = bargain.probability
        const probability = { anchor: anchor * less, name: name * less }
        expect(isWorthIt(bargain, risk + less)).toBe(true)
        expect(isWorthIt({ ...bargain, probability }, risk)).toBe(true)
      }),
    )
  })

  it('weighs the price of one more request against what every request to come saves', () => {
    const large = {
      isFileText: true,
      probability: { anchor: 0.03, name: 0 },
      originalChars: 20_000,
      shownChars: 20_000,
      shortChars: 1000,
      contextChars: 300_000,
      turn: 60,
      isWritten: false,
    }
    expect(isWorthIt(large, 0.3)).toBe(true)
    expect(isWorthIt({ ...large, turn: 5 }, 0.3)).toBe(false)
    // At a request that writes it again, leaving it out saves that too.
    expect(isWorthIt({ ...large, turn: 5, isWritten: true }, 0.3)).toBe(true)
    expect(isWorthIt({ ...large, contextChars: 3_000_000 }, 0.3)).toBe(false)
    expect(isWorthIt({ ...large, originalChars: 3000, shownChars: 3000 }, 0.3)).toBe(false)
  })
})
