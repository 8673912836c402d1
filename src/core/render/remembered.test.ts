import { describe, expect, it } from 'vitest'
import { remembered } from './remembered.ts'

describe('a function that remembers its answers', () => {
  it('works out each once, and gives the same again', () => {
    const asked: string[] = []
    const answer = remembered((text) => {
      asked.push(text)
      return { text }
    })
    expect([answer('a'), answer('b'), answer('a')]).toEqual([
      { text: 'a' },
      { text: 'b' },
      { text: 'a' },
    ])
    expect(asked).toEqual(['a', 'b'])
  })

  it('keeps neither long texts nor ever more of them', () => {
    let worked = 0
    const answer = remembered(() => ++worked)
    const long = 'x'.repeat(10_000)
    expect([answer(long), answer(long)]).toEqual([1, 2])
    for (let index = 0; index < 5_000; index++) answer(`${index}`)
    expect(answer('0')).toBeGreaterThan(5_000)
  })

  it('keeps as many, and as long ones, as it is told to', () => {
    let worked = 0
    const answer = remembered(() => ++worked, { most: 2, longest: 3 })
    expect(['abc', 'abcd', 'abc', 'abcd'].map(answer)).toEqual([1, 2, 1, 3])
    expect(['x', 'y', 'abc'].map(answer)).toEqual([4, 5, 6])
  })
})
