import { describe, expect, it } from 'vitest'
import { clearThinking, clearThinkingWith } from './clear-thinking.ts'
import { resultTexts, type ScriptedTurn, showScript, step, textsOf } from './scripted-requests.ts'

const thinks = (reasoning: string): ScriptedTurn => ({
  reasoning,
  calls: [{ tool: 'read', result: `after ${reasoning}` }],
})
const script = [
  { user: 'first' },
  thinks('a'),
  thinks('b'),
  { user: 'second' },
  thinks('c'),
  step('read', 'without a thought'),
  { user: 'third' },
  step('read', 'without a thought either'),
  thinks('d'),
]
const thoughts = (policy: typeof clearThinking): readonly (readonly string[])[] =>
  showScript(policy, script).map((view) => textsOf(view, 'reasoning'))

describe('clear_thinking_20251015', () => {
  it('keeps the thinking of the last turn that has any, however many calls the turn makes', () => {
    expect(thoughts(clearThinking)).toEqual([[], ['a'], ['a', 'b'], ['c'], ['c'], ['c'], ['d']])
  })

  it('keeps as many turns as it is told', () => {
    expect(thoughts(clearThinkingWith(2)).at(-1)).toEqual(['c', 'd'])
    expect(thoughts(clearThinkingWith(3)).at(-1)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('leaves calls and results alone', () => {
    const view = showScript(clearThinking, script).at(-1)
    expect(textsOf(view, 'call')).toHaveLength(6)
    expect(resultTexts(view).slice(0, 3)).toEqual(['after a', 'after b', 'after c'])
  })
})
