import { describe, expect, it } from 'vitest'
import { piReader } from './pi.ts'
import { readRecording } from './read-recording.ts'
import type { Recording, RecordingProblem } from './recording.ts'

type Fields = Readonly<Record<string, unknown>>
type Message = Extract<Recording['events'][number], { kind: 'message' }>['message']

function readEntries(entries: readonly unknown[]): {
  recording: Recording
  problems: RecordingProblem[]
} {
  const problems: RecordingProblem[] = []
  const builder = piReader.open((problem) => problems.push(problem))
  for (const [index, entry] of entries.entries()) builder.add(entry, index + 1)
  return { recording: builder.end()[0]!, problems }
}

const header = { type: 'session', id: 'session-1', timestamp: '2026-01-01T00:00:00Z', cwd: '/shop' }

function entry(message: Fields, more: Fields = {}): Fields {
  return { type: 'message', timestamp: '2026-01-01T00:00:01Z', message, ...more }
}

function user(words: string): Fields {
  return { role: 'user', content: [{ type: 'text', text: words }], timestamp: 1_767_225_601_000 }
}

function says(words: string): Fields {
  return { role: 'assistant', content: [{ type: 'text', text: words }], model: 'm' }
}

function calls(...ids: readonly string[]): Fields {
  const content = ids.map((id) => ({ type: 'toolCall', id, name: 'read', arguments: { path: id } }))
  return { role: 'assistant', content, model: 'm', stopReason: 'toolUse' }
}

function result(toolCallId: string, words: string, more: Fields = {}): Fields {
  const content = [{ type: 'text', text: words }]
  return { role: 'toolResult', toolCallId, toolName: 'read', content, isError: false, ...more }
}

/** Entries of version 3: `[id, parent, message or entry]`. */
function tree(...rows: readonly (readonly [string, string | null, Fields])[]): readonly Fields[] {
  return [
    { ...header, version: 3 },
    ...rows.map(([id, parentId, content]) =>
      'role' in content
        ? entry(content, { id, parentId })
        : { timestamp: '2026-01-01T00:00:02Z', id, parentId, ...content },
    ),
  ]
}

function messages({ events }: Recording): readonly Message[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
}

function words(recording: Recording): readonly string[] {
  return messages(recording).map(({ items }) => items.map((item) => item.text).join('|'))
}

/** What is in view at the end, as the replay would show it. */
function view(recording: Recording): readonly string[] {
  let visible: number[] = []
  let count = 0
  for (const event of recording.events) {
    if (event.kind === 'message') visible.push(count++)
    else if (event.kind === 'compaction') visible = [...event.keeps]
  }
  return visible.map((position) => words(recording)[position]!)
}

describe('a Pi session in the old, linear form', () => {
  it('begins with the system prompt, where there is one', () => {
    const sections = { preamble: 'Be kind.', cwd: '<cwd>/shop</cwd>' }
    const prompt = { role: 'system', content: '', sections }
    const { recording, problems } = readEntries(tree(['a', null, prompt], ['b', 'a', user('go')]))
    expect(problems).toEqual([])
    expect(messages(recording).map(({ role }) => role)).toEqual(['system', 'user'])
    expect(words(recording)).toEqual(['Be kind.\n\n<cwd>/shop</cwd>', 'go'])
  })

  it('becomes a recording with one message per line', () => {
    const usage = { input: 3, output: 4, cacheRead: 50, cacheWrite: 7, cost: { total: 1 } }
    const { recording, problems } = readEntries([
      { ...header, provider: 'anthropic', modelId: 'fallback' },
      { type: 'model_change', timestamp: '2026-01-01T00:00:00Z', provider: 'x', modelId: 'y' },
      entry(user('hello')),
      entry({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' },
          { type: 'thinking', thinking: 'open', thinkingSignature: 'reasoning_content' },
          { type: 'toolCall', id: 'toolu_1', name: 'read', arguments: { path: 'a' } },
        ],
        model: 'claude-9',
        usage,
        timestamp: 1_767_225_602_000,
      }),
      entry(result('toolu_1', 'no', { isError: true, timestamp: 1_767_225_603_000 })),
    ])
    expect(problems).toEqual([])
    expect(recording).toEqual({
      format: 'pi',
      session: 'session-1',
      parent: null,
      model: 'claude-9',
      cwd: '/shop',
      messages: 3,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: {
            role: 'user',
            at: 1_767_225_601_000,
            items: [{ kind: 'text', text: 'hello' }],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'assistant',
            at: 1_767_225_602_000,
            model: 'claude-9',
            usage: { input: 60, output: 4, cacheRead: 50, cacheWrite: 7 },
            items: [
              { kind: 'reasoning', binding: 'signed', text: 'hm' },
              { kind: 'reasoning', binding: 'plain', text: 'open' },
              { kind: 'call', tool: 'read', call: 'toolu_1', text: '{"path":"a"}' },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            at: 1_767_225_603_000,
            items: [{ kind: 'result', tool: 'read', call: 'toolu_1', status: 'error', text: 'no' }],
          },
        },
      ],
    })
  })

  it('leaves calls of an aborted answer without a result, and shows what had come of them', () => {
    const partial = { type: 'toolCall', id: 't2', name: 'edit', arguments: {}, partialJson: '{"pa' }
    const aborted: Fields = { ...calls('t1'), stopReason: 'aborted' }
    const { recording } = readEntries([
      header,
      entry({ ...aborted, content: [...(aborted.content as unknown[]), partial] }),
      entry({
        role: 'assistant',
        content: [],
        stopReason: 'error',
        usage: { input: 0, output: 0 },
      }),
      entry(user('again')),
    ])
    expect(messages(recording).map(({ role, items, usage }) => ({ role, items, usage }))).toEqual([
      {
        role: 'assistant',
        items: [
          { kind: 'call', tool: 'read', call: 't1', text: '{"path":"t1"}' },
          { kind: 'call', tool: 'edit', call: 't2', text: '{"pa' },
        ],
        usage: undefined,
      },
      { role: 'assistant', items: [], usage: undefined },
      { role: 'user', items: [{ kind: 'text', text: 'again' }], usage: undefined },
    ])
  })

  it('gives a result to the newest call when a retried turn uses an id of Kimi a second time', () => {
    const { recording } = readEntries([
      header,
      entry({ ...calls('functions.read:3'), stopReason: 'aborted' }),
      entry(calls('functions.read:3')),
      entry(result('functions.read:3', 'text')),
    ])
    const [first, second, answer] = messages(recording).map(({ items }) => items[0])
    expect(first).not.toEqual(second)
    expect(answer).toMatchObject({ call: second && 'call' in second && second.call })
  })

  it('pairs results by id when they come in another order', () => {
    const { recording } = readEntries([
      header,
      entry(calls('a', 'b')),
      entry(result('b', 'B')),
      entry(result('a', 'A')),
    ])
    expect(
      messages(recording)
        .slice(1)
        .map(({ items }) => items[0]),
    ).toMatchObject([
      { call: 'b', text: 'B' },
      { call: 'a', text: 'A' },
    ])
  })

  it('counts the header when a compaction names the first kept entry by its index', () => {
    const { recording } = readEntries([
      header,
      entry(user('one')),
      entry(says('two')),
      { type: 'thinking_level_change', timestamp: '2026-01-01T00:00:01Z', thinkingLevel: 'high' },
      entry(user('three')),
      {
        type: 'compaction',
        timestamp: '2026-01-01T00:00:09Z',
        summary: 'one and two',
        firstKeptEntryIndex: 4,
        tokensBefore: 9,
      },
      entry(says('four')),
    ])
    expect(recording.events[3]).toEqual({
      kind: 'compaction',
      keeps: [2],
      at: Date.parse('2026-01-01T00:00:09Z'),
    })
    expect(recording.messages).toBe(4)
    expect(view(recording)).toEqual([
      'three',
      expect.stringContaining('<summary>\none and two\n</summary>'),
      'four',
    ])
  })

  it('shows a command of the user as the model saw it, and a hidden one not at all', () => {
    const ran = { role: 'bashExecution', command: 'npm test', output: 'failed', exitCode: 1 }
    const { recording } = readEntries([
      header,
      entry({ ...ran, cancelled: false, truncated: true, fullOutputPath: '/log' }),
      entry({ role: 'bashExecution', command: 'true', output: '', exitCode: 0, cancelled: true }),
      entry({ ...ran, excludeFromContext: true }),
    ])
    expect(messages(recording).map(({ role, items }) => ({ role, items }))).toEqual([
      {
        role: 'user',
        items: [
          {
            kind: 'text',
            text: 'Ran `npm test`\n```\nfailed\n```\n\nCommand exited with code 1\n\n[Output truncated. Full output: /log]',
          },
        ],
      },
      {
        role: 'user',
        items: [{ kind: 'text', text: 'Ran `true`\n(no output)\n\n(command cancelled)' }],
      },
      { role: 'user', items: [{ kind: 'marker', marker: 'bashExecution', text: '' }] },
    ])
  })

  it('attaches pictures of a result to its call', () => {
    const picture = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
    const { recording } = readEntries([
      header,
      entry(calls('a')),
      entry(result('a', '', { content: [{ type: 'text', text: 'see' }, picture] })),
    ])
    expect(messages(recording)[1]!.items).toMatchObject([
      { kind: 'result', call: 'a', text: 'see' },
      { kind: 'attachment', call: 'a', media: 'image/png' },
    ])
  })

  it('reports entries and roles that it does not know', () => {
    const { recording, problems } = readEntries([
      header,
      7,
      { type: 'poem' },
      entry({ role: 'bard' }),
    ])
    expect(recording.messages).toBe(0)
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4])
  })
})

describe('a Pi session in the tree form', () => {
  it('goes back where the user did, and replays both branches with what each of them saw', () => {
    const { recording } = readEntries(
      tree(
        ['1', null, user('start')],
        ['2', '1', says('left')],
        ['3', '2', user('left on')],
        ['4', '1', { type: 'branch_summary', fromId: '3', summary: 'went left' }],
        ['5', '4', says('right')],
        ['6', '5', { type: 'custom', customType: 'state', data: 1 }],
        ['7', '6', { type: 'custom_message', customType: 'note', content: 'noted', display: true }],
      ),
    )
    expect(recording.events[3]).toEqual({
      kind: 'compaction',
      rewind: true,
      keeps: [0],
      at: Date.parse('2026-01-01T00:00:02Z'),
    })
    expect(recording.messages).toBe(4)
    expect(view(recording)).toEqual([
      'start',
      expect.stringContaining('<summary>\nwent left</summary>'),
      'right',
      'noted',
    ])
  })

  it('keeps what a compaction names by id, and brings the rest back when the user goes behind it', () => {
    const rows: readonly (readonly [string, string | null, Fields])[] = [
      ['1', null, user('one')],
      ['2', '1', says('two')],
      ['3', '2', user('three')],
      ['4', '3', { type: 'compaction', summary: 'sum', firstKeptEntryId: '3', tokensBefore: 1 }],
      ['5', '4', says('four')],
    ]
    const compacted = readEntries(tree(...rows)).recording
    expect(compacted.events[3]).toMatchObject({ kind: 'compaction', keeps: [2] })
    expect(view(compacted)).toEqual(['three', expect.stringContaining('sum'), 'four'])
    const behind = readEntries(tree(...rows, ['6', '2', user('other')])).recording
    expect(view(behind)).toEqual(['one', 'two', 'other'])
    const again = readEntries(tree(...rows, ['6', '4', says('other four')])).recording
    expect(view(again)).toEqual(['three', expect.stringContaining('sum'), 'other four'])
  })

  it('does not show the summary of an earlier compaction again', () => {
    const { recording } = readEntries(
      tree(
        ['1', null, user('one')],
        ['2', '1', { type: 'compaction', summary: 'old', firstKeptEntryId: '1' }],
        ['3', '2', says('two')],
        ['4', '3', { type: 'compaction', summary: 'new', firstKeptEntryId: '1' }],
      ),
    )
    expect(view(recording)).toEqual(['one', 'two', expect.stringContaining('new')])
  })

  it('goes on after the entry before it when the parent is missing', () => {
    const { recording, problems } = readEntries(
      tree(['1', null, user('one')], ['2', 'gone', says('two')], ['3', 'REDACTED', user('three')]),
    )
    expect(view(recording)).toEqual(['one', 'two', 'three'])
    expect(problems).toEqual([{ line: 3, message: 'the parent gone is not in the file' }])
  })

  it('is found by content, also when its header is damaged', async () => {
    const lines = tree(['1', null, user('one')]).map((line) => JSON.stringify(line))
    expect((await readRecording([lines.join('\n')])).format).toBe('pi')
    expect((await readRecording([`{"type":"ses\n${lines[1]}`])).format).toBe('pi')
  })
})
