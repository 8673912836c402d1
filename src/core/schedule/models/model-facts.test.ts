import { describe, expect, it } from 'vitest'
import { type ModelOverride, modelFacts } from './model-facts.ts'
import { modelFamilies } from './model-family.ts'

const rows = modelFamilies.flatMap(({ prices }) => prices)
const minute = 60_000

describe('modelFacts', () => {
  it.each([
    ['claude-haiku-5-5-20260901', 'claude-haiku-5.5'],
    ['anthropic/claude-sonnet-5.5', 'claude-sonnet-5.5'],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4'],
    ['claude-opus-4-5@20251101', 'claude-opus-4.5'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['claude-sonnet-4-6', 'claude-sonnet-4.6'],
    ['claude-3-5-haiku-latest', 'claude-haiku-3.5'],
    ['claude-3-7-sonnet-latest', 'claude-sonnet-3'],
    ['gpt-5-codex', 'gpt-5'],
    ['gpt-5.1-codex-mini', 'gpt-5-mini'],
    ['gpt-5.3-codex', 'gpt-5.2'],
    ['openai/gpt-5.6-terra', 'gpt-5.6-terra'],
    ['gpt-6-luna', 'gpt-6-luna'],
    ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['o3-mini', 'o3-mini'],
    ['o3', 'o3'],
    ['deepseek-flash', 'deepseek-v4-flash'],
    ['deepseek/deepseek-v4-pro', 'deepseek-v4-pro'],
    ['deepseek-v3.2', 'deepseek'],
    ['kimi-k2.6', 'kimi-k2.6'],
    ['models/gemini-3.1-pro-preview', 'gemini-3-pro'],
    ['gemini-2.5-flash-lite', 'gemini-2.5-flash-lite'],
    ['devstral-small', 'mistral'],
    ['some-model-of-tomorrow', 'unknown'],
  ])('finds %s as %s', (model, name) => {
    expect(modelFacts(model).name).toBe(name)
  })

  it('finds every row by the name that it has, so that none is hidden behind another', () => {
    const generic = new Set(['claude', 'openai'])
    const named = rows.filter(({ name }) => !generic.has(name))
    expect(named.filter(({ name }) => modelFacts(name).name !== name)).toEqual([])
    expect(named.length).toBeGreaterThan(40)
  })

  it('has sane figures and a source in every row', () => {
    const strange = rows.filter(
      ({ inputPrice, read, write, steps, contextLimit, source }) =>
        !(inputPrice > 0 && inputPrice < 100 && read > 0 && read <= 1 && write >= 1) ||
        steps.some((step) => step.inputPrice <= inputPrice) ||
        (contextLimit !== null && contextLimit < 100_000) ||
        source.length < 20,
    )
    expect(strange).toEqual([])
  })

  it('judges a change of what is cached the most strictly for a model that nobody knows', () => {
    const strictness = ({ write, read }: { write: number; read: number }): number =>
      (write - read) / read
    const unknown = modelFacts('some-model-of-tomorrow')
    expect(rows.filter((row) => strictness(row) > strictness(unknown))).toEqual([])
    expect(unknown).toMatchObject({
      write: 2,
      read: Math.min(...rows.map(({ read }) => read)),
      cache: { lifetimeMs: 24 * 60 * minute },
      contextLimit: null,
      reasoning: 'prefix-checked',
    })
    expect(modelFacts(null)).toEqual(unknown)
    // Known by its rules, not by its prices.
    const { name, write, read } = modelFacts('codestral-latest')
    expect([name, write, read]).toEqual(['mistral', unknown.write, unknown.read])
  })

  it('says how reasoning is bound, with the traits that the validator reads', () => {
    const bindings = [
      'claude-opus-5-5',
      'claude-opus-4-5',
      'claude-next',
      'gemini-3-pro',
      'gpt-5.5',
      'kimi-k3',
    ].map((model) => modelFacts(model).reasoning)
    expect(bindings).toEqual([
      'prefix-checked',
      'signed',
      'prefix-checked',
      'signed',
      'signed',
      'none',
    ])
    for (const family of modelFamilies) {
      if (!family.traits.includes('bindsReasoning')) continue
      expect(modelFacts(family.name.replace('claude-5.5', 'claude-haiku-5.5')).reasoning).toBe(
        'prefix-checked',
      )
    }
  })
})

describe('what a user knows better', () => {
  const overrides: readonly ModelOverride[] = [
    { model: 'Our-*-Coder', like: 'deepseek-v4-pro', inputPrice: 0.4, cacheMinutes: 30 },
    { model: 'claude-haiku-5*', inputPrice: 0.2, longWrite: null, reasoning: 'none' },
    { model: '*', cacheMinutes: 0, contextLimit: 65_536 },
  ]

  it('is put over the model that it names or is like, the first that fits', () => {
    const like = modelFacts('deepseek-v4-pro')
    expect(modelFacts('our-7b-coder', overrides)).toEqual({
      ...like,
      name: 'Our-*-Coder',
      inputPrice: 0.4,
      cache: { ...like.cache, lifetimeMs: 30 * minute },
      source: `configuration; ${like.source}`,
    })
    expect(modelFacts('our-coder', overrides)).toMatchObject({ name: '*', cache: { kind: 'none' } })
    expect(modelFacts('anything', overrides)).toMatchObject({ contextLimit: 65_536 })
  })

  it('leaves no step of another price behind', () => {
    expect(modelFacts('claude-haiku-5-5').steps).toHaveLength(1)
    expect(modelFacts('claude-haiku-5-5', overrides)).toMatchObject({
      inputPrice: 0.2,
      steps: [],
      longWrite: null,
      reasoning: 'none',
    })
  })

  it('says nothing about a session whose model is not known', () => {
    expect(modelFacts(null, overrides)).toEqual(modelFacts(null))
  })
})
