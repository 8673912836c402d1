import { describe, expect, it } from 'vitest'
import { openaiResponses } from './index.ts'

const { validate } = openaiResponses

const rulesOf = (...input: unknown[]): readonly string[] =>
  validate(JSON.stringify({ model: 'gpt-5.5', input })).map(({ rule, where }) => `${rule} ${where}`)

describe('checking a Responses request', () => {
  it.each(['local_shell', 'shell', 'computer', 'apply_patch'])(
    'asks for the output of a %s call, however it names its call',
    (tool) => {
      const call = { type: `${tool}_call`, id: 'lsh_1', call_id: 'call_1', action: {} }
      const output = { type: `${tool}_call_output`, output: 'ok' }
      expect(rulesOf(call)).toEqual(['openai-responses/call-without-output input[0]'])
      expect(rulesOf(call, { ...output, call_id: 'call_1' })).toEqual([])
      expect(rulesOf(call, { ...output, id: 'call_1' })).toEqual([])
    },
  )

  it('takes an id alone for a reference, so that an output may answer a call that is stored', () => {
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'ok' }
    expect(rulesOf({ id: 'fc_1' }, output)).toEqual([])
    expect(rulesOf(output)).toEqual(['openai-responses/output-without-call input[0]'])
  })
})
