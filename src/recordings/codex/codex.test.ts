import { describe, expect, it } from 'vitest'
import { countRecording } from '../anatomy-counts.ts'
import { readRecording } from '../read-recording.ts'
import type { Recording, RecordingFile } from '../recording.ts'

type Payload = Readonly<Record<string, unknown>>

const at = '2026-02-01T08:00:00.000Z'
const entry = (type: string, payload: Payload): Payload => ({ timestamp: at, type, payload })
const item = (payload: Payload): Payload => entry('response_item', payload)
const message = (role: string, ...texts: readonly string[]): Payload => {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', role, content: texts.map((text) => ({ type, text })) }
}
const call = (id: string, name = 'exec_command', rest: Payload = {}): Payload => ({
  type: 'function_call',
  name,
  call_id: id,
  arguments: '{"cmd": "ls"}',
  ...rest,
})
const output = (id: string, value: unknown): Payload => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
})
const tokens = (total: number, last: Payload): Payload =>
  entry('event_msg', {
    type: 'token_count',
    info: { total_token_usage: { total_tokens: total }, last_token_usage: last },
  })

const read = (values: readonly Payload[]): Promise<RecordingFile> =>
  readRecording([values.map((value) => `${JSON.stringify(value)}\n`).join('')])
async function only(values: readonly Payload[]): Promise<Recording> {
  const { recordings } = await read(values)
  expect(recordings).toHaveLength(1)
  return recordings[0]!
}
async function story(values: readonly Payload[]): Promise<readonly string[]> {
  return (await only(values)).events.map((event) => {
    if (event.kind === 'cleared') return 'cleared'
    if (event.kind === 'compaction')
      return `${event.rewind ? 'rewind' : 'compaction'} keeps ${event.keeps.join(',')}`
    const items = event.message.items.map(({ kind, text }) => `${kind} ${text}`)
    return `${event.message.role}: ${items.join(' | ')}`
  })
}

describe('a Codex rollout', () => {
  it('of code mode has the tools in a message, failed programs, and what a program said before its end', async () => {
    const exec = (id: string): Payload => {
      return { type: 'custom_tool_call', call_id: id, name: 'exec', input: 'text("a")' }
    }
    const printed = (id: string, state: string, ...texts: readonly string[]): Payload => ({
      type: 'custom_tool_call_output',
      call_id: id,
      output: [`Script ${state}\nWall time 0.1 seconds\nOutput:\n`, ...texts].map((text) => ({
        type: 'input_text',
        text,
      })),
    })
    const notice = { type: 'custom_tool_call_output', call_id: 'a', name: 'exec', output: 'soon' }
    const tools = [{ type: 'namespace', name: 'functions', tools: [] }]
    const values = [
      item({ type: 'additional_tools', role: 'developer', tools }),
      item(message('user', 'hi')),
      item(exec('a')),
      item(printed('a', 'completed', 'a')),
      item(notice),
      item(exec('b')),
      item(printed('b', 'failed', 'Script error:\nno')),
    ]
    const { recordings, problems } = await read(values)
    expect(problems).toEqual([])
    const messages = recordings[0]!.events.flatMap((event) =>
      event.kind === 'message' ? [event.message] : [],
    )
    expect(messages[0]).toMatchObject({
      role: 'developer',
      items: [{ kind: 'marker', marker: 'additional_tools', opaque: true }],
    })
    const results = messages.flatMap(({ items }) =>
      items.flatMap((each) => (each.kind === 'result' ? [[each.status, each.text]] : [])),
    )
    expect(results).toEqual([
      ['ok', 'Script completed\nWall time 0.1 seconds\nOutput:\n\na'],
      ['ok', 'soon'],
      ['error', 'Script failed\nWall time 0.1 seconds\nOutput:\n\nScript error:\nno'],
    ])
  })

  it('becomes a conversation of its response items, with the model, the place and the figures', async () => {
    const usage = { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7 }
    expect(
      await only([
        entry('session_meta', { id: 'c1', cwd: '/repo', base_instructions: { text: 'system' } }),
        entry('event_msg', { type: 'user_message', message: 'hi' }),
        entry('turn_context', { model: 'gpt-x', cwd: '/repo' }),
        item(message('user', 'hi')),
        item({ type: 'reasoning', summary: [], encrypted_content: 'xxx' }),
        entry('event_msg', { type: 'agent_message', message: 'yes' }),
        item({ ...message('assistant', 'yes'), id: 'msg_1' }),
        item(call('c_1')),
        item(output('c_1', 'Chunk ID: 1\nProcess exited with code 0\nOutput:\nx')),
        tokens(107, usage),
      ]),
    ).toEqual({
      format: 'codex',
      session: 'c1',
      parent: null,
      model: 'gpt-x',
      cwd: '/repo',
      messages: 3,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: { role: 'user', items: [{ kind: 'text', text: 'hi' }], at: Date.parse(at) },
        },
        {
          kind: 'message',
          message: {
            role: 'assistant',
            at: Date.parse(at),
            model: 'gpt-x',
            usage: { input: 100, output: 7, cacheRead: 60, cacheWrite: 0 },
            items: [
              { kind: 'reasoning', text: '', binding: 'opaque' },
              { kind: 'text', text: 'yes' },
              { kind: 'call', tool: 'exec_command', call: 'c_1', text: '{"cmd": "ls"}' },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            at: Date.parse(at),
            items: [
              {
                kind: 'result',
                tool: 'exec_command',
                call: 'c_1',
                status: 'ok',
                text: 'Chunk ID: 1\nProcess exited with code 0\nOutput:\nx',
              },
            ],
          },
        },
      ],
    })
  })

  it('makes one answer of what the model said in one go, with its parallel calls', async () => {
    expect(
      await story([
        item(message('developer', 'rules', 'more')),
        item(message('user', 'go')),
        item(call('a')),
        item(call('b')),
        item(output('b', 'B')),
        item(output('a', 'A')),
        item(message('assistant', 'one')),
        tokens(10, { input_tokens: 1 }),
        item(message('assistant', 'two')),
      ]),
    ).toEqual([
      'developer: text rules | text more',
      'user: text go',
      'assistant: call {"cmd": "ls"} | call {"cmd": "ls"}',
      'tool: result B',
      'tool: result A',
      'assistant: text one',
      'assistant: text two',
    ])
  })

  it('gives an answer its figures once, not those that only refresh the rate limits', async () => {
    const recording = await only([
      item(message('assistant', 'one')),
      tokens(10, { input_tokens: 8, output_tokens: 2 }),
      tokens(10, { input_tokens: 8, output_tokens: 2 }),
      item(message('user', 'more')),
      item(message('assistant', 'two')),
    ])
    const figures = recording.events.map((event) => event.kind === 'message' && event.message.usage)
    expect(figures).toEqual([
      { input: 8, output: 2, cacheRead: 0, cacheWrite: 0 },
      undefined,
      undefined,
    ])
  })

  it('reads custom tools, searches of the provider and tools behind a search', async () => {
    const recording = await only([
      item({
        type: 'custom_tool_call',
        name: 'apply_patch',
        call_id: 'p',
        input: '*** Begin Patch',
      }),
      item({ type: 'custom_tool_call_output', call_id: 'p', output: 'done' }),
      item({ type: 'web_search_call', status: 'completed', action: { query: 'q' } }),
      item({ type: 'web_search_call', status: 'completed', action: { query: 'q' } }),
      item({ type: 'tool_search_call', call_id: 's', arguments: { query: 'git' } }),
      item({ type: 'tool_search_output', call_id: 's', tools: [{ name: 't' }] }),
      item(call('m', 'fetch', { namespace: 'mcp__hub' })),
      item({ type: 'ghost_snapshot', ghost_commit: { id: 'g' } }),
    ])
    const items = recording.events.flatMap((event) =>
      event.kind === 'message' ? event.message.items : [],
    )
    expect(items).toEqual([
      { kind: 'call', tool: 'apply_patch', call: 'p', text: '*** Begin Patch' },
      { kind: 'result', tool: 'apply_patch', call: 'p', status: 'ok', text: 'done' },
      { kind: 'call', tool: 'web_search', call: 'web_search', text: '{"query":"q"}', opaque: true },
      {
        kind: 'call',
        tool: 'web_search',
        call: 'web_search~2',
        text: '{"query":"q"}',
        opaque: true,
      },
      { kind: 'call', tool: 'tool_search', call: 's', text: '{"query":"git"}' },
      { kind: 'result', tool: 'tool_search', call: 's', status: 'ok', text: '[{"name":"t"}]' },
      { kind: 'call', tool: 'mcp__hub__fetch', call: 'm', text: '{"cmd": "ls"}' },
    ])
    const { calls, missing } = countRecording(recording)
    expect({ calls, missing }).toEqual({ calls: 5, missing: 1 })
  })

  it('keeps of a compaction what it repeats, and adds only what it wrote', async () => {
    const values = [
      item(message('developer', 'rules')),
      item(message('user', 'first')),
      item(message('assistant', 'one')),
      item(message('user', 'first')),
      item(call('a')),
      item(output('a', 'A')),
      entry('compacted', {
        message: '',
        replacement_history: [
          message('user', 'first'),
          message('user', 'first'),
          message('developer', 'rules, changed'),
          { type: 'compaction', encrypted_content: 'xxx' },
        ],
      }),
      item(message('assistant', 'two')),
    ]
    expect(await story(values)).toEqual([
      'developer: text rules',
      'user: text first',
      'assistant: text one',
      'user: text first',
      'assistant: call {"cmd": "ls"}',
      'tool: result A',
      'compaction keeps 1,3',
      'developer: text rules, changed',
      'user: marker ',
      'assistant: text two',
    ])
    expect((await only(values)).messages).toBe(6)
  })

  it('keeps calls and answers that a compaction repeats, as whole messages', async () => {
    expect(
      await story([
        item(message('user', 'go')),
        item(message('assistant', 'so')),
        item(call('a')),
        item(output('a', 'A')),
        entry('compacted', {
          replacement_history: [message('assistant', 'so'), call('a'), output('a', 'A')],
        }),
      ]),
    ).toEqual([
      'user: text go',
      'assistant: text so | call {"cmd": "ls"}',
      'tool: result A',
      'compaction keeps 1,2',
    ])
  })

  it('keeps what the user said in a compaction that has a summary only', async () => {
    expect(
      await story([
        item(message('user', 'go')),
        item(message('assistant', 'so')),
        entry('compacted', { message: 'in short' }),
      ]),
    ).toEqual(['user: text go', 'assistant: text so', 'compaction keeps 0', 'user: text in short'])
  })

  it('takes turns out of view that the user rolled back, which is no compaction', async () => {
    const values = [
      item(message('user', 'one')),
      item(message('assistant', 'yes')),
      item(message('user', 'two')),
      item(message('assistant', 'no')),
      entry('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
    ]
    expect((await story(values)).at(-1)).toBe('rewind keeps 0,1')
    expect(countRecording(await only(values)).compactions).toBe(0)
  })

  it('marks a result as failed where the recording says so, not by the exit code in its text', async () => {
    const recording = await only([
      item(call('a')),
      item(call('b')),
      item(output('a', 'Process exited with code 1\nOutput:\n')),
      item(output('b', { content: 'denied', success: false })),
    ])
    const results = recording.events
      .slice(1)
      .map((event) => event.kind === 'message' && event.message)
    expect(results.map((result) => (result ? result.items[0] : null))).toEqual([
      {
        kind: 'result',
        tool: 'exec_command',
        call: 'a',
        status: 'ok',
        text: 'Process exited with code 1\nOutput:\n',
      },
      { kind: 'result', tool: 'exec_command', call: 'b', status: 'error', text: 'denied' },
    ])
  })

  it.each([
    [
      'apply_patch',
      'apply_patch verification failed: Failed to find expected lines in a.ts',
      'error',
    ],
    ['apply_patch', 'Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file', 'error'],
    ['apply_patch', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', 'ok'],
    [
      'exec_command',
      'exec_command failed for `ls`: CreateProcess { message: "Rejected" }',
      'error',
    ],
    ['exec_command', 'Exit code: 1\nOutput:\napply_patch verification failed', 'ok'],
    ['nope', 'unsupported call: nope', 'error'],
  ])('takes what %s was refused for failed: %s', async (tool, text, status) => {
    const recording = await only([item(call('a', tool)), item(output('a', text))])
    const last = recording.events.at(-1)!
    expect(last.kind === 'message' && last.message.items).toEqual([
      { kind: 'result', tool, call: 'a', status, text },
    ])
  })

  it('names an image that a tool gave back', async () => {
    const recording = await only([
      item(call('a', 'view_image')),
      item(output('a', [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }])),
    ])
    const last = recording.events.at(-1)!
    expect(last.kind === 'message' && last.message.items.map(({ kind }) => kind)).toEqual([
      'result',
      'attachment',
    ])
    expect(JSON.stringify(last)).not.toContain('base64,AAAA')
  })

  it('knows the session that started a sub-agent, and its own name among those of its origin', async () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'p1' } } }
    const recording = await only([
      entry('session_meta', { id: 'c2', source }),
      entry('session_meta', { id: 'p1' }),
    ])
    expect([recording.session, recording.parent, recording.events]).toEqual(['c2', 'p1', []])
  })

  it('reads a rollout of the oldest versions, whose items are bare', async () => {
    const values = [
      { id: 'old', timestamp: at, instructions: null },
      { record_type: 'state' },
      message('user', 'hi'),
      { type: 'local_shell_call', call_id: 'l', action: { command: ['ls'] } },
      output('l', 'x'),
    ]
    expect((await read(values)).format).toBe('codex')
    expect(await story(values)).toEqual([
      'user: text hi',
      'assistant: call {"command":["ls"]}',
      'tool: result x',
    ])
  })
})
