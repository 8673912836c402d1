import { describe, expect, it } from 'vitest'
import { contentItems, plainBlock, resultBlock } from './blocks.ts'
import { ClaudeCodeSession } from './session.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const named = '[image/png · 4 characters · 63c1dd951ffe]'

describe('blocks of a Claude Code message', () => {
  it('names an image instead of holding its bytes', () => {
    expect(contentItems([{ type: 'text', text: 'look' }, image], () => [])).toEqual([
      { kind: 'text', text: 'look' },
      { kind: 'attachment', media: 'image/png', text: named },
    ])
  })

  it('gives what a result carried the call that brought it', () => {
    const parts = [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }]
    expect(resultBlock(parts, { call: 'c', tool: 'Read', status: 'ok' })).toEqual([
      { kind: 'result', tool: 'Read', call: 'c', status: 'ok', text: 'a\nb' },
      { kind: 'attachment', media: 'image/png', text: named, call: 'c' },
    ])
  })

  it('keeps a result that has no content, and parts of a kind that it does not know', () => {
    const answered = { call: 'c', tool: 'ToolSearch', status: 'ok' } as const
    expect(resultBlock(undefined, answered)).toEqual([{ kind: 'result', ...answered, text: '' }])
    expect(resultBlock([{ type: 'tool_reference', tool_name: 'x' }], answered)).toEqual([
      { kind: 'result', ...answered, text: '{"type":"tool_reference","tool_name":"x"}' },
    ])
  })

  it('reads a document that is given as text as that text', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'words' }
    expect(plainBlock({ type: 'document', source })).toEqual([
      { kind: 'attachment', media: 'text/plain', text: 'words' },
    ])
  })

  it('reads reasoning that is redacted or withheld as opaque, and provider tools as the provider’s', () => {
    const session = new ClaudeCodeSession('s', null, () => {})
    const content = [
      { type: 'redacted_thinking', data: 'xx' },
      { type: 'thinking', thinking: '', signature: 's' },
      { type: 'thinking', thinking: 'hm' },
      { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'w', content: [] },
      { type: 'novelty', n: 1 },
    ]
    session.add({ type: 'assistant', message: { id: 'm', content } }, 1)
    expect(session.end(0).events).toEqual([
      {
        kind: 'message',
        message: {
          role: 'assistant',
          id: 'm',
          items: [
            { kind: 'reasoning', text: '', binding: 'opaque' },
            { kind: 'reasoning', text: '', binding: 'opaque' },
            { kind: 'reasoning', text: 'hm', binding: 'plain' },
            { kind: 'call', tool: 'web_search', call: 'w', text: '{"query":"q"}', opaque: true },
            {
              kind: 'result',
              tool: 'web_search',
              call: 'w',
              status: 'ok',
              text: '[]',
              opaque: true,
            },
            { kind: 'marker', marker: 'novelty', text: '{"type":"novelty","n":1}', opaque: true },
          ],
        },
      },
    ])
  })
})
