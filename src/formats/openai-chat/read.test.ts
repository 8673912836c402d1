import { describe, expect, it } from 'vitest'
import type { MessageDraft } from '../../core/words/item.ts'
import { read } from './read.ts'

const messagesOf = (...messages: unknown[]): readonly MessageDraft[] =>
  read(JSON.stringify({ messages })).messages

describe('reading a Chat Completions request', () => {
  it('reads an answer in the order in which it was given: reasoning, text, calls', () => {
    const [message] = messagesOf({
      role: 'assistant',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"p": 1}' } },
        { id: 'b', type: 'custom', custom: { name: 'patch', input: '***' } },
        { id: 'c', type: 'function', function: { name: 'ls', arguments: { p: 1 } } },
        { id: 'd', type: 'telepathy' },
      ],
      content: 'text',
      reasoning: 'why',
    })
    expect(message).toEqual({
      role: 'assistant',
      items: [
        { kind: 'reasoning', binding: 'plain', text: 'why' },
        { kind: 'text', text: 'text' },
        { kind: 'call', tool: 'read', call: 'a', text: '{"p": 1}' },
        { kind: 'call', tool: 'patch', call: 'b', text: '***' },
        { kind: 'call', tool: 'ls', call: 'c', text: '{"p":1}' },
        {
          kind: 'marker',
          marker: 'tool_call',
          text: '{"id":"d","type":"telepathy"}',
          opaque: true,
        },
      ],
    })
  })

  it('reads results, each as the message that it is, with the tool of their call', () => {
    const messages = messagesOf(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: null },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
          { type: 'text', text: 'y' },
        ],
      },
    )
    expect(messages.slice(1)).toEqual([
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'read', call: 'a', status: 'ok', text: 'one' }],
      },
      { role: 'tool', items: [{ kind: 'result', tool: '', call: 'b', status: 'ok', text: '' }] },
      {
        role: 'tool',
        items: [
          { kind: 'result', tool: 'read', call: 'a', status: 'ok', text: 'x\ny' },
          { kind: 'attachment', media: 'image', text: 'https://a.example/b.png', call: 'a' },
        ],
      },
    ])
  })

  it('pairs the functions of old in their order', () => {
    const call = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
    const result = { role: 'function', name: 'f', content: 'r' }
    const ids = messagesOf(call, result, call, result).flatMap(({ items }) =>
      items.map((item) => ('call' in item ? `${item.kind} ${item.call}` : item.kind)),
    )
    expect(ids).toEqual(['call f#1', 'result f#1', 'call f#2', 'result f#2'])
  })

  it('knows reasoning that another provider signed as none of ours', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }]
    expect(messagesOf({ role: 'assistant', content: '', reasoning_details: details })).toEqual([
      {
        role: 'assistant',
        items: [
          { kind: 'reasoning', binding: 'opaque', text: JSON.stringify(details), opaque: true },
        ],
      },
    ])
  })

  it('has its system prompt among the messages, and the tools before them', () => {
    const { prefix, messages } = read(
      '{"functions":[ 1 ],"messages":[{"role":"system","content":"s"},{"role":"developer","content":"d"}]}',
    )
    expect(prefix).toEqual({ system: '', tools: '[ 1 ]' })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'developer'])
  })

  it('is not confused by a content that is neither text nor parts', () => {
    const { problem, messages } = read(
      '{"messages":[{"role":"user","content":"a"},{"role":"user","content":{}}]}',
    )
    expect(problem?.where).toBe('messages.1.content')
    expect(messages).toHaveLength(1)
  })
})
