import { describe, expect, it } from 'vitest'
import { dcpAutomatic, dcpAutomaticWith } from './dcp-automatic.ts'
import {
  resultTexts,
  type ScriptedTurn,
  showScript,
  step,
  textsOf,
  tokens,
} from './scripted-requests.ts'

const removed = '[Output removed to save context - information superseded or no longer needed]'
const atOnce = dcpAutomaticWith({ everyTokens: 0, errorTurns: 4 })

describe('the automatic strategies of DCP', () => {
  it('keep only the most recent output of a call that is repeated with the same arguments', () => {
    const script = [
      { user: 'look' },
      step('read', 'old', { filePath: 'a.ts', limit: 10 }),
      step('read', 'other', { filePath: 'b.ts' }),
      step('read', 'new', { limit: 10, filePath: 'a.ts', offset: null }),
      step('grep', 'grep', { filePath: 'a.ts', limit: 10 }),
    ]
    expect(resultTexts(showScript(atOnce, script).at(-1))).toEqual([
      removed,
      'other',
      'new',
      'grep',
    ])
  })

  it('leave the outputs of edits and writes, although they count as duplicates', () => {
    const script = [{ user: 'go' }, step('edit', 'one'), step('edit', 'two')]
    expect(resultTexts(showScript(atOnce, script).at(-1))).toEqual(['one', 'two'])
  })

  it('remove what a failed call was given after four turns, and keep its error', () => {
    const failed: ScriptedTurn = {
      calls: [
        {
          tool: 'bash',
          input: { command: 'make', timeout: 5 },
          result: 'no rule',
          status: 'error',
        },
      ],
    }
    const script = [{ user: 'go' }, failed, ...['1', '2', '3', '4'].map((text) => step(text, text))]
    const views = showScript(atOnce, script)
    const input = (at: number): string | undefined => textsOf(views.at(at), 'call')[0]
    expect([input(-2), input(-1)]).toEqual([
      '{"command":"make","timeout":5}',
      '{"command":"[input removed due to failed tool call]","timeout":5}',
    ])
    expect(resultTexts(views.at(-1))[0]).toBe('no rule')
  })

  it('run once for each 50,000 tokens of growth, because they wait for the model to compress', () => {
    const twice = [step('read', tokens(10_000)), step('read', tokens(10_000))]
    const script = [{ user: 'go' }, ...twice, step('list', tokens(9_000, 'y'))]
    const last = (turns: readonly ScriptedTurn[]): readonly string[] =>
      resultTexts(showScript(dcpAutomatic, turns).at(-1))
    expect(last(script)).not.toContain(removed)
    expect(last([...script, step('list', tokens(4_000), { path: 'b' })])[0]).toBe(removed)
  })
})
