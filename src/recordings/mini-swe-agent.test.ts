import { describe, expect, it } from 'vitest'
import { miniSweAgentReader } from './mini-swe-agent.ts'
import { readRecording } from './read-recording.ts'
import type { Recording, RecordingProblem } from './recording.ts'

type Fields = Readonly<Record<string, unknown>>
type Message = Extract<Recording['events'][number], { kind: 'message' }>['message']

function read(
  messages: readonly unknown[],
  more: Fields = {},
): {
  recording: Recording
  problems: RecordingProblem[]
} {
  const problems: RecordingProblem[] = []
  const builder = miniSweAgentReader.open((problem) => problems.push(problem))
  builder.add({ trajectory_format: 'mini-swe-agent-1', info: {}, messages, ...more }, 1)
  return { recording: builder.end()[0]!, problems }
}

function messages({ events }: Recording): readonly Message[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
}

function fenced(...commands: readonly string[]): string {
  return ['THOUGHT: look.', ...commands.map((line) => `\`\`\`bash\n${line}\n\`\`\``)].join('\n\n')
}

const bash = (id: string, command: string): Fields => {
  const input = JSON.stringify({ command })
  return { id, type: 'function', function: { name: 'bash', arguments: input } }
}

describe('a mini-swe-agent trajectory with commands in text', () => {
  it('has the command of an answer as its call and the next message as the result', () => {
    const response = {
      id: 'gen-1',
      model: 'google/gemini-9',
      created: 1_767_225_601,
      choices: [{ message: { content: 'SECRET-COPY', reasoning: 'SECRET-COPY' } }],
      usage: {
        prompt_tokens: 50,
        completion_tokens: 6,
        prompt_tokens_details: { cached_tokens: 40 },
      },
    }
    const { recording, problems } = read(
      [
        { role: 'system', content: 'You are…' },
        { role: 'user', content: 'Fix it.' },
        { role: 'assistant', content: `${fenced('ls -la')}\n\nThen we see.`, extra: { response } },
        { role: 'user', content: '<returncode>1</returncode>\n<output>\na\n</output>' },
      ],
      {
        instance_id: 'shop-1',
        info: { config: { environment: { cwd: '/testbed' }, model: { model_name: 'other' } } },
      },
    )
    expect(problems).toEqual([])
    expect(recording).toEqual({
      format: 'mini-swe-agent',
      session: 'shop-1',
      parent: null,
      model: 'google/gemini-9',
      cwd: '/testbed',
      messages: 4,
      subagentRecords: 0,
      events: [
        { role: 'system', items: [{ kind: 'text', text: 'You are…' }] },
        { role: 'user', items: [{ kind: 'text', text: 'Fix it.' }] },
        {
          role: 'assistant',
          id: 'gen-1',
          at: 1_767_225_601_000,
          model: 'google/gemini-9',
          usage: { input: 50, output: 6, cacheRead: 40, cacheWrite: 0 },
          items: [
            { kind: 'text', text: 'THOUGHT: look.' },
            { kind: 'call', tool: 'bash', call: 'call', text: 'ls -la' },
            { kind: 'text', text: 'Then we see.' },
          ],
        },
        {
          role: 'tool',
          items: [
            {
              kind: 'result',
              tool: 'bash',
              call: 'call',
              status: 'ok',
              text: '<returncode>1</returncode>\n<output>\na\n</output>',
            },
          ],
        },
      ].map((message) => ({ kind: 'message', message })),
    })
  })

  it('marks several commands in one answer as one attempt that failed, for none of them was run', () => {
    const reply = 'Please always provide EXACTLY ONE action in triple backticks, found 2 actions.'
    const { recording } = read([
      { role: 'assistant', content: fenced('echo x > a', 'cat a') },
      { role: 'user', content: reply },
    ])
    const call = { tool: 'bash', call: 'call' }
    expect(messages(recording).map(({ items }) => items)).toEqual([
      [
        { kind: 'text', text: 'THOUGHT: look.' },
        { kind: 'call', ...call, text: '```bash\necho x > a\n```\n\n```bash\ncat a\n```' },
      ],
      [{ kind: 'result', ...call, status: 'error', text: reply }],
    ])
  })

  it('takes an answer without a command as talk, and the reply as a message of the user', () => {
    const { recording } = read([
      { role: 'assistant', content: 'Let me think.\n```python\nprint()\n```' },
      { role: 'user', content: 'Please always provide EXACTLY ONE action.' },
    ])
    expect(messages(recording).map(({ role, items }) => [role, items[0]!.kind])).toEqual([
      ['assistant', 'text'],
      ['user', 'text'],
    ])
  })

  it('reads the fence of version 2, and commands that span lines', () => {
    const content = 'So:\n```mswea_bash_command\ncat > a <<EOF\n1\nEOF\n```'
    const { recording } = read([{ role: 'assistant', content }])
    expect(messages(recording)[0]!.items[1]).toMatchObject({ text: 'cat > a <<EOF\n1\nEOF' })
  })
})

describe('a mini-swe-agent trajectory with tool calls', () => {
  it('pairs results by id and takes the exit as the result of the call that submitted', () => {
    const { recording } = read(
      [
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [bash('t1', 'ls'), bash('t2', 'pwd')],
          extra: { timestamp: 1_767_225_601.5, response: {} },
        },
        { role: 'tool', tool_call_id: 't2', content: '/', extra: { raw_output: '/' } },
        { role: 'tool', tool_call_id: 't1', content: 'a' },
        { role: 'assistant', content: 'done', tool_calls: [bash('t3', 'submit')] },
        { role: 'exit', content: 'diff --git', extra: { exit_status: 'Submitted' } },
      ],
      { trajectory_format: 'mini-swe-agent-1.1' },
    )
    expect(recording.messages).toBe(5)
    expect(messages(recording)).toEqual([
      {
        role: 'assistant',
        at: 1_767_225_601_500,
        items: [
          { kind: 'reasoning', binding: 'plain', text: 'hm' },
          { kind: 'call', tool: 'bash', call: 't1', text: '{"command":"ls"}' },
          { kind: 'call', tool: 'bash', call: 't2', text: '{"command":"pwd"}' },
        ],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'bash', call: 't2', status: 'ok', text: '/' }],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'bash', call: 't1', status: 'ok', text: 'a' }],
      },
      {
        role: 'assistant',
        items: [
          { kind: 'text', text: 'done' },
          { kind: 'call', tool: 'bash', call: 't3', text: '{"command":"submit"}' },
        ],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'bash', call: 't3', status: 'ok', text: 'diff --git' }],
      },
    ])
  })

  it('marks calls that the agent could not use as failed', () => {
    const { recording } = read([
      { role: 'assistant', content: '', tool_calls: [bash('t1', 'ls')] },
      { role: 'user', content: "Unknown tool 'sh'.", extra: { interrupt_type: 'FormatError' } },
      { role: 'exit', content: '', extra: { exit_status: 'LimitsExceeded' } },
    ])
    expect(messages(recording).slice(1)).toEqual([
      {
        role: 'tool',
        items: [
          { kind: 'result', tool: 'bash', call: 't1', status: 'error', text: "Unknown tool 'sh'." },
        ],
      },
      { role: 'user', items: [{ kind: 'marker', marker: 'exit', text: '' }] },
    ])
  })

  it('reads items of the Responses API', () => {
    const { recording } = read([
      {
        object: 'response',
        id: 'resp_1',
        model: 'gpt-9',
        usage: { input_tokens: 9, output_tokens: 1, input_tokens_details: { cached_tokens: 4 } },
        output: [
          { type: 'reasoning', summary: [], encrypted_content: 'x' },
          { type: 'message', content: [{ type: 'output_text', text: 'now' }] },
          { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{"command":"ls"}' },
        ],
      },
      { type: 'function_call_output', call_id: 'c1', output: 'a' },
    ])
    expect(messages(recording)).toEqual([
      {
        role: 'assistant',
        id: 'resp_1',
        model: 'gpt-9',
        usage: { input: 9, output: 1, cacheRead: 4, cacheWrite: 0 },
        items: [
          { kind: 'reasoning', binding: 'opaque', text: '' },
          { kind: 'text', text: 'now' },
          { kind: 'call', tool: 'bash', call: 'c1', text: '{"command":"ls"}' },
        ],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'bash', call: 'c1', status: 'ok', text: 'a' }],
      },
    ])
  })

  it('is found by content, and damaged messages are reported', async () => {
    const value = { messages: [{ role: 'user', content: 'x' }], info: { mini_version: '2.0' } }
    expect((await readRecording([JSON.stringify(value, null, 2)])).format).toBe('mini-swe-agent')
    expect(read([7]).problems).toEqual([{ line: 1, message: 'message 0 is not an object' }])
  })
})
