import { describe, expect, it } from 'vitest'
import { checkedAges, createAgeChecks } from './age-checks.ts'

describe('asked ages', () => {
  it('ask about each value once at each age, the oldest first, also where turns were passed over', () => {
    const asked = createAgeChecks<string>()
    const at = (turn: number): readonly string[] => [...asked.due(turn)]
    asked.add(2, 'a')
    asked.add(2, 'b')
    expect(at(2)).toEqual([])
    expect(at(3)).toEqual(['a', 'b'])
    expect(at(3)).toEqual([])
    asked.add(4, 'c')
    expect(at(4)).toEqual([])
    expect(at(5)).toEqual(['a', 'b', 'c'])
    expect(at(8)).toEqual(['a', 'b', 'c'])
    expect(at(1000)).toHaveLength(3 * checkedAges.length - 8)
    expect(at(2000)).toEqual([])
  })
})
