import { describe, expect, it } from 'vitest'
import { modelFacts } from './models/model-facts.ts'
import { dollarsOf, findRegime, regimeFor, regimeNames, regimeOf, regimes } from './regimes.ts'

const minute = 60_000

describe('the named regimes', () => {
  it('are these, and are found by their names', () => {
    const figures = regimes.map(({ name, write, read }) => [name, write, read])
    expect(figures).toEqual([
      ['anthropic-5m', 1.25, 0.1],
      ['anthropic-1h', 2, 0.1],
      ['opus-5.5', 1.25, 0.05],
      ['openai', 1, 0.1],
      ['deepseek-v4', 1, 0.0083],
      ['no-cache', 1, 1],
    ])
    expect(regimeNames.map((name) => findRegime(name)?.name)).toEqual([...regimeNames])
    expect(findRegime('gold')).toBeUndefined()
  })
})

describe('the regime of a model', () => {
  it('has its prices, with the lifetime that the client asked for', () => {
    expect(regimeFor('claude-opus-5-5')).toEqual({
      name: 'claude-opus-5.5',
      inputPrice: 4,
      write: 1.25,
      read: 0.05,
      lifetimeMs: 5 * minute,
      lookbackItems: 20,
      steps: [],
    })
    expect(regimeOf(modelFacts('claude-opus-5-5'), 'long')).toMatchObject({
      write: 2,
      lifetimeMs: 60 * minute,
    })
    // There is no longer lifetime to ask for.
    expect(regimeOf(modelFacts('gpt-5.5'), 'long')).toEqual(regimeFor('gpt-5.5'))
  })

  it('reads nothing for less where nothing is cached', () => {
    const overrides = [{ model: 'claude-*', cacheMinutes: 0 }]
    expect(regimeFor('claude-opus-5-5', overrides)).toMatchObject({
      write: 1,
      read: 1,
      lifetimeMs: null,
    })
  })
})

describe('the dollars of a request', () => {
  it('are of what was read, written and neither', () => {
    const regime = regimeFor('claude-opus-5-5')
    const million = 1_000_000
    expect(dollarsOf(regime, { read: million, written: 0 })).toBeCloseTo(0.2)
    expect(dollarsOf(regime, { read: 0, written: million })).toBeCloseTo(5)
    expect(dollarsOf(regime, { read: 0, written: 0, uncached: million })).toBeCloseTo(4)
  })

  it('are five times as many for every token once a prompt is longer than a step', () => {
    const regime = regimeFor('claude-haiku-5-5')
    const short = dollarsOf(regime, { read: 90_000, written: 10_000 })
    const long = dollarsOf(regime, { read: 90_000, written: 10_001 })
    expect(long / short).toBeCloseTo(5, 3)
  })
})
