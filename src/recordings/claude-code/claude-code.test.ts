import { describe, expect, it } from 'vitest'
import { readRecording } from '../read-recording.ts'
import type { Recording, RecordingFile } from '../recording.ts'

type Line = Readonly<Record<string, unknown>>

let lines = 0
const line = (type: string, rest: Line): Line => {
  lines += 1
  return { type, uuid: `line-${lines}`, sessionId: 's1', cwd: '/repo', isSidechain: false, ...rest }
}
const user = (content: unknown, rest: Line = {}): Line =>
  line('user', { message: { role: 'user', content }, ...rest })
const result = (id: string, content: unknown, rest: Line = {}): Line =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...rest }])
const assistant = (id: string, block: Line, message: Line = {}, rest: Line = {}): Line =>
  line('assistant', { message: { id, model: 'claude-a', content: [block], ...message }, ...rest })
const text = (value: string): Line => ({ type: 'text', text: value })
const use = (id: string, name: string, input: unknown): Line => ({
  type: 'tool_use',
  id,
  name,
  input,
})

const read = (values: readonly Line[]): Promise<RecordingFile> =>
  readRecording([values.map((value) => `${JSON.stringify(value)}\n`).join('')])

async function only(values: readonly Line[]): Promise<Recording> {
  const { recordings } = await read(values)
  expect(recordings).toHaveLength(1)
  return recordings[0]!
}

/** Each event in short: role and items of a message, or what happened. */
async function story(values: readonly Line[]): Promise<readonly string[]> {
  return (await only(values)).events.map((event) => {
    if (event.kind === 'compaction') return `compaction keeps ${event.keeps.join(',') || 'nothing'}`
    if (event.kind === 'cleared') return `cleared ${JSON.stringify(event.results)}`
    const items = event.message.items.map((item) => {
      if (item.kind === 'call') return `call ${item.call}`
      if (item.kind === 'result') return `result ${item.call} ${item.status} ${item.text}`
      return `${item.kind} ${item.text}`
    })
    return `${event.message.role}: ${items.join(' | ')}`
  })
}

describe('a Claude Code transcript', () => {
  it('becomes a conversation with its times, models, figures and pairs', async () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 }
    const recording = await only([
      user('hello', { timestamp: '2026-01-05T10:00:00.000Z' }),
      assistant(
        'm1',
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { usage: { ...usage, output_tokens: 1 } },
        { timestamp: '2026-01-05T10:00:02.000Z' },
      ),
      assistant('m1', use('t1', 'Read', { file_path: 'a.ts' }), {
        usage: { ...usage, output_tokens: 9 },
      }),
      result('t1', '1\tx'),
    ])
    expect(recording).toEqual({
      format: 'claude-code',
      session: 's1',
      parent: null,
      model: 'claude-a',
      cwd: '/repo',
      messages: 3,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: {
            role: 'user',
            items: [{ kind: 'text', text: 'hello' }],
            at: Date.UTC(2026, 0, 5, 10),
          },
        },
        {
          kind: 'message',
          message: {
            role: 'assistant',
            id: 'm1',
            at: Date.UTC(2026, 0, 5, 10, 0, 2),
            model: 'claude-a',
            usage: { input: 123, output: 9, cacheRead: 100, cacheWrite: 20 },
            items: [
              { kind: 'reasoning', text: 'hm', binding: 'signed' },
              { kind: 'call', tool: 'Read', call: 't1', text: '{"file_path":"a.ts"}' },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            items: [{ kind: 'result', tool: 'Read', call: 't1', status: 'ok', text: '1\tx' }],
          },
        },
      ],
    })
  })

  it('merges the lines of one answer, also when a result stands between them', async () => {
    const values = [
      user('go'),
      assistant('m1', use('a', 'Read', {})),
      result('a', 'A'),
      assistant('m1', use('b', 'Read', {})),
      assistant('m2', text('done')),
      result('b', 'B'),
    ]
    expect(await story(values)).toEqual([
      'user: text go',
      'assistant: call a | call b',
      'tool: result a ok A',
      'assistant: text done',
      'tool: result b ok B',
    ])
    expect((await only(values)).messages).toBe(5)
  })

  it('takes parallel results in any order, by id and not by parent', async () => {
    expect(
      await story([
        assistant('m1', use('a', 'Read', {}), {}, { uuid: 'ua', parentUuid: null }),
        assistant('m1', use('b', 'Bash', {}), {}, { uuid: 'ub', parentUuid: 'ua' }),
        { ...result('b', 'no', { is_error: true }), parentUuid: 'nowhere' },
        { ...result('a', 'yes'), parentUuid: 'ua' },
      ]),
    ).toEqual(['assistant: call a | call b', 'tool: result b error no', 'tool: result a ok yes'])
  })

  it('keeps calls apart whose ids a redactor made equal, and never joins answers by such an id', async () => {
    expect(
      await story([
        assistant('REDACTED', use('REDACTED', 'Read', {}), {}, { requestId: 'r1' }),
        result('REDACTED', 'one'),
        assistant('REDACTED', use('REDACTED', 'Bash', {}), {}, { requestId: 'r2' }),
        result('REDACTED', 'two'),
      ]),
    ).toEqual([
      'assistant: call REDACTED',
      'tool: result REDACTED ok one',
      'assistant: call REDACTED~2',
      'tool: result REDACTED~2 ok two',
    ])
  })

  it('leaves a call without a result as it is, and keeps what a result without a call says as a text', async () => {
    const recording = await only([assistant('m1', use('a', 'Read', {})), result('gone', 'x')])
    expect(
      recording.events.map((event) => event.kind === 'message' && event.message.items),
    ).toEqual([
      [{ kind: 'call', tool: 'Read', call: 'a', text: '{}' }],
      [{ kind: 'text', text: 'x' }],
    ])
  })

  it('drops nothing before a compaction, and shows only what it wrote after it', async () => {
    const values = [
      user('first'),
      assistant('m1', text('one')),
      line('system', { subtype: 'compact_boundary', parentUuid: null, compactMetadata: {} }),
      user('summary', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      assistant('m2', text('two')),
    ]
    expect(await story(values)).toEqual([
      'user: text first',
      'assistant: text one',
      'compaction keeps nothing',
      'user: text summary',
      'assistant: text two',
    ])
    expect((await only(values)).messages).toBe(4)
  })

  it('knows a compaction by its summary when there is no boundary', async () => {
    expect(await story([user('first'), user('summary', { isCompactSummary: true })])).toEqual([
      'user: text first',
      'compaction keeps nothing',
      'user: text summary',
    ])
  })

  it('keeps the messages that a compaction says it preserved', async () => {
    const preservedSegment = { headUuid: 'h', tailUuid: 't' }
    expect(
      await story([
        user('first'),
        user('second', { uuid: 'h' }),
        assistant('m1', text('third'), {}, { uuid: 't' }),
        line('system', { subtype: 'compact_boundary', compactMetadata: { preservedSegment } }),
        user('summary', { isCompactSummary: true }),
      ]),
    ).toEqual([
      'user: text first',
      'user: text second',
      'assistant: text third',
      'compaction keeps 1,2',
      'user: text summary',
    ])
  })

  it('says which results Claude Code itself cleared', async () => {
    const metadata = { compactedToolIds: ['b', 'unknown'] }
    const events = await story([
      assistant('m1', use('a', 'Read', {})),
      assistant('m1', use('b', 'Read', {})),
      user([
        { type: 'tool_result', tool_use_id: 'a', content: 'A' },
        { type: 'tool_result', tool_use_id: 'b', content: 'B' },
      ]),
      line('system', { subtype: 'microcompact_boundary', microcompactMetadata: metadata }),
    ])
    expect(events[2]).toBe('cleared [{"message":1,"item":1}]')
  })

  it('counts the progress of sub-agents and keeps it out of the conversation', async () => {
    const recording = await only([
      user('go'),
      line('progress', { data: { type: 'agent_progress', message: { role: 'user' } } }),
      line('progress', { data: { type: 'bash_progress', output: 'x' } }),
      user('inner', { isSidechain: true }),
    ])
    expect([recording.subagentRecords, recording.messages, recording.events.length]).toEqual([
      2, 1, 1,
    ])
  })

  it('reads the file of a sub-agent as a session of its own', async () => {
    const recording = await only([
      user('find it', { isSidechain: true, agentId: 'agent-7' }),
      assistant('m1', text('found'), {}, { isSidechain: true, agentId: 'agent-7' }),
    ])
    expect([recording.session, recording.parent, recording.messages]).toEqual(['agent-7', 's1', 2])
  })

  it('keeps two interleaved session ids in the one conversation that they are', async () => {
    const recording = await only([
      line('progress', { sessionId: 'old', data: { type: 'hook_progress' } }),
      user('resumed', { sessionId: 'old', parentUuid: 'x' }),
      assistant('m1', text('yes'), {}, { parentUuid: 'y' }),
      user('more', { parentUuid: 'z' }),
      line('system', { sessionId: 'old', subtype: 'turn_duration' }),
    ])
    expect([recording.session, recording.messages]).toEqual(['old', 3])
  })

  it('splits sessions that were written one behind the other', async () => {
    const { recordings } = await read([
      user('one', { parentUuid: null }),
      user('two', { parentUuid: null, sessionId: 's2' }),
      assistant('m1', text('to one'), {}, { parentUuid: 'a' }),
    ])
    expect(recordings.map(({ session, messages }) => [session, messages])).toEqual([
      ['s1', 2],
      ['s2', 1],
    ])
  })

  it('is recognised when it starts with lines that are no messages, and reads a summary glued to one', async () => {
    const first = JSON.stringify({ type: 'summary', summary: 'x', leafUuid: 'l' })
    const snapshot = JSON.stringify({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} })
    const prompt = JSON.stringify(user('hi'))
    const { format, recordings, problems } = await readRecording([
      `${first}\n${snapshot}\n${prompt}${first}\n${JSON.stringify(assistant('m1', text('yo')))}`,
    ])
    expect([format, recordings[0]!.messages, problems]).toEqual(['claude-code', 2, []])
  })

  it('takes a line that was written twice once', async () => {
    const again = assistant('m1', text('once'))
    expect(await story([user('hi'), again, again])).toEqual([
      'user: text hi',
      'assistant: text once',
    ])
  })

  it('reports a second result of one call instead of showing it', async () => {
    const { problems } = await read([
      assistant('m1', use('a', 'Read', {})),
      result('a', 'x'),
      result('a', 'y'),
    ])
    expect(problems).toEqual([{ line: 3, message: 'a second result of the call a' }])
  })

  it('keeps text that the agent injected: it is what the model saw', async () => {
    const injected = 'body\n<system-reminder>be careful</system-reminder>'
    expect(
      await story([
        user('<local-command-stdout>ok</local-command-stdout>', { isMeta: true }),
        assistant('m1', use('a', 'Read', {})),
        result('a', [text(injected), text('more')]),
      ]),
    ).toEqual([
      'user: text <local-command-stdout>ok</local-command-stdout>',
      'assistant: call a',
      `tool: result a ok ${injected}\nmore`,
    ])
  })

  it('counts what the agent says about a failed request, but the model never saw it', async () => {
    const values = [
      user('hi'),
      assistant(
        'e1',
        text('API Error: 529'),
        { model: '<synthetic>' },
        { isApiErrorMessage: true },
      ),
      assistant('e2', text('No response requested.'), { model: '<synthetic>' }),
    ]
    expect(await story(values)).toEqual(['user: text hi', 'assistant: text No response requested.'])
    const recording = await only(values)
    expect([recording.messages, recording.model]).toEqual([3, null])
  })

  it('shows a prompt that was given to the model in the middle of a turn', async () => {
    const queue = (operation: string, content?: string): Line =>
      line('queue-operation', { operation, ...(content === undefined ? {} : { content }) })
    const attachment = { type: 'queued_command', prompt: 'and tests' }
    expect(
      await story([
        user('go'),
        queue('enqueue', 'and tests'),
        queue('enqueue', '/model'),
        queue('remove'),
        line('attachment', { attachment }),
        queue('remove'),
        queue('enqueue', 'next'),
        queue('dequeue'),
        user('next'),
      ]),
    ).toEqual(['user: text go', 'user: text and tests', 'user: text next'])
  })

  it('shows what attachments told the model, and nothing of those that are for the screen', async () => {
    expect(
      await story([
        user('go'),
        line('attachment', {
          attachment: { type: 'edited_text_file', filename: 'a.ts', snippet: '1\tx' },
        }),
        line('attachment', { attachment: { type: 'hook_cancelled', hookName: 'Stop' } }),
        line('last-prompt', { lastPrompt: 'go' }),
        line('system', { subtype: 'local_command', content: '<command-name>/cost</command-name>' }),
      ]),
    ).toEqual([
      'user: text go',
      'user: text <system-reminder>\nedited_text_file a.ts\n1\tx\n</system-reminder>',
      'user: text <command-name>/cost</command-name>',
    ])
  })

  it('ignores what is recorded for the screen only', async () => {
    const recording = await only([
      assistant('m1', use('a', 'Edit', {})),
      { ...result('a', 'ok'), toolUseResult: { originalFile: 'whole file' } },
    ])
    expect(JSON.stringify(recording)).not.toContain('whole file')
  })

  it('reports lines that make no sense and reads the rest', async () => {
    const { problems, recordings } = await read([
      user('hi'),
      { type: 'user', sessionId: 's1' },
      assistant('m1', text('yo')),
    ])
    expect(problems).toEqual([{ line: 2, message: 'this user line has no message' }])
    expect(recordings[0]!.messages).toBe(2)
  })
})
