import { describe, expect, it } from 'vitest'
import { openCodePrune } from './opencode-prune.ts'
import { resultTexts, type ScriptedTurn, showScript, step, tokens } from './scripted-requests.ts'

const cleared = '[Old tool result content cleared]'
const big = (letter: string): string => tokens(15_000, letter)
const turn = (letter: string): ScriptedTurn => step('read', big(letter))

describe("OpenCode's prune", () => {
  it('keeps the newest 40,000 tokens of tool output and two user turns, and clears what is older', () => {
    const first = [{ user: 'one' }, ...['a', 'b', 'c', 'd', 'e'].map(turn), { user: 'two' }]
    const then = [turn('f'), { user: 'three' }, turn('g')]
    const views = showScript(openCodePrune, [...first, ...then, { user: 'four' }])
    const kept = ['d', 'e', 'f', 'g'].map(big)
    expect(resultTexts(showScript(openCodePrune, [...first, ...then]).at(-1))).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(big),
    )
    expect(resultTexts(views.at(-1))).toEqual([cleared, cleared, cleared, ...kept])
  })

  it.each([
    ['bash', 20_000, 0],
    ['bash', 20_001, 1],
    ['skill', 30_000, 0],
  ])('of %s with %d tokens behind the protected ones clears %d', (tool, size, count) => {
    const views = showScript(openCodePrune, [
      { user: 'one' },
      step(tool, tokens(size)),
      step('read', tokens(40_000, 'y')),
      { user: 'two' },
      step('think', 'ok'),
      { user: 'three' },
      step('think', 'ok'),
      { user: 'four' },
    ])
    expect(resultTexts(views.at(-1)).filter((text) => text === cleared)).toHaveLength(count)
  })
})
