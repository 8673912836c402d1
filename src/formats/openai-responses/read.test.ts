import { describe, expect, it } from 'vitest'
import type { MessageDraft } from '../../core/words/item.ts'
import { read } from './read.ts'

const messagesOf = (...input: unknown[]): readonly MessageDraft[] =>
  read(JSON.stringify({ input })).messages

const user = { role: 'user', content: 'go' }
const call = (id: string): unknown => ({
  type: 'function_call',
  call_id: id,
  name: 'ls',
  arguments: '{}',
})
const output = (id: string): unknown => ({
  type: 'function_call_output',
  call_id: id,
  output: `of ${id}`,
})

describe('reading a Responses request', () => {
  it('has tools that are part of the conversation as a message of the developer', () => {
    const tools = [
      { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] },
    ]
    const offered = { type: 'additional_tools', id: 'at_1', role: 'developer', tools }
    expect(messagesOf(offered, user)).toEqual([
      {
        role: 'developer',
        items: [
          {
            kind: 'marker',
            marker: 'additional_tools',
            text: JSON.stringify(offered),
            opaque: true,
          },
        ],
      },
      { role: 'user', items: [{ kind: 'text', text: 'go' }] },
    ])
  })

  it('makes one message of one answer, and one of its outputs', () => {
    const answer = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'so' }],
    }
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'enc' }
    const result = (id: string): unknown => ({
      kind: 'result',
      tool: 'ls',
      call: id,
      status: 'ok',
      text: `of ${id}`,
    })
    expect(
      messagesOf(
        user,
        user,
        reasoning,
        answer,
        call('a'),
        call('b'),
        output('a'),
        output('b'),
        call('c'),
        output('c'),
      ),
    ).toEqual([
      { role: 'user', items: [{ kind: 'text', text: 'go' }] },
      { role: 'user', items: [{ kind: 'text', text: 'go' }] },
      {
        role: 'assistant',
        items: [
          { kind: 'reasoning', binding: 'opaque', text: 'enc' },
          { kind: 'text', text: 'so' },
          { kind: 'call', tool: 'ls', call: 'a', text: '{}' },
          { kind: 'call', tool: 'ls', call: 'b', text: '{}' },
        ],
      },
      { role: 'tool', items: [result('a'), result('b')] },
      { role: 'assistant', items: [{ kind: 'call', tool: 'ls', call: 'c', text: '{}' }] },
      { role: 'tool', items: [result('c')] },
    ])
  })

  it('reads a message again that an item was added to, and takes over those before it', () => {
    const first = read(JSON.stringify({ input: [user, call('a'), call('b')] }))
    const second = read(JSON.stringify({ input: [user, call('a'), call('b'), call('c')] }), first)
    expect(second.shared).toBe(1)
    expect(first.messages[1]!.items).toHaveLength(2)
    expect(second.messages[1]!.items).toHaveLength(3)
    const third = read(
      JSON.stringify({ input: [user, call('a'), call('b'), call('c'), output('c')] }),
      second,
    )
    expect(third.shared).toBe(2)
    expect(third.messages[1]).toBe(second.messages[1])
  })

  it('tells reasoning that is bound from reasoning that is not', () => {
    const summary = [
      { type: 'summary_text', text: 'a' },
      { type: 'summary_text', text: 'b' },
    ]
    const [message] = messagesOf(
      { type: 'reasoning', summary, encrypted_content: 'x' },
      { type: 'reasoning', id: 'rs_1', summary },
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'c' }] },
      { type: 'reasoning', id: 'rs_2', summary: [] },
    )
    expect(message!.items).toEqual([
      { kind: 'reasoning', binding: 'signed', text: 'a\n\nb' },
      { kind: 'reasoning', binding: 'signed', text: 'a\n\nb' },
      { kind: 'reasoning', binding: 'plain', text: 'c' },
      { kind: 'reasoning', binding: 'opaque', text: '' },
    ])
  })

  it('gives a tool in a namespace the name that other agents give it', () => {
    const named = (namespace: string): string => {
      const item = { type: 'function_call', call_id: 'a', name: 'find', namespace, arguments: '{}' }
      const [draft] = messagesOf(item)[0]!.items
      return draft?.kind === 'call' ? draft.tool : ''
    }
    expect([named('mcp__docs'), named('mcp__docs__'), named('')]).toEqual([
      'mcp__docs__find',
      'mcp__docs__find',
      'find',
    ])
  })

  it('reads outputs as text, as parts, and as what it cannot rewrite', () => {
    const [message] = messagesOf(
      { type: 'function_call_output', call_id: 'a', status: 'in_progress', output: '' },
      {
        type: 'custom_tool_call_output',
        call_id: 'b',
        output: [
          { type: 'input_text', text: 'x' },
          { type: 'input_file', file_url: 'https://a.example/f.pdf' },
          { type: 'input_text', text: 'y' },
        ],
      },
      { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'z' }] },
    )
    expect(message).toEqual({
      role: 'tool',
      items: [
        { kind: 'result', tool: '', call: 'a', status: 'running', text: '' },
        { kind: 'result', tool: '', call: 'b', status: 'ok', text: 'x\ny' },
        { kind: 'attachment', media: 'file', text: 'https://a.example/f.pdf', call: 'b' },
        {
          kind: 'result',
          tool: '',
          call: 'c',
          status: 'ok',
          text: '[{"stdout":"z"}]',
          opaque: true,
        },
      ],
    })
  })

  it('pairs calls that it does not know but the client answers', () => {
    const search = { type: 'tool_search_call', call_id: 's', arguments: { query: 'x' } }
    const found = { type: 'tool_search_output', call_id: 's', tools: [] }
    const server = { type: 'tool_search_call', call_id: null, id: 'ts' }
    expect(messagesOf(search, server, found)).toEqual([
      {
        role: 'assistant',
        items: [
          {
            kind: 'call',
            tool: 'tool_search',
            call: 's',
            text: JSON.stringify(search),
            opaque: true,
          },
          {
            kind: 'marker',
            marker: 'tool_search_call',
            text: JSON.stringify(server),
            opaque: true,
          },
        ],
      },
      {
        role: 'tool',
        items: [
          {
            kind: 'result',
            tool: 'tool_search',
            call: 's',
            status: 'ok',
            text: JSON.stringify(found),
            opaque: true,
          },
        ],
      },
    ])
  })

  it('takes an id alone for a reference, and goes on', () => {
    expect(messagesOf({ id: 'msg_1' }, user)).toEqual([
      {
        role: 'assistant',
        items: [{ kind: 'marker', marker: 'item_reference', text: '{"id":"msg_1"}', opaque: true }],
      },
      { role: 'user', items: [{ kind: 'text', text: 'go' }] },
    ])
  })

  it('takes a plain string, and no input at all', () => {
    const { messages, problem } = read('{"input":"go","instructions":"be brief"}')
    expect({ messages, problem }).toEqual({
      messages: [{ role: 'user', items: [{ kind: 'text', text: 'go' }] }],
      problem: null,
    })
    expect(read('{"previous_response_id":"r"}').problem).toBeNull()
    expect(read('{"input":5}').problem?.where).toBe('input')
  })
})
