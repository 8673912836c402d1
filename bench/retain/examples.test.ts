import { describe, expect, it } from 'vitest'
import { checkedAges, leastCheckedChars } from '../../src/core/propose/retain/age-checks.ts'
import { plantSession } from '../score/planted/planted-session.ts'
import { benchSession } from '../score/sources.ts'
import { examplesOf } from './examples.ts'
import { train } from './train.ts'

const { recording } = plantSession({ seed: 3, steps: 300 })
const session = benchSession({
  name: 'agent/shop-11111111-2222.jsonl',
  file: 'shop.jsonl',
  ordinal: 0,
  recording,
})
const examples = [...examplesOf(session)]

describe('the examples of a session', () => {
  it('are large results at the ages at which they are asked about', () => {
    expect(examples.length).toBeGreaterThan(20)
    const ages = new Set(examples.map(({ features }) => features.age))
    expect([...ages].filter((age) => !checkedAges.includes(age))).toEqual([])
    expect(examples.every(({ size }) => size >= leastCheckedChars)).toBe(true)
    expect(new Set(examples.map(({ group }) => group))).toEqual(new Set(['shop']))
  })

  it('count the needs from their request on: fewer and fewer', () => {
    const byItem = new Map<number, number[]>()
    for (const { item, anchors } of examples)
      byItem.set(item, [...(byItem.get(item) ?? []), anchors])
    for (const anchors of byItem.values())
      expect(anchors).toEqual(anchors.toSorted((a, b) => b - a))
    expect(examples.some(({ anchors }) => anchors > 0)).toBe(true)
    expect(examples.some(({ anchors }) => anchors === 0)).toBe(true)
  })

  it('teach the same coefficients each time', () => {
    expect(train(examples)).toEqual(train([...examplesOf(session)]))
  })
})
