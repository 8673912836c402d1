import { describe, expect, it } from 'vitest'
import { aiSdkPrune, aiSdkPruneWith } from './ai-sdk-prune.ts'
import { type ScriptedTurn, showScript, textsOf } from './scripted-requests.ts'

const thought = (reasoning: string, ...names: readonly string[]): ScriptedTurn => ({
  reasoning,
  calls: names.map((name) => ({ tool: name, result: name.toUpperCase() })),
})
const script = [
  { user: 'the weather in three cities' },
  thought('first', 'a', 'b'),
  thought('second', 'c'),
  thought('third', 'd'),
]

describe('pruneMessages of the AI SDK', () => {
  it('with the options of its reference drops thoughts, and calls with their results, but the last two messages', () => {
    const views = showScript(aiSdkPrune, script)
    const shown = views.map((view) => ({
      user: textsOf(view, 'text').length,
      thoughts: textsOf(view, 'reasoning'),
      calls: textsOf(view, 'call').length,
      results: textsOf(view, 'result'),
    }))
    expect(shown).toEqual([
      { user: 1, thoughts: [], calls: 0, results: [] },
      { user: 1, thoughts: [], calls: 2, results: ['A', 'B'] },
      { user: 1, thoughts: [], calls: 1, results: ['C'] },
      { user: 1, thoughts: [], calls: 1, results: ['D'] },
    ])
  })

  it('drops only the tools that it is told of', () => {
    const policy = aiSdkPruneWith({ toolCalls: [{ type: 'all', tools: ['c'] }] })
    const last = showScript(policy, script).at(-1)
    expect([textsOf(last, 'result'), textsOf(last, 'reasoning')]).toEqual([
      ['A', 'B', 'D'],
      ['first', 'third'],
    ])
  })
})
