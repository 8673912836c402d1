import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../../core/words/item.ts'
import { read } from './read.ts'

const request = (...messages: unknown[]): string => JSON.stringify({ model: 'm', messages })

const itemsOf = (...content: unknown[]): readonly ItemDraft[] =>
  read(request({ role: 'user', content })).messages[0]!.items

describe('reading an Anthropic request', () => {
  it('takes prefix and model as they are, before or after the messages', () => {
    const messages = '"messages":[{"role":"user","content":"hi"}]'
    const others = '"system":[ "s" ],"tools":[{"n":1.0}],"model":"m"'
    for (const body of [`{${messages},${others}}`, `{${others},${messages}}`]) {
      expect(read(body)).toEqual({
        format: 'anthropic',
        source: body,
        model: 'm',
        prefix: { system: '[ "s" ]', tools: '[{"n":1.0}]' },
        messages: [{ role: 'user', items: [{ kind: 'text', text: 'hi' }] }],
        shared: 0,
        problem: null,
      })
    }
  })

  it('reads calls and results as a pair, and looks the tool up', () => {
    const { messages } = read(
      request(
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'thinking', thinking: '', signature: 'sig' },
            { type: 'thinking', thinking: 'free' },
            { type: 'redacted_thinking', data: 'xyz' },
            { type: 'tool_use', id: 'a', name: 'Read', input: { n: 1 } },
            { type: 'tool_use', id: 'b', name: 'Bash' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'no' },
            { type: 'tool_result', tool_use_id: 'a' },
            { type: 'tool_result', tool_use_id: 'c', content: [] },
          ],
        },
      ),
    )
    expect(messages).toEqual([
      {
        role: 'assistant',
        items: [
          { kind: 'reasoning', binding: 'signed', text: 'hm' },
          { kind: 'reasoning', binding: 'signed', text: '' },
          { kind: 'reasoning', binding: 'plain', text: 'free' },
          { kind: 'reasoning', binding: 'opaque', text: 'xyz' },
          { kind: 'call', tool: 'Read', call: 'a', text: '{"n":1}' },
          { kind: 'call', tool: 'Bash', call: 'b', text: '{}' },
        ],
      },
      {
        role: 'user',
        items: [
          { kind: 'result', tool: 'Bash', call: 'b', status: 'error', text: 'no' },
          { kind: 'result', tool: 'Read', call: 'a', status: 'ok', text: '' },
          { kind: 'result', tool: '', call: 'c', status: 'ok', text: '' },
        ],
      },
    ])
  })

  it('keeps the digits of an input that no number can hold', () => {
    const body =
      '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{"id":12345678901234567890, "v":1.0}}]}]}'
    expect(read(body).messages[0]!.items).toEqual([
      { kind: 'call', tool: 'x', call: 'a', text: '{"id":12345678901234567890, "v":1.0}' },
    ])
  })

  it('reads what a result carries besides text as items of their own', () => {
    const items = itemsOf({
      type: 'tool_result',
      tool_use_id: 'a',
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', source: { type: 'file', file_id: 'f' } },
        { type: 'tool_reference', tool_name: 'x' },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'p' }] } },
        { type: 'text', text: 'two' },
        { type: 'image', source: { type: 'hologram' } },
      ],
    })
    expect(items).toEqual([
      { kind: 'result', tool: '', call: 'a', status: 'ok', text: 'one\ntwo' },
      { kind: 'attachment', media: 'image', text: 'f', call: 'a' },
      {
        kind: 'marker',
        marker: 'tool_reference',
        text: '{"type":"tool_reference","tool_name":"x"}',
        opaque: true,
      },
      { kind: 'attachment', media: 'document', text: 'p', call: 'a' },
      {
        kind: 'attachment',
        media: 'image',
        text: '{"type":"image","source":{"type":"hologram"}}',
        call: 'a',
        opaque: true,
      },
    ])
  })

  it('tells two pictures apart, and knows the same one again', () => {
    const picture = (data: string): unknown => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    const [one, two, again] = itemsOf(picture('AAAA'), picture('AAAB'), picture('AAAA'))
    expect(one).toEqual({
      kind: 'attachment',
      media: 'image/png',
      text: 'image/png, 3 bytes, sha256 63c1dd951ffedf6f',
    })
    expect(one).toEqual(again)
    expect(one).not.toEqual(two)
  })

  it('leaves blocks of the provider, of the future and of nobody alone', () => {
    const blocks = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'mcp_tool_use', id: 'm', name: 'x', server_name: 'y', input: {} },
      { type: 'compaction', content: 'so far' },
      { type: 'text', text: 5 },
      { type: 'tool_use', name: 'no id' },
      { no: 'type' },
      7,
    ]
    expect(itemsOf(...blocks)).toEqual(
      blocks.map((block) => ({
        kind: 'marker',
        marker: (block as { type?: string }).type ?? 'unknown',
        text: JSON.stringify(block),
        opaque: true,
      })),
    )
  })

  it('reads the same whether a text is a string or a block, marked or not', () => {
    const text = { type: 'text', text: 'hi' }
    const spellings = ['hi', [text], [{ ...text, cache_control: { type: 'ephemeral' } }]]
    const reads = spellings.map((content) => read(request({ role: 'user', content })).messages)
    expect(reads[1]).toEqual(reads[0])
    expect(reads[2]).toEqual(reads[0])
    const opaque = itemsOf({ cache_control: { type: 'ephemeral' }, type: 'odd', n: 1 })
    expect(opaque).toEqual(itemsOf({ type: 'odd', n: 1 }))
  })

  it('makes calls unique that share an id', () => {
    const call = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'x', name: 'a', input: {} }],
    }
    const result = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'x', content: 'r' }],
    }
    const calls = read(request(call, result, call, result)).messages.flatMap(({ items }) =>
      items.map((item) => ('call' in item ? item.call : '')),
    )
    expect(calls).toEqual(['x', 'x', 'x#2', 'x#2'])
  })

  it('takes the last of two equal keys, as JSON.parse does', () => {
    const body =
      '{"messages":[{"role":"user","content":"old"}],"model":"a","mess\\u0061ges":[{"role":"user","content":"x","content":"new"}],"model":"b"}'
    const { model, messages } = read(body, read(body))
    expect({ model, messages }).toEqual({
      model: 'b',
      messages: [{ role: 'user', items: [{ kind: 'text', text: 'new' }] }],
    })
  })

  it.each([
    ['{"messages":[{"role":"user","content":"a"},5]}', 'messages.1'],
    ['{"messages":[{"role":"wizard","content":"a"}]}', 'messages.0.role'],
    ['{"messages":[{"role":"user","content":5}]}', 'messages.0.content'],
    ['{"messages":"hello"}', 'messages'],
    ['{"model":"m"}', 'messages'],
    ['[]', 'offset 0'],
    ['', 'offset 0'],
    ['\ufeff{}', 'offset 0'],
    ['{"messages":[]} x', 'offset 16'],
    ['{"messages":[],"a":1:2}', 'offset 20'],
  ])('says of %j that it stopped at %s', (body, where) => {
    expect(read(body).problem?.where).toBe(where)
  })
})
