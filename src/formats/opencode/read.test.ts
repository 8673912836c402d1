import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../../core/words/item.ts'
import { applyInPlace, opencode } from './index.ts'

const info = (role: string, more: object = {}): object => ({ id: `msg_${role}`, role, ...more })

function itemsOf(role: string, ...parts: unknown[]): readonly ItemDraft[] {
  const read = opencode.read([{ info: info(role), parts }])
  expect(read.problem).toBeNull()
  return read.messages.flatMap(({ items }) => items)
}

function tool(state: object, more: object = {}): object {
  return { id: 'prt_1', type: 'tool', tool: 'bash', callID: 'call_1', state, ...more }
}

const known = { tool: 'bash', call: 'call_1' }
const input = { command: 'ls' }
const call = { kind: 'call', ...known, text: '{"command":"ls"}' }
const time = { start: 1, end: 2 }
const step = (type: string): object => ({ type })
const marker = (word: string): object => ({ kind: 'marker', marker: word, text: '' })

describe('a tool part', () => {
  it.each([
    ['completed', { output: 'a.ts' }, { status: 'ok', text: 'a.ts' }],
    ['error', { error: 'no' }, { status: 'error', text: 'no' }],
    [
      'error',
      { error: 'aborted', metadata: { interrupted: true, output: 'so far' } },
      { status: 'error', text: 'so far' },
    ],
    ['running', {}, { status: 'running', text: '[Tool execution was interrupted]' }],
    ['pending', { raw: '' }, { status: 'running', text: '[Tool execution was interrupted]' }],
  ])('that is %s gives its call and what the model sees of its result', (status, more, result) => {
    expect(itemsOf('assistant', tool({ status, input, time, ...more }))).toEqual([
      call,
      { kind: 'result', ...known, ...result },
    ])
  })

  it('that OpenCode has cleared shows its placeholder and no attachments, and stays so', () => {
    const attachments = [{ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' }]
    const cleared = tool({
      status: 'completed',
      input,
      output: 'a.ts',
      attachments,
      time: { ...time, compacted: 3 },
    })
    expect(itemsOf('assistant', cleared)).toEqual([
      call,
      {
        kind: 'result',
        ...known,
        status: 'ok',
        text: '[Old tool result content cleared]',
        opaque: true,
      },
    ])
  })

  it('that runs takes no change', () => {
    const list = [
      { info: info('assistant'), parts: [tool({ status: 'running', input, time: { start: 1 } })] },
    ]
    const changes = [
      { message: 0, item: 0, text: '{}' },
      { message: 0, item: 1, text: 'x' },
    ]
    const reason = 'the call has not completed'
    expect(opencode.rewrite(opencode.read(list), changes)).toEqual({
      source: list,
      refused: changes.map((change) => ({ change, reason })),
    })
  })

  it('that Gemini signed keeps its input, and its result may change', () => {
    const metadata = { google: { thoughtSignature: 's' } }
    const state = { status: 'completed', input, output: 'x', time }
    const list = [{ info: info('assistant'), parts: [tool(state, { metadata })] }]
    const changes = [
      { message: 0, item: 0, text: '{}' },
      { message: 0, item: 1, text: 'y' },
    ]
    expect(opencode.rewrite(opencode.read(list), changes)).toEqual({
      source: [{ info: info('assistant'), parts: [tool({ ...state, output: 'y' }, { metadata })] }],
      refused: [
        { change: changes[0], reason: 'the part carries a thought signature: it stays as it is' },
      ],
    })
  })

  it('that the provider ran itself belongs to the provider', () => {
    const own = tool(
      { status: 'completed', input, output: 'x', time },
      { metadata: { providerExecuted: true } },
    )
    expect(itemsOf('assistant', own).map((item) => item.opaque)).toEqual([true, true])
  })

  it('loses its attachment to the end of its output', () => {
    const files = ['AAAA', 'BBBB', 'CCCC'].map((data) => ({
      type: 'file',
      mime: 'image/png',
      url: `data:image/png;base64,${data}`,
    }))
    const state = { status: 'completed', input, output: 'three', attachments: files, time }
    const list = [{ info: info('assistant'), parts: [tool(state)] }]
    const { source, refused } = opencode.rewrite(opencode.read(list), [
      { message: 0, item: 4, text: '[third]' },
      { message: 0, item: 2, text: '[first]' },
      { message: 0, item: 1, text: '3' },
    ])
    expect(refused).toEqual([])
    const changed = { ...state, output: '3\n[first]\n[third]', attachments: [files[1]] }
    expect(source).toEqual([{ info: info('assistant'), parts: [tool(changed)] }])
  })

  it('has a call of its own even where the recorder spoiled its id', () => {
    const part = tool({ status: 'completed', input, output: 'x', time })
    const calls = itemsOf('assistant', part, part).map((item) => 'call' in item && item.call)
    expect(calls).toEqual(['call_1', 'call_1', 'call_1#2', 'call_1#2'])
  })
})

describe('a message', () => {
  it('of the user shows what the model sees, and sentences of OpenCode for parts of its own', () => {
    const url = 'data:image/png;base64,AAAA'
    expect(
      itemsOf(
        'user',
        { type: 'text', text: 'hello' },
        { type: 'text', text: 'seen', synthetic: true },
        { type: 'text', text: 'unseen', ignored: true },
        { type: 'text', text: '' },
        { type: 'file', mime: 'application/x-directory', url: 'file:///a' },
        { type: 'file', mime: 'image/png', url },
        { type: 'compaction', auto: true },
        { type: 'subtask', prompt: 'p' },
        { type: 'agent', name: 'plan' },
      ),
    ).toEqual([
      { kind: 'text', text: 'hello' },
      { kind: 'text', text: 'seen' },
      marker('text'),
      marker('file'),
      {
        kind: 'attachment',
        media: 'image/png',
        text: expect.stringMatching(/^image\/png, 3 bytes, sha256 [0-9a-f]{16}$/),
      },
      { ...marker('compaction'), text: 'What did we do so far?', opaque: true },
      { ...marker('subtask'), text: 'The following tool was executed by the user', opaque: true },
      marker('agent'),
    ])
  })

  it('carries id, time, model and usage, with what was cached counted in', () => {
    const read = opencode.read([
      {
        info: info('user', { time: { created: 1 }, model: { modelID: 'm-2', providerID: 'p' } }),
        parts: [{ type: 'text', text: 'hi' }],
      },
      {
        info: info('assistant', {
          time: { created: 2, completed: 9 },
          modelID: 'm-1',
          tokens: { input: 3, output: 4, reasoning: 5, cache: { read: 60, write: 7 } },
        }),
        parts: [{ type: 'text', text: 'ho' }],
      },
    ])
    expect(read.messages).toEqual([
      { role: 'user', id: 'msg_user', at: 1, items: [{ kind: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        id: 'msg_assistant',
        at: 2,
        model: 'm-1',
        usage: { input: 70, output: 9, cacheRead: 60, cacheWrite: 7 },
        items: [{ kind: 'text', text: 'ho' }],
      },
    ])
    expect(read.model).toBe('m-2')
  })

  it('that failed is one of which the model sees nothing, unless it was aborted half way', () => {
    const said = [step('step-start'), { type: 'text', text: 'half' }]
    const itemsWith = (name: string, parts: readonly unknown[]): unknown =>
      opencode.read([{ info: info('assistant', { error: { name } }), parts }]).messages[0]?.items
    const nothing = [{ ...marker('error'), opaque: true }]
    expect(itemsWith('APIError', said)).toEqual(nothing)
    expect(itemsWith('MessageAbortedError', [step('step-start')])).toEqual(nothing)
    expect(itemsWith('MessageAbortedError', said)).toEqual([
      marker('step-start'),
      { kind: 'text', text: 'half' },
    ])
  })

  it('loses markers of which the model sees nothing, but not the line between two steps', () => {
    const parts = [
      step('step-start'),
      { type: 'text', text: 'one' },
      step('step-finish'),
      step('step-start'),
      { type: 'text', text: 'two' },
      step('patch'),
    ]
    const list = [{ info: info('assistant'), parts }]
    const changes = [0, 2, 3, 5].map((item) => ({ message: 0, item, text: null }))
    expect(opencode.rewrite(opencode.read(list), changes)).toEqual({
      source: [{ info: info('assistant'), parts: [parts[1], parts[3], parts[4]] }],
      refused: [{ change: changes[2], reason: 'the marker divides two steps' }],
    })
  })

  it('never loses all that it says', () => {
    const parts = [step('step-start'), { type: 'reasoning', text: 'hm' }, step('step-finish')]
    const list = [{ info: info('assistant'), parts }]
    const change = { message: 0, item: 1, text: null }
    expect(opencode.rewrite(opencode.read(list), [change])).toEqual({
      source: list,
      refused: [{ change, reason: 'the message would become empty' }],
    })
  })

  it('is known again when only what OpenCode keeps for its own screens has changed', () => {
    const listWith = (screen: string): unknown[] => [
      {
        info: info('assistant', { cost: screen.length, time: { created: 1, completed: screen } }),
        parts: [
          tool({
            status: 'completed',
            input,
            output: 'x',
            title: screen,
            metadata: { screen },
            time,
          }),
          { type: 'step-finish', snapshot: screen },
        ],
      },
    ]
    const before = opencode.read(listWith('old'))
    const after = opencode.read(listWith('newer'), before)
    expect(after.shared).toBe(1)
    expect(after.messages[0]).toBe(before.messages[0])
  })
})

describe('applyInPlace', () => {
  it("changes the host's own list, and keeps the objects that did not change", () => {
    const text = (words: string): object => ({ type: 'text', text: words })
    const list: unknown[] = [
      { info: info('user'), parts: [text('hi')] },
      { info: info('assistant'), parts: [text('ho'), text('hm')] },
    ]
    const [first, second] = list
    const read = opencode.read(list)
    const { source } = opencode.rewrite(read, [{ message: 1, item: 0, text: 'new' }])
    expect(list[1]).toBe(second)
    applyInPlace(list, source)
    expect(list).toEqual([first, { info: info('assistant'), parts: [text('new'), text('hm')] }])
    expect(list[0]).toBe(first)
    expect(opencode.read(list, read).shared).toBe(1)
    applyInPlace(list, [first])
    expect(list).toEqual([first])
    applyInPlace(list, list)
    expect(list).toEqual([first])
  })
})
