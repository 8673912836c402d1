import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../../core/words/item.ts'
import { aiSdk } from './index.ts'

function itemsOf(role: string, ...content: unknown[]): readonly ItemDraft[] {
  const read = aiSdk.read([{ role, content }])
  expect(read.problem).toBeNull()
  return read.messages.flatMap(({ items }) => items)
}

describe('files', () => {
  const png = 'iVBORw0KGgo='
  const bytes = Uint8Array.from(Buffer.from(png, 'base64'))

  it('say the same in every form that holds the same bytes', () => {
    const mediaType = 'image/png'
    const forms = [
      { type: 'file', mediaType, data: png },
      { type: 'file', mediaType, data: bytes },
      { type: 'file', mediaType, data: bytes.buffer },
      { type: 'file', mediaType, data: `data:image/png;base64,${png}` },
      { type: 'file', mediaType, data: { type: 'data', data: png } },
      { type: 'file', mediaType, data: { type: 'data', data: bytes } },
      { type: 'image', mediaType, image: png },
      { type: 'image', image: new URL(`data:image/png;base64,${png}`) },
    ]
    const items = itemsOf('user', ...forms)
    expect(items.length).toBe(forms.length)
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(1)
    expect(items[0]).toEqual({
      kind: 'attachment',
      media: 'image/png',
      text: expect.stringMatching(/^image\/png, 8 bytes, sha256 [0-9a-f]{16}$/),
    })
  })

  it('are named by their address, their id or their text where that is all there is', () => {
    const mediaType = 'application/pdf'
    const url = 'https://example.test/a.pdf'
    const read = itemsOf(
      'user',
      { type: 'file', mediaType, data: new URL(url) },
      { type: 'file', mediaType, data: { type: 'url', url: new URL(url) } },
      { type: 'file', mediaType, data: { type: 'reference', reference: { openai: 'file-1' } } },
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'notes' } },
    )
    expect(read).toEqual([
      { kind: 'attachment', media: mediaType, text: url },
      { kind: 'attachment', media: mediaType, text: url },
      { kind: 'attachment', media: mediaType, text: '{"openai":"file-1"}' },
      { kind: 'attachment', media: 'text/plain', text: 'notes' },
    ])
    const value = [
      { type: 'file-id', fileId: 'file-1' },
      { type: 'image-file-id', fileId: { openai: 'file-2' } },
      { type: 'file-url', url, mediaType },
    ]
    const output = { type: 'content', value }
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'look', output }
    expect(itemsOf('tool', result).slice(1)).toEqual([
      { kind: 'attachment', call: 'a', media: 'file-id', text: 'file-1' },
      { kind: 'attachment', call: 'a', media: 'image', text: '{"openai":"file-2"}' },
      { kind: 'attachment', call: 'a', media: mediaType, text: url },
    ])
  })
})

describe('reasoning', () => {
  it.each([
    ['plain', {}],
    ['plain', { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }],
    ['plain', { providerOptions: { acme: { signature: null } } }],
    ['signed', { providerOptions: { anthropic: { signature: 's' } } }],
    ['signed', { providerOptions: { bedrock: { signature: 's' } } }],
    ['signed', { providerOptions: { google: { thoughtSignature: 's' } } }],
    ['signed', { providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } } }],
  ] as const)('is %s with %j', (binding, more) => {
    expect(itemsOf('assistant', { type: 'reasoning', text: 'hm', ...more })).toEqual([
      { kind: 'reasoning', binding, text: 'hm' },
    ])
  })

  it('is opaque when only the provider can read it, and nothing when there is nothing', () => {
    const options = { providerOptions: { anthropic: { redactedData: 'r' } } }
    expect(itemsOf('assistant', { type: 'reasoning', text: '', ...options })).toEqual([
      { kind: 'reasoning', binding: 'opaque', text: '' },
    ])
    expect(itemsOf('assistant', { type: 'reasoning', text: '' })).toEqual([])
  })
})

describe('a part that Gemini signed', () => {
  it('stays as it is, whatever its kind', () => {
    const providerOptions = { google: { thoughtSignature: 's' } }
    const content = [
      { type: 'text', text: 'hi', providerOptions },
      { type: 'tool-call', toolCallId: 'a', toolName: 'b', input: {}, providerOptions },
      { type: 'file', mediaType: 'image/png', data: 'AAAA', providerOptions },
    ]
    const list = [{ role: 'assistant', content }]
    const changes = content.map((_part, item) => ({ message: 0, item, text: '{"a":1}' }))
    const reason = 'the part carries a thought signature: it stays as it is'
    expect(aiSdk.rewrite(aiSdk.read(list), changes)).toEqual({
      source: list,
      refused: changes.map((change) => ({ change, reason })),
    })
  })
})

describe('a message', () => {
  it('is the same wherever the cache marker stands', () => {
    const marked = (providerOptions: object): unknown[] => [
      {
        role: 'assistant',
        content: [
          { type: 'custom', kind: 'a.b', providerOptions: { ...providerOptions, a: { x: 1 } } },
          { type: 'text', text: 'hi', providerOptions },
        ],
        providerOptions,
      },
    ]
    const before = aiSdk.read(marked({ anthropic: {} }))
    const after = aiSdk.read(marked({ anthropic: { cacheControl: { type: 'ephemeral' } } }), before)
    expect(after.shared).toBe(1)
    expect(after.messages[0]).toBe(before.messages[0])
  })

  it('keeps ids apart that a server gave out twice, and leaves custom input as it is', () => {
    const call = { type: 'tool-call', toolCallId: 'call_0', toolName: 'run', input: 'ls -l' }
    const answer = (value: string): unknown => ({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_0',
          toolName: 'run',
          output: { type: 'text', value },
        },
      ],
    })
    const turn = { role: 'assistant', content: [call] }
    const list = [turn, answer('one'), turn, answer('two')]
    const read = aiSdk.read(list)
    const known = { tool: 'run', call: 'call_0' }
    const again = { tool: 'run', call: 'call_0#2' }
    expect(read.messages.flatMap(({ items }) => items)).toEqual([
      { kind: 'call', ...known, text: 'ls -l' },
      { kind: 'result', ...known, status: 'ok', text: 'one' },
      { kind: 'call', ...again, text: 'ls -l' },
      { kind: 'result', ...again, status: 'ok', text: 'two' },
    ])
    const { source } = aiSdk.rewrite(read, [{ message: 2, item: 0, text: 'pwd' }])
    expect(source).toEqual([
      list[0],
      list[1],
      { role: 'assistant', content: [{ ...call, input: 'pwd' }] },
      list[3],
    ])
  })

  it('says where a list stops being one of messages', () => {
    const read = aiSdk.read([
      { role: 'user', content: 'hi' },
      { role: 'narrator', content: 'lo' },
      { role: 'user', content: 'unread' },
    ])
    expect({ problem: read.problem, messages: read.messages.length }).toEqual({
      problem: { where: 'messages.1.role', message: 'unknown role' },
      messages: 1,
    })
  })
})

describe('a result', () => {
  it('keeps its picture when its text changes, and its text when the picture becomes one', () => {
    const value = [
      { type: 'image-url', url: 'https://example.test/a.png' },
      { type: 'text', text: 'one', providerOptions: { acme: {} } },
      { type: 'text', text: 'two' },
    ]
    const list = [
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'look',
            output: { type: 'content', value },
          },
        ],
      },
    ]
    const read = aiSdk.read(list)
    const valueAfter = (...changes: readonly (readonly [number, string])[]): unknown => {
      const { source, refused } = aiSdk.rewrite(
        read,
        changes.map(([item, text]) => ({ message: 0, item, text })),
      )
      expect(refused).toEqual([])
      return (source as typeof list)[0]?.content[0]?.output.value
    }
    const words = { type: 'text', text: 'new', providerOptions: { acme: {} } }
    expect(valueAfter([0, 'new'])).toEqual([value[0], words])
    expect(valueAfter([1, 'a picture'])).toEqual([
      { type: 'text', text: 'a picture' },
      value[1],
      value[2],
    ])
    expect(valueAfter([1, 'a picture'], [0, 'new'])).toEqual([
      { type: 'text', text: 'a picture' },
      words,
    ])
  })
})
