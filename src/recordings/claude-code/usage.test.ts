import { describe, expect, it } from 'vitest'
import { usageOf } from './usage.ts'

const figures = {
  input_tokens: 3,
  cache_read_input_tokens: 20,
  cache_creation_input_tokens: 100,
  output_tokens: 7,
}

describe('the figures of an answer', () => {
  it('count all input, whatever came from the cache', () => {
    expect(usageOf(figures)).toEqual({ input: 123, output: 7, cacheRead: 20, cacheWrite: 100 })
    expect(usageOf('none')).toBeUndefined()
  })

  it('say what was written for an hour, where they tell it apart', () => {
    const lifetimes = { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 }
    expect(usageOf({ ...figures, cache_creation: lifetimes })?.cacheWriteLong).toBe(40)
    expect(usageOf({ ...figures, cache_creation: {} })?.cacheWriteLong).toBe(0)
    expect(usageOf({ ...figures, cache_creation: null })).toEqual(usageOf(figures))
  })
})
