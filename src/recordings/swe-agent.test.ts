import { describe, expect, it } from 'vitest'
import { readRecording } from './read-recording.ts'
import type { Recording, RecordingProblem } from './recording.ts'
import { sweAgentReader } from './swe-agent.ts'

type Fields = Readonly<Record<string, unknown>>
type Message = Extract<Recording['events'][number], { kind: 'message' }>['message']

function readAll(value: unknown): {
  recordings: readonly Recording[]
  problems: RecordingProblem[]
} {
  const problems: RecordingProblem[] = []
  const builder = sweAgentReader.open((problem) => problems.push(problem))
  builder.add(value, 1)
  return { recordings: builder.end(), problems }
}

function read(
  trajectory: readonly Fields[],
  history: readonly Fields[],
  more: Fields = {},
): Recording {
  return readAll({ environment: 'main', trajectory, history, info: {}, ...more }).recordings[0]!
}

function step(action: string, observation: string, more: Fields = {}): Fields {
  const response = `do it\n\`\`\`\n${action}\n\`\`\``
  const state = '{"open_file": "n/a", "working_dir": "/repo"}'
  return { action, observation, response, thought: 'do it\n', state, ...more }
}

function asked(content: unknown, more: Fields = {}): Fields {
  return { role: 'user', content, agent: 'main', message_type: 'observation', ...more }
}

function acted(action: string, more: Fields = {}): Fields {
  const content = `do it\n\`\`\`\n${action}\n\`\`\``
  return { role: 'assistant', content, thought: 'do it\n', action, agent: 'main', ...more }
}

function messages({ events }: Recording): readonly Message[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
}

function outline(recording: Recording): readonly string[] {
  return messages(recording).map(
    ({ role, items }) => `${role}: ${items.map(({ kind, text }) => `${kind} ${text}`).join(', ')}`,
  )
}

const system = { role: 'system', content: 'You are…', agent: 'main' }

describe('a SWE-agent trajectory', () => {
  it('of the text protocol has a call for each step, with the result as the model saw it', () => {
    const edit = 'edit 10:20\nreturn 1\nend_of_edit'
    const recording = read(
      [step('ls -a\n', 'a.py'), step(edit, '[File: a.py]'), step('submit\n', 'diff --git')],
      [
        system,
        asked('Fix it.'),
        acted('ls -a\n'),
        asked('a.py\n(Open file: n/a)'),
        acted(edit),
        asked('[File: a.py]\n(Open file: /repo/a.py)'),
        acted('submit\n'),
      ],
    )
    expect(recording).toEqual({
      format: 'swe-agent',
      session: null,
      parent: null,
      model: null,
      cwd: '/repo',
      messages: 7,
      subagentRecords: 0,
      events: [
        { role: 'system', items: [{ kind: 'text', text: 'You are…' }] },
        { role: 'user', items: [{ kind: 'text', text: 'Fix it.' }] },
        {
          role: 'assistant',
          items: [
            { kind: 'text', text: 'do it' },
            { kind: 'call', tool: 'bash', call: 'call', text: 'ls -a' },
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
              text: 'a.py\n(Open file: n/a)',
            },
          ],
        },
        {
          role: 'assistant',
          items: [
            { kind: 'text', text: 'do it' },
            { kind: 'call', tool: 'edit', call: 'call~2', text: edit },
          ],
        },
        {
          role: 'tool',
          items: [
            {
              kind: 'result',
              tool: 'edit',
              call: 'call~2',
              status: 'ok',
              text: '[File: a.py]\n(Open file: /repo/a.py)',
            },
          ],
        },
        {
          role: 'assistant',
          items: [
            { kind: 'text', text: 'do it' },
            { kind: 'call', tool: 'submit', call: 'call~3', text: 'submit' },
          ],
        },
        {
          role: 'tool',
          items: [
            { kind: 'result', tool: 'submit', call: 'call~3', status: 'ok', text: 'diff --git' },
          ],
        },
      ].map((message) => ({ kind: 'message', message })),
    })
  })

  it('of function calling keeps the recorded calls apart when an id comes twice', () => {
    const called = (action: string, name: string, input: string): Fields =>
      acted(action, {
        content: 'now',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: input } }],
        thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 's' }],
      })
    const observed = (content: string): Fields =>
      asked(content, { role: 'tool', tool_call_ids: ['call_1'] })
    const recording = read(
      [step('open a.py', 'x\r\n'), step('ls', 'y')],
      [
        called('open a.py', 'open', '{"path":"a.py"}'),
        observed('x\r\n(Open file: a.py)'),
        called('ls', 'bash', '{"command":"ls"}'),
        observed('y'),
      ],
    )
    expect(messages(recording).map(({ items }) => items.at(-1))).toEqual([
      { kind: 'call', tool: 'open', call: 'call_1', text: '{"path":"a.py"}' },
      {
        kind: 'result',
        tool: 'open',
        call: 'call_1',
        status: 'ok',
        text: 'x\r\n(Open file: a.py)',
      },
      { kind: 'call', tool: 'bash', call: 'call_1~2', text: '{"command":"ls"}' },
      { kind: 'result', tool: 'bash', call: 'call_1~2', status: 'ok', text: 'y' },
    ])
    expect(messages(recording)[0]!.items[0]).toEqual({
      kind: 'reasoning',
      binding: 'signed',
      text: 'hm',
    })
  })

  it('marks an edit that the editor refused, so that nobody takes it as done', () => {
    const refusal = 'Your proposed edit has introduced new syntax error(s). Please read…'
    const recording = read([step('edit 1:1\nx\nend_of_edit', refusal)], [])
    expect(messages(recording)[1]!.items[0]).toMatchObject({ kind: 'result', status: 'error' })
  })

  it('takes a demonstration as part of the prompt, without calls and without answers', () => {
    const recording = read(
      [step('ls', 'a')],
      [
        system,
        asked('Here is a demonstration.', { is_demo: true }),
        acted('ls demo', { is_demo: true }),
        asked('demo', { is_demo: true }),
        asked('Fix it.'),
        acted('ls'),
        asked('a'),
      ],
    )
    expect(messages(recording).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'user',
      'user',
      'user',
      'assistant',
      'tool',
    ])
    expect(recording.messages).toBe(7)
  })

  it('has the steps that the history leaves out: refused answers, and the exit', () => {
    const recording = read(
      [
        step('', 'Your output was not formatted correctly.', { response: 'I will' }),
        step('ls', 'a'),
        step('exit_cost', '', { response: 'Exit due to cost limit', thought: 'Exit' }),
      ],
      [asked('Fix it.'), acted('ls'), asked('a')],
    )
    expect(outline(recording)).toEqual([
      'user: text Fix it.',
      'assistant: text I will',
      'user: text Your output was not formatted correctly.',
      'assistant: text do it, call ls',
      'tool: result a',
      'assistant: text Exit, call exit_cost',
      'tool: result ',
    ])
  })

  it('is readable without a history, and with content in blocks', () => {
    expect(outline(read([step('ls', 'a')], []))).toEqual([
      'assistant: text do it, call ls',
      'tool: result a',
    ])
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const blocks = [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }, picture]
    const [, answer] = messages(read([step('ls', 'a')], [acted('ls'), asked(blocks)]))
    expect(answer!.items).toMatchObject([
      { kind: 'result', text: 'a' },
      { kind: 'attachment', media: 'image/png' },
    ])
  })

  it('never takes the whole prompt that some versions repeat in every step', () => {
    const recording = read(
      [step('ls', 'a', { messages: [{ content: 'PROMPT' }], query: ['PROMPT'] })],
      [],
    )
    expect(JSON.stringify(recording)).not.toContain('PROMPT')
  })

  it('reads state and configuration as text or as objects', () => {
    const config = { agent: { model: { name: 'gpt-9' } } }
    const inObjects = read([step('ls', 'a', { state: { working_dir: '/w' } })], [], {
      replay_config: config,
    })
    const inText = read([step('ls', 'a', { state: '{"working_dir":"/w"}' })], [], {
      replay_config: JSON.stringify(config),
    })
    expect([inObjects.cwd, inObjects.model]).toEqual(['/w', 'gpt-9'])
    expect(inText).toEqual(inObjects)
    expect(read([step('ls', 'a', { state: 'not JSON' })], []).cwd).toBe(null)
  })

  it('with several attempts is the chosen one, or all of them before the choice', () => {
    const attempt = { trajectory: [step('ls', 'a')], history: [] }
    expect(readAll({ attempts: [attempt, attempt] }).recordings.length).toBe(2)
    expect(readAll({ attempts: [attempt, attempt], ...attempt }).recordings.length).toBe(1)
  })

  it('is found by content, and something else is reported', async () => {
    const file = await readRecording([JSON.stringify({ trajectory: [step('ls', 'a')] }, null, 2)])
    expect(file.format).toBe('swe-agent')
    expect(readAll({ trajectory: [{ role: 'ai' }] }).problems).toEqual([
      { line: 1, message: 'not a SWE-agent trajectory: it has no steps' },
    ])
  })
})
