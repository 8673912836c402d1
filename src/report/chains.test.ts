import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLedger } from '../core/session/ledger.ts'
import type { Decision } from '../core/words/decision.ts'
import { replacedBy, replacementOf } from './chains.ts'

function replaced(item: number, by: number | null): Decision {
  const rendition = { how: 'superseded', text: '[gone]' } as const
  return { item, handle: `${item}`, rendition, reason: 'file', strategy: 'files', by, turn: 1 }
}

function ledgerOf(...decisions: readonly Decision[]) {
  return createLedger(decisions.map((decision) => ({ kind: 'decision', ...decision })))
}

describe('a chain of replacements', () => {
  const ledger = ledgerOf(replaced(1, 4), replaced(2, 4), replaced(4, 7), replaced(5, null))

  it('leads from an item to what stands in its place now', () => {
    expect([1, 4, 5, 7].map((item) => replacementOf(ledger, item))).toEqual([[4, 7], [7], [], []])
  })

  it('leads from an item to all that it replaced', () => {
    expect([7, 4, 1].map((item) => replacedBy(ledger, item))).toEqual([[4, 1, 2], [1, 2], []])
  })

  it('forgets a link that was taken back', () => {
    const undone = ledgerOf(replaced(1, 4), replaced(4, 7))
    undone.revert(4, 2)
    expect([replacementOf(undone, 1), replacedBy(undone, 7)]).toEqual([[4], []])
  })

  it('ends at a view of the file, which shows what the edits made of it', () => {
    const view: Decision = { ...replaced(1, 2), rendition: { how: 'view', text: 'now' } }
    const viewed = ledgerOf(replaced(2, 1), view)
    expect([1, 2].map((item) => replacementOf(viewed, item))).toEqual([[], [1]])
    expect([1, 2].map((item) => replacedBy(viewed, item))).toEqual([[2], []])
  })

  it('ends in a circle too, naming each item once', () => {
    const circle = ledgerOf(replaced(1, 2), replaced(2, 3), replaced(3, 1))
    expect([replacementOf(circle, 1), replacedBy(circle, 1)]).toEqual([
      [2, 3],
      [3, 2],
    ])
  })

  it('is the same walked from either end', () => {
    const links = fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(20))), { maxLength: 40 })
    fc.assert(
      fc.property(links, (pairs) => {
        const walked = ledgerOf(...pairs.map(([item, by]) => replaced(item, by)))
        for (let older = 0; older <= 20; older++) {
          for (const newer of replacementOf(walked, older)) {
            expect(replacedBy(walked, newer)).toContain(older)
          }
        }
      }),
    )
  })
})
