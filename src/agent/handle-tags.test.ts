import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { toldAgent } from '../../test/agent/told-agent.ts'
import { lines, messagesOf, only } from '../../test/engine/told-session.ts'
import { handleTag, taggedResults } from './handle-tags.ts'

describe('the handle behind an output', () => {
  it('costs at most twelve tokens, whatever its digits', () => {
    const digits = fc.stringMatching(/^[0-9a-f]{6}$/)
    fc.assert(
      fc.property(digits, (handle) => {
        const text = 'The last line.'
        expect(countTokens(`${text}${handleTag(handle)}`) - countTokens(text)).toBeLessThanOrEqual(
          12,
        )
      }),
    )
  })

  it('stands behind large outputs that can be pruned, and behind nothing else', () => {
    const call = (id: string, tool: string, output: string) => ({ id, tool, input: { id }, output })
    const session = toldAgent(
      messagesOf([
        [call('large', 'bash', lines(1, 30))],
        [call('small', 'bash', lines(1, 3))],
        [call('kept', 'todowrite', lines(1, 30))],
        [{ ...call('plan', 'update_plan', lines(1, 30)), input: { plan: [{ step: 'x' }] } }],
      ]),
      only({ agentProtectedTools: ['todowrite'] }),
    )
    const tagged = taggedResults(session.history, [], session)
    expect(tagged).toEqual([
      { message: 2, item: 0, text: `${lines(1, 30)}\n[handle ${session.handleOf('large')}]` },
    ])
  })
})
