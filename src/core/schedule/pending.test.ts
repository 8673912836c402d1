import { describe, expect, it } from 'vitest'
import { createItemSizes } from '../record/item-sizes.ts'
import type { RenditionProposal } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { Pending } from './pending.ts'

const proposal = (index: number, text: string): RenditionProposal => ({
  kind: 'show',
  item: { index } as Item,
  by: null,
  reason: 'output',
  strategy: 'test',
  rendition: { how: 'truncated', text },
})

describe('proposals that wait', () => {
  const sizes = createItemSizes()
  for (let item = 0; item < 5; item++) sizes.push(item * 10, 100)

  it('are taken from a place on, in the order of the history, each once', () => {
    const pending = new Pending(sizes)
    for (const each of [proposal(40, 'a'), proposal(10, 'bb'), proposal(30, 'c')])
      pending.untilEpoch(each, 7)
    pending.untilEpoch(proposal(30, 'c'), 8)
    pending.untilEpoch(proposal(30, 'shorter'), 8)
    expect([...pending.newestFirst()]).toEqual([
      { place: 4, gain: 99, need: 0 },
      { place: 3, gain: 99, need: 0 },
      { place: 1, gain: 98, need: 0 },
    ])
    expect(pending.takeFrom(2).map(({ rendition }) => rendition.text)).toEqual([
      'c',
      'shorter',
      'a',
    ])
    expect(pending.takeFrom(2)).toEqual([])
    expect(pending.added.map(({ turn }) => turn)).toEqual([7, 7, 7, 8])
  })

  it('are forgotten when somebody wants the item back', () => {
    const pending = new Pending(sizes)
    pending.untilEpoch(proposal(20, 'a'), 1)
    pending.drop(20)
    expect(pending.takeFrom(0)).toEqual([])
  })
})
