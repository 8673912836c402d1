import { describe, expect, it } from 'vitest'
import { openCodeExportReader } from './opencode-export.ts'
import type { Recording, RecordingProblem } from './recording.ts'

type Fields = Readonly<Record<string, unknown>>

function readExport(value: unknown): { recording: Recording; problems: RecordingProblem[] } {
  const problems: RecordingProblem[] = []
  const builder = openCodeExportReader.open((problem) => problems.push(problem))
  builder.add(value, 1)
  return { recording: builder.end()[0]!, problems }
}

function events(...messages: readonly unknown[]): Recording['events'] {
  return readExport({ info: { id: 'ses_1' }, messages }).recording.events
}

function user(at: number, parts: readonly Fields[], info: Fields = {}): Fields {
  return { info: { role: 'user', id: `msg_${at}`, time: { created: at }, ...info }, parts }
}

function assistant(at: number, parts: readonly Fields[], info: Fields = {}): Fields {
  const base = { role: 'assistant', id: `msg_${at}`, modelID: 'gpt-9', time: { created: at } }
  return { info: { ...base, ...info }, parts }
}

function text(words: string, more: Fields = {}): Fields {
  return { type: 'text', text: words, ...more }
}

function tool(callID: string, state: Fields): Fields {
  return { type: 'tool', callID, tool: 'read', state: { input: { filePath: callID }, ...state } }
}

function completed(callID: string, output: string, time: Fields = { start: 1, end: 2 }): Fields {
  return tool(callID, { status: 'completed', output, time, metadata: { preview: output } })
}

describe('an OpenCode export', () => {
  it('becomes a recording with an answer and its results as two messages', () => {
    const { recording, problems } = readExport({
      info: { id: 'ses_1', parentID: 'ses_0', directory: '/home/me/shop', version: '1.2.3' },
      messages: [
        user(10, [text('look at a')]),
        assistant(
          20,
          [
            { type: 'step-start', snapshot: 'abc' },
            { type: 'reasoning', text: 'hm', metadata: { anthropic: { signature: 's' } } },
            text('looking'),
            completed('a', '<content>1: x</content>', { start: 21, end: 25 }),
            {
              type: 'step-finish',
              snapshot: 'abd',
              tokens: { input: 1, output: 2, reasoning: 0, cache: {} },
            },
            { type: 'patch', hash: 'h', files: ['/home/me/shop/a', 7] },
          ],
          { tokens: { input: 5, output: 7, reasoning: 3, cache: { read: 100, write: 20 } } },
        ),
      ],
    })
    expect(problems).toEqual([])
    expect(recording).toEqual({
      format: 'opencode-export',
      session: 'ses_1',
      parent: 'ses_0',
      model: 'gpt-9',
      cwd: '/home/me/shop',
      messages: 2,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: {
            role: 'user',
            id: 'msg_10',
            at: 10,
            items: [{ kind: 'text', text: 'look at a' }],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'assistant',
            id: 'msg_20',
            at: 20,
            model: 'gpt-9',
            usage: { input: 125, output: 10, cacheRead: 100, cacheWrite: 20 },
            tree: { before: 'abc', after: 'abd', changed: ['/home/me/shop/a'] },
            items: [
              { kind: 'marker', marker: 'step-start', text: '' },
              { kind: 'reasoning', binding: 'signed', text: 'hm' },
              { kind: 'text', text: 'looking' },
              { kind: 'call', tool: 'read', call: 'a', text: '{"filePath":"a"}' },
              { kind: 'marker', marker: 'step-finish', text: '' },
              { kind: 'marker', marker: 'patch', text: '' },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            at: 25,
            items: [
              {
                kind: 'result',
                tool: 'read',
                call: 'a',
                status: 'ok',
                text: '<content>1: x</content>',
              },
            ],
          },
        },
      ],
    })
  })

  it('keeps calls apart whose ids a redactor made equal, and pairs them by part', () => {
    const [answer, results] = events(
      assistant(1, [completed('REDACTED', 'one'), completed('REDACTED', 'two')]),
    ) as [Message, Message]
    const calls = answer.message.items.map((item) => 'call' in item && item.call)
    expect(new Set(calls).size).toBe(2)
    expect(results.message.items.map((item) => ['call' in item && item.call, item.text])).toEqual([
      [calls[0], 'one'],
      [calls[1], 'two'],
    ])
  })

  it('counts output without reasoning twice, whichever way the version adds them up', () => {
    const usage = (tokens: Fields): unknown =>
      (events(assistant(1, [text('x')], { tokens }))[0] as Message).message.usage
    const cache = { read: 10, write: 0 }
    expect(usage({ input: 5, output: 7, reasoning: 3, total: 22, cache })).toEqual({
      input: 15,
      output: 7,
      cacheRead: 10,
      cacheWrite: 0,
    })
    expect(usage({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } })).toBe(
      undefined,
    )
  })

  it('splits a message with several steps into one answer per step, each before its results', () => {
    const roles = events(
      assistant(1, [
        { type: 'step-start' },
        completed('a', 'A'),
        { type: 'step-finish', tokens: { input: 3, output: 1, reasoning: 0, cache: {} } },
        { type: 'step-start' },
        text('done'),
        { type: 'step-finish', tokens: { input: 9, output: 1, reasoning: 0, cache: {} } },
      ]),
    ).map((event) => event.kind === 'message' && [event.message.role, event.message.usage?.input])
    expect(roles).toEqual([
      ['assistant', 3],
      ['tool', undefined],
      ['assistant', 9],
    ])
  })

  it('tells failed, interrupted and unfinished calls apart, in the words that the model saw', () => {
    const message = assistant(1, [
      tool('bad', { status: 'error', error: 'no such file', time: {} }),
      tool('cut', {
        status: 'error',
        error: 'aborted',
        metadata: { interrupted: true, output: 'half' },
      }),
      tool('open', { status: 'running', time: { start: 1 } }),
      tool('early', { status: 'pending', input: {}, raw: '{"filePa' }),
    ])
    const [answer, results] = events(message, user(9, [text('go on')])) as [Message, Message]
    expect(results.message.items).toEqual([
      { kind: 'result', tool: 'read', call: 'bad', status: 'error', text: 'no such file' },
      { kind: 'result', tool: 'read', call: 'cut', status: 'error', text: 'half' },
      {
        kind: 'result',
        tool: 'read',
        call: 'open',
        status: 'running',
        text: '[Tool execution was interrupted]',
      },
      {
        kind: 'result',
        tool: 'read',
        call: 'early',
        status: 'running',
        text: '[Tool execution was interrupted]',
      },
    ])
    expect(answer.message.items.at(-1)!.text).toBe('{"filePa')
  })

  it('gives no result to a call that was still running when the export was made', () => {
    expect(events(assistant(1, [tool('open', { status: 'running' })])).length).toBe(1)
  })

  it('places what OpenCode pruned before the first message after the pruning', () => {
    const recorded = events(
      assistant(10, [
        completed('a', 'A', { start: 11, end: 12, compacted: 35 }),
        completed('b', 'B', { start: 11, end: 12 }),
        completed('c', 'C', { start: 11, end: 12, compacted: 36 }),
      ]),
      assistant(30, [text('thinking')]),
      user(40, [text('next')]),
      assistant(50, [completed('d', 'D', { start: 51, end: 52, compacted: 99 })]),
    )
    expect(
      recorded.map((event) => (event.kind === 'message' ? event.message.role : event)),
    ).toEqual([
      'assistant',
      'tool',
      'assistant',
      {
        kind: 'cleared',
        results: [
          { message: 1, item: 0 },
          { message: 1, item: 2 },
        ],
        at: 36,
      },
      'user',
      'assistant',
      'tool',
      { kind: 'cleared', results: [{ message: 5, item: 0 }], at: 99 },
    ])
  })

  it('compacts after the summary was written, keeping the request for it, the summary and the tail', () => {
    const summary = { summary: true, finish: 'stop', parentID: 'msg_40' }
    const recorded = events(
      user(10, [text('one')]),
      assistant(20, [completed('a', 'A')]),
      user(30, [text('two')]),
      user(40, [{ type: 'compaction', auto: true, tail_start_id: 'msg_30' }]),
      assistant(50, [text('so far: one')], { ...summary, time: { created: 50, completed: 55 } }),
      user(60, [text('three')]),
    )
    expect(recorded[5]).toMatchObject({ kind: 'message', message: { role: 'assistant' } })
    expect(recorded[6]).toEqual({ kind: 'compaction', keeps: [3, 4, 5], at: 55 })
    expect(recorded[4]).toMatchObject({
      message: {
        items: [
          { kind: 'marker', marker: 'compaction' },
          { kind: 'text', text: 'What did we do so far?' },
        ],
      },
    })
  })

  it('keeps only the summary where an older version wrote it without a request', () => {
    const summary = { summary: true, time: { created: 20, completed: 21 } }
    const recorded = events(user(10, [text('one')]), assistant(20, [text('all')], summary))
    expect(recorded[2]).toEqual({ kind: 'compaction', keeps: [1], at: 21 })
  })

  it('does not compact for a summary that failed', () => {
    const summary = {
      summary: true,
      error: { name: 'APIError' },
      time: { created: 20, completed: 21 },
    }
    const recorded = events(user(10, [{ type: 'compaction' }]), assistant(20, [], summary))
    expect(recorded.map((event) => event.kind)).toEqual(['message', 'message'])
  })

  it('takes what a user message shows: synthetic text, files, subtasks, but nothing that is ignored', () => {
    const [message] = events(
      user(1, [
        text('see @a.ts'),
        text('Called the Read tool', { synthetic: true }),
        text('only for you', { ignored: true }),
        { type: 'file', mime: 'text/plain', url: 'file:///a.ts' },
        { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' },
        { type: 'agent', name: 'plan' },
        { type: 'subtask', prompt: 'review it', description: 'review', agent: 'general' },
      ]),
    ) as [Message]
    expect(message.message.items).toEqual([
      { kind: 'text', text: 'see @a.ts' },
      { kind: 'text', text: 'Called the Read tool' },
      { kind: 'marker', marker: 'text', text: '' },
      { kind: 'marker', marker: 'file', text: '' },
      { kind: 'attachment', media: 'image/png', text: expect.stringContaining('image/png') },
      { kind: 'marker', marker: 'agent', text: '' },
      { kind: 'marker', marker: 'subtask', text: '' },
      { kind: 'text', text: 'The following tool was executed by the user' },
    ])
  })

  it('never takes copies that are kept for the interface', () => {
    const copies = { diff: 'SECRET-COPY', filediff: { before: 'SECRET-COPY' } }
    const recorded = events(
      user(1, [text('x')], { summary: { diffs: [{ before: 'SECRET-COPY' }] } }),
      assistant(2, [
        tool('a', { status: 'completed', output: 'ok', title: 'SECRET-COPY', metadata: copies }),
      ]),
    )
    expect(JSON.stringify(recorded)).not.toContain('SECRET-COPY')
  })

  it('gives eighteen parallel calls eighteen results in their order', () => {
    const names = Array.from({ length: 18 }, (_, index) => `c${index}`)
    const [, results] = events(
      assistant(
        1,
        names.map((name) => completed(name, name)),
      ),
    ) as Message[]
    expect(results!.message.items.map((item) => item.text)).toEqual(names)
  })

  it('attaches pictures of a result to its call, and reads reasoning without text as opaque', () => {
    const recorded = events(
      assistant(1, [
        { type: 'reasoning', text: '', metadata: { openai: { reasoningEncryptedContent: 'x' } } },
        { type: 'reasoning', text: '' },
        tool('a', {
          status: 'completed',
          output: 'shown',
          attachments: [{ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' }],
        }),
      ]),
    ) as Message[]
    expect(recorded[0]!.message.items.map((item) => item.kind)).toEqual(['reasoning', 'call'])
    expect(recorded[1]!.message.items[1]).toMatchObject({ kind: 'attachment', call: 'a' })
  })

  it('reports messages without an info and reads the others', () => {
    const { recording, problems } = readExport({
      info: { id: 'REDACTED' },
      messages: [null, user(1, [text('x')], { sessionID: 'ses_7' })],
    })
    expect(recording.session).toBe('ses_7')
    expect(recording.messages).toBe(1)
    expect(problems).toEqual([{ line: 1, message: 'message 0 has no info and was left out' }])
  })
})

type Message = Extract<Recording['events'][number], { kind: 'message' }>
