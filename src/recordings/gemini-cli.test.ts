import { describe, expect, it } from 'vitest'
import { geminiCliReader } from './gemini-cli.ts'
import { readRecording } from './read-recording.ts'
import type { Recording, RecordingProblem } from './recording.ts'

type Fields = Readonly<Record<string, unknown>>
type Message = Extract<Recording['events'][number], { kind: 'message' }>['message']

function readValues(...values: readonly unknown[]): {
  recording: Recording
  problems: RecordingProblem[]
} {
  const problems: RecordingProblem[] = []
  const builder = geminiCliReader.open((problem) => problems.push(problem))
  for (const [index, value] of values.entries()) builder.add(value, index + 1)
  return { recording: builder.end()[0]!, problems }
}

const session = { sessionId: 's-1', projectHash: 'abc', startTime: '2026-01-01T00:00:00Z' }

function message(id: string, type: string, content: unknown, more: Fields = {}): Fields {
  return { id, timestamp: '2026-01-01T00:00:01.000Z', type, content, ...more }
}

function toolCall(id: string, output: unknown, more: Fields = {}): Fields {
  const result = [{ functionResponse: { id, name: 'read_file', response: output } }]
  return { id, name: 'read_file', args: { file_path: id }, status: 'success', result, ...more }
}

function messages({ events }: Recording): readonly Message[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
}

describe('a Gemini CLI session in one object', () => {
  it('becomes answers with their thoughts and calls, followed by what the tools gave back', () => {
    const { recording, problems } = readValues({
      ...session,
      messages: [
        message('1', 'user', 'hello'),
        message('2', 'info', 'Update available!'),
        message('3', 'gemini', 'reading', {
          model: 'gemini-9',
          thoughts: [{ subject: 'Plan', description: 'Read it.', timestamp: 'x' }],
          tokens: { input: 100, output: 5, cached: 60, thoughts: 7, tool: 0, total: 112 },
          toolCalls: [
            toolCall('a', { output: 'A' }, { timestamp: '2026-01-01T00:00:02.000Z' }),
            toolCall('b', { error: 'not found' }, { status: 'error' }),
            toolCall('c', { error: '[Operation Cancelled]' }, { status: 'cancelled' }),
            { id: 'd', name: 'read_file', args: {}, status: 'cancelled', result: null },
          ],
        }),
        message('4', 'error', 'quota'),
      ],
    })
    expect(problems).toEqual([])
    expect(recording).toEqual({
      format: 'gemini-cli',
      session: 's-1',
      parent: null,
      model: 'gemini-9',
      cwd: null,
      messages: 4,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: {
            role: 'user',
            id: '1',
            at: Date.parse('2026-01-01T00:00:01Z'),
            items: [{ kind: 'text', text: 'hello' }],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'assistant',
            id: '3',
            at: Date.parse('2026-01-01T00:00:01Z'),
            model: 'gemini-9',
            usage: { input: 100, output: 12, cacheRead: 60, cacheWrite: 0 },
            items: [
              { kind: 'reasoning', binding: 'plain', text: 'Plan\nRead it.' },
              { kind: 'text', text: 'reading' },
              { kind: 'call', tool: 'read_file', call: 'a', text: '{"file_path":"a"}' },
              { kind: 'call', tool: 'read_file', call: 'b', text: '{"file_path":"b"}' },
              { kind: 'call', tool: 'read_file', call: 'c', text: '{"file_path":"c"}' },
              { kind: 'call', tool: 'read_file', call: 'd', text: '{}' },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            at: Date.parse('2026-01-01T00:00:02Z'),
            items: [
              { kind: 'result', tool: 'read_file', call: 'a', status: 'ok', text: 'A' },
              { kind: 'result', tool: 'read_file', call: 'b', status: 'error', text: 'not found' },
              {
                kind: 'result',
                tool: 'read_file',
                call: 'c',
                status: 'error',
                text: '[Operation Cancelled]',
              },
            ],
          },
        },
      ],
    })
  })

  it('reads content and results in parts, with pictures, and never the display of a result', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const { recording } = readValues({
      ...session,
      messages: [
        message('1', 'user', [{ text: 'see ' }, picture]),
        message('2', 'gemini', '', {
          toolCalls: [
            {
              ...toolCall('a', { output: 'A' }, { resultDisplay: 'SECRET-COPY' }),
              result: [{ functionResponse: { response: { output: 'A' } } }, picture, { text: 'B' }],
            },
            toolCall('b', { rows: 3 }),
          ],
        }),
      ],
    })
    expect(messages(recording).map(({ items }) => items)).toMatchObject([
      [
        { kind: 'text', text: 'see ' },
        { kind: 'attachment', media: 'image/png' },
      ],
      [{ kind: 'call' }, { kind: 'call' }],
      [
        { kind: 'result', text: 'A\nB' },
        { kind: 'attachment', call: 'a' },
        { kind: 'result', text: '{"rows":3}' },
      ],
    ])
    expect(JSON.stringify(recording)).not.toContain('SECRET-COPY')
  })
})

describe('a Gemini CLI session in lines', () => {
  const first = message('1', 'user', 'one')
  const answer = message('2', 'gemini', 'reading', {
    toolCalls: [toolCall('a', { output: 'long A' })],
  })

  it('takes the last state of a message that was written several times, in its first place', () => {
    const { recording } = readValues(
      session,
      first,
      message('2', 'gemini', 'reading'),
      { $set: { lastUpdated: 'x' } },
      message('3', 'user', 'two'),
      answer,
    )
    expect(recording.messages).toBe(3)
    expect(messages(recording).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ])
  })

  it('goes back before the message that a rewind names', () => {
    const { recording } = readValues(
      session,
      first,
      answer,
      { $rewindTo: '2' },
      message('3', 'user', 'b'),
    )
    expect(recording.events[3]).toEqual({ kind: 'compaction', rewind: true, keeps: [0] })
    const unknown = readValues(session, first, { $rewindTo: 'gone' }).recording
    expect(unknown.events[1]).toEqual({ kind: 'compaction', rewind: true, keeps: [] })
  })

  it('reads a new list of messages as a compaction, with what was kept and what was written', () => {
    const summary = message('9', 'user', '<state_snapshot>…')
    const echo = message('8', 'user', [{ functionResponse: { id: 'a', response: {} } }])
    const { recording } = readValues(session, first, answer, {
      $set: { messages: [summary, answer, echo] },
    })
    expect(recording.events[3]).toEqual({ kind: 'compaction', keeps: [1, 2] })
    expect(messages(recording).at(-1)!.items).toEqual([{ kind: 'text', text: '<state_snapshot>…' }])
  })

  it('reads the same list with shorter results as a clearing', () => {
    const masked = { ...answer, toolCalls: [toolCall('a', { output: '[masked]' })] }
    const { recording } = readValues(session, first, answer, {
      $set: { messages: [first, masked] },
    })
    expect(recording.events.at(-1)).toEqual({
      kind: 'cleared',
      results: [{ message: 2, item: 0 }],
    })
  })

  it('is found by content', async () => {
    const lines = [session, first, answer].map((line) => JSON.stringify(line)).join('\n')
    expect((await readRecording([lines])).format).toBe('gemini-cli')
    const pretty = JSON.stringify({ ...session, messages: [first] }, null, 2)
    expect((await readRecording([pretty])).format).toBe('gemini-cli')
  })

  it('reports lines that are no records', () => {
    const { problems } = readValues(session, 5, { hello: 1 })
    expect(problems.map(({ line }) => line)).toEqual([2, 3])
  })
})
