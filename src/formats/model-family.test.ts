import { describe, expect, it } from 'vitest'
import { modelFamily } from './model-family.ts'

function traitsOf(model: string): readonly string[] {
  return Object.entries(modelFamily(model)).flatMap(([name, value]) =>
    value === true ? [name] : [],
  )
}

describe('modelFamily', () => {
  it.each([
    ['claude-fable-5-1', 'claude-fable-5.1'],
    ['claude-mythos-5.2', 'claude-fable-5.1'],
    ['claude-fable-5', 'claude-fable-5'],
    ['claude-opus-5-5', 'claude-opus-5.5'],
    ['anthropic/claude-opus-5.5', 'claude-opus-5.5'],
    ['claude-haiku-5-5-20260901', 'claude-5.5'],
    ['claude-opus-5-20260601', 'claude-5'],
    ['claude-opus-4-8', 'claude-opus-4.8'],
    ['claude-opus-4-5@20251101', 'claude-4'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-4'],
    ['claude-3-7-sonnet-latest', 'claude-3'],
    ['Claude-Next', 'claude'],
    ['deepseek/deepseek-v4-pro', 'deepseek-v4'],
    ['deepseek-v3.2', 'deepseek'],
    ['kimi-k2.5', 'kimi-thinking'],
    ['kimi-k2-0905-preview', 'kimi'],
    ['mistralai/devstral-small-2', 'mistral'],
    ['models/gemini-3.1-pro-preview', 'gemini-3'],
    ['gemini-2.5-flash', 'gemini'],
    ['gpt-5.5', 'openai'],
    ['openai/gpt-oss-120b', 'gpt-oss'],
    ['o3-mini', 'openai'],
    ['qwen3-coder', 'unknown'],
    ['', 'unknown'],
  ])('knows %s as %s', (model, family) => {
    expect(modelFamily(model).name).toBe(family)
  })

  it('binds reasoning to its prefix exactly where the provider checks it', () => {
    const bound = [
      'claude-fable-5-1',
      'claude-fable-5-2',
      'claude-mythos-5-1',
      'claude-opus-5-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
    ]
    const free = [
      'claude-fable-5',
      'claude-opus-5',
      'claude-sonnet-4-5',
      'claude-opus-4-8',
      'gpt-5.5',
    ]
    expect(bound.filter((model) => modelFamily(model).bindsReasoning)).toEqual(bound)
    expect(free.filter((model) => modelFamily(model).bindsReasoning)).toEqual([])
  })

  it('asks nothing special of a model that it does not know', () => {
    expect(traitsOf('some-model-of-tomorrow')).toEqual([])
  })

  it('never takes a date for a minor version', () => {
    expect(modelFamily('claude-opus-4-20250514').name).toBe('claude-4')
    expect(modelFamily('claude-sonnet-5-20261231').bindsReasoning).toBe(false)
  })
})
