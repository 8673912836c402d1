import { expect, it } from 'vitest'
import { openaiChat } from './index.ts'

const { validate } = openaiChat

const user = { role: 'user', content: 'Fix the parser.' }
const call = (id: string): object => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{}' },
})
const tool = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'one' })

function brokenBy(messages: readonly unknown[], rest: object): readonly string[] {
  const body = JSON.stringify({ model: 'gpt-5.5', messages, ...rest })
  return validate(body).map(({ rule, where }) => `${rule} ${where}`)
}

it('wants answers between the call and whatever comes next', () => {
  const calling = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }
  expect(brokenBy([user, calling, tool('a'), user, tool('b')], {})).toEqual([
    'openai-chat/tool-call-without-answer messages[1]',
    'openai-chat/tool-without-calls messages[4].role',
  ])
})

it('wants no reasoning back when thinking is off, and takes the names that routers give it', () => {
  const messages = [user, { role: 'assistant', content: 'Done.' }, user]
  const routed = [user, { role: 'assistant', content: 'Done.', reasoning: 'Hm.' }, user]
  const model = 'deepseek-v4-pro'
  expect(brokenBy(messages, { model })).toEqual([
    'openai-chat/reasoning-not-passed-back messages[1]',
  ])
  expect(brokenBy(messages, { model, thinking: { type: 'disabled' } })).toEqual([])
  expect(brokenBy(routed, { model })).toEqual([])
  expect(brokenBy(messages, { model: 'deepseek-chat' })).toEqual([])
})

it('takes custom tool calls, which have no arguments', () => {
  const custom = { id: 'a', type: 'custom', custom: { name: 'patch', input: 'text' } }
  const calling = { role: 'assistant', tool_calls: [custom] }
  expect(brokenBy([user, calling, tool('a')], {})).toEqual([])
})
