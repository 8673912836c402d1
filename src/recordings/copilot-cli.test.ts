import { describe, expect, it } from 'vitest'
import { readRecording } from './read-recording.ts'
import type { Recording } from './recording.ts'

type Data = Readonly<Record<string, unknown>>

const at = '2026-03-01T09:00:00.000Z'
const event = (type: string, data: Data, rest: Data = {}): Data => ({
  type,
  data,
  id: 'e',
  parentId: null,
  timestamp: at,
  ...rest,
})
const request = (toolCallId: string, name: string, input: unknown): Data => ({
  toolCallId,
  name,
  arguments: input,
})

async function only(values: readonly Data[]): Promise<Recording> {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const { format, recordings } = await readRecording([text])
  expect([format, recordings.length]).toEqual(['copilot-cli', 1])
  return recordings[0]!
}

const story = (recording: Recording): readonly string[] =>
  recording.events.map((entry) => {
    if (entry.kind !== 'message') return entry.kind
    const items = entry.message.items.map(({ kind, text }) => `${kind} ${text}`)
    return `${entry.message.role}: ${items.join(' | ')}`
  })

describe('a Copilot CLI recording', () => {
  it('joins request, start and completion by the id of the call', async () => {
    const input = { command: 'ls' }
    expect(
      await only([
        event('session.start', { sessionId: 'p1', context: { cwd: '/repo' } }),
        event('session.model_change', { newModel: 'model-a' }),
        event('system.message', { role: 'system', content: 'be kind' }),
        event('hook.start', { hookType: 'userPromptSubmitted', input: { prompt: 'hi' } }),
        event('user.message', { content: 'hi', transformedContent: '<now>9:00</now>\nhi' }),
        event('assistant.message', {
          messageId: 'm1',
          content: '',
          reasoningText: 'hm',
          reasoningOpaque: 'xx',
          toolRequests: [request('t1', 'bash', input)],
        }),
        event('tool.execution_start', { toolCallId: 't1', toolName: 'bash', arguments: input }),
        event('hook.end', { hookType: 'preToolUse', success: true }),
        event('tool.execution_complete', {
          toolCallId: 't1',
          success: true,
          result: { content: 'a.ts', detailedContent: 'a.ts in full' },
        }),
      ]),
    ).toEqual({
      format: 'copilot-cli',
      session: 'p1',
      parent: null,
      model: 'model-a',
      cwd: '/repo',
      messages: 3,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: {
            role: 'system',
            items: [{ kind: 'text', text: 'be kind' }],
            at: Date.parse(at),
          },
        },
        {
          kind: 'message',
          message: {
            role: 'user',
            items: [{ kind: 'text', text: '<now>9:00</now>\nhi' }],
            at: Date.parse(at),
          },
        },
        {
          kind: 'message',
          message: {
            role: 'assistant',
            id: 'm1',
            at: Date.parse(at),
            model: 'model-a',
            items: [
              { kind: 'reasoning', text: 'hm', binding: 'signed' },
              { kind: 'call', tool: 'bash', call: 't1', text: '{"command":"ls"}' },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            at: Date.parse(at),
            items: [{ kind: 'result', tool: 'bash', call: 't1', status: 'ok', text: 'a.ts' }],
          },
        },
      ],
    })
  })

  it('shows a failure as what it said, and parallel results in the order of their calls', async () => {
    const recording = await only([
      event('assistant.message', {
        messageId: 'm1',
        content: 'two at once',
        toolRequests: [request('a', 'view', {}), request('b', 'bash', {})],
      }),
      event('tool.execution_complete', {
        toolCallId: 'b',
        success: false,
        error: { message: 'no' },
      }),
      event('tool.execution_complete', {
        toolCallId: 'a',
        success: true,
        result: { content: 'A' },
      }),
    ])
    const results = recording.events
      .slice(1)
      .map((entry) => entry.kind === 'message' && entry.message)
    expect(results.map((result) => (result ? result.items : null))).toEqual([
      [{ kind: 'result', tool: 'view', call: 'a', status: 'ok', text: 'A' }],
      [{ kind: 'result', tool: 'bash', call: 'b', status: 'error', text: 'no' }],
    ])
  })

  it.each([
    ['view', '@@ -1,0 +1,0 @@\n\n', ''],
    ['view', '@@ -61,1 +61,1 @@\n \n', ''],
    ['view', '@@ -61,1 +61,1 @@\n one\n', null],
    ['bash', '@@ -1,0 +1,0 @@\n\n', null],
  ])('has %s with the diff %j give what the model got', async (tool, hunk, got) => {
    const name = 'a/repo/my notes.js'
    const content = `\ndiff --git ${name} ${name}\nindex 0..0 100644\n--- ${name}\n+++ ${name}\n${hunk}`
    const recording = await only([
      event('assistant.message', { messageId: 'm', toolRequests: [request('a', tool, {})] }),
      event('tool.execution_complete', {
        toolCallId: 'a',
        success: true,
        result: { content, detailedContent: content },
      }),
    ])
    expect(story(recording).at(-1)).toBe(`tool: result ${got ?? content}`)
  })

  it('adds a call that was started without being requested', async () => {
    const recording = await only([
      event('assistant.message', { messageId: 'm1', content: 'so' }),
      event('tool.execution_start', {
        toolCallId: 'x',
        toolName: 'view',
        arguments: { path: 'a' },
      }),
      event('tool.execution_complete', {
        toolCallId: 'x',
        success: true,
        result: { content: 'A' },
      }),
    ])
    expect(story(recording)).toEqual(['assistant: text so | call {"path":"a"}', 'tool: result A'])
  })

  it('shows notices of the system, counts them not', async () => {
    const recording = await only([
      event('user.message', { content: 'hi' }),
      event('system.notification', { content: '<system_notification>done</system_notification>' }),
      event('assistant.message', { messageId: 'm', content: '', reasoningOpaque: 'xx' }),
    ])
    expect(story(recording)).toEqual([
      'user: text hi',
      'user: text <system_notification>done</system_notification>',
      'assistant: reasoning ',
    ])
    expect(recording.messages).toBe(2)
  })

  it('keeps the records of sub-agents out of the conversation', async () => {
    const recording = await only([
      event('user.message', { content: 'hi' }),
      event('assistant.message', { messageId: 'm', content: 'inner', parentToolCallId: 't' }),
      event('tool.execution_start', { toolCallId: 'i', toolName: 'view' }, { agentId: 'a' }),
    ])
    expect([story(recording), recording.subagentRecords]).toEqual([['user: text hi'], 2])
  })

  it('cuts at a compaction and keeps the system prompt', async () => {
    const recording = await only([
      event('system.message', { role: 'system', content: 'be kind' }),
      event('user.message', { content: 'hi' }),
      event('session.compaction_start', {}),
      event('session.compaction_complete', { success: true, summaryContent: 'in short' }),
    ])
    expect(recording.events.slice(2)).toEqual([
      { kind: 'compaction', keeps: [0], at: Date.parse(at) },
      {
        kind: 'message',
        message: { role: 'user', items: [{ kind: 'text', text: 'in short' }], at: Date.parse(at) },
      },
    ])
  })

  it('takes the figures of a request where they are recorded', async () => {
    const recording = await only([
      event('assistant.message', { messageId: 'm', content: 'yes' }),
      event('assistant.usage', { inputTokens: 90, outputTokens: 3, cacheReadTokens: 50 }),
    ])
    const answer = recording.events[0]!
    expect(answer.kind === 'message' && answer.message.usage).toEqual({
      input: 90,
      output: 3,
      cacheRead: 50,
      cacheWrite: 0,
    })
  })
})
