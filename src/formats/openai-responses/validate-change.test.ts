import { expect, it } from 'vitest'
import { openaiResponses } from './index.ts'

const { validateChange } = openaiResponses

const user = { role: 'user', content: 'Fix the parser.' }
const sealed = (content: string, rest: object = {}): object => ({
  type: 'reasoning',
  summary: [],
  encrypted_content: content,
  ...rest,
})
const call = (rest: object = {}): object => ({
  type: 'function_call',
  call_id: 'c',
  name: 'ls',
  arguments: '{}',
  ...rest,
})
const output = (text: string): object => ({
  type: 'function_call_output',
  call_id: 'c',
  output: text,
})

function brokenBy(before: readonly unknown[], after: readonly unknown[]): readonly string[] {
  const body = (input: readonly unknown[]): string => JSON.stringify({ model: 'gpt-5.5', input })
  return validateChange(body(before), body(after)).map(({ rule, where }) => `${rule} ${where}`)
}

it('lets one of several sealed reasoning items go, and knows which one it was', () => {
  const before = [user, sealed('x'), sealed('y'), call(), output('a')]
  expect(brokenBy(before, [user, sealed('y'), call(), output('—')])).toEqual([])
  expect(brokenBy(before, [user, sealed('x'), sealed('z'), call(), output('a')])).toEqual([
    'openai-responses/encrypted-content-altered input[2]',
  ])
})

it('lets reasoning with an id go only together with the id of what it led to', () => {
  const before = [user, sealed('x', { id: 'rs_1' }), call({ id: 'fc_1' }), output('a')]
  expect(brokenBy(before, [user, call({ id: 'fc_1' }), output('a')])).toEqual([
    'openai-responses/required-reasoning-missing input[1]',
  ])
})

it('keeps a compaction item byte for byte', () => {
  const before = [{ type: 'compaction', encrypted_content: 'abc' }, user]
  expect(brokenBy(before, [{ type: 'compaction', encrypted_content: 'ab' }, user])).toEqual([
    'openai-responses/encrypted-content-altered input[0]',
  ])
  expect(brokenBy(before, [user])).toEqual(['openai-responses/opaque-item-changed input[0]'])
})

it('lets the output of a built-in tool change that the client answers', () => {
  const shell = { type: 'local_shell_call', call_id: 's', action: { command: ['ls'] } }
  const answer = (text: string): object => ({
    type: 'local_shell_call_output',
    call_id: 's',
    output: text,
  })
  expect(brokenBy([user, shell, answer('a long list')], [user, shell, answer('—')])).toEqual([])
})
