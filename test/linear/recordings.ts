import { claudeCodeReader } from '../../src/recordings/claude-code/reader.ts'
import { codexReader } from '../../src/recordings/codex/reader.ts'
import { copilotCliReader } from '../../src/recordings/copilot-cli.ts'
import { geminiCliReader } from '../../src/recordings/gemini-cli.ts'
import { miniSweAgentReader } from '../../src/recordings/mini-swe-agent.ts'
import { openCodeExportReader } from '../../src/recordings/opencode-export.ts'
import { piReader } from '../../src/recordings/pi.ts'
import type { RecordingReader } from '../../src/recordings/recording.ts'
import type { Reader } from './readers.ts'
import { plainTokens, resultTokens } from './shapes.ts'

/** What the user said and what a tool gave back, as each agent records it. */
const recorded: readonly (readonly [RecordingReader, (text: string) => readonly object[]])[] = [
  [
    claudeCodeReader,
    (text) => [
      { type: 'user', uuid: '1', message: { role: 'user', content: text } },
      {
        type: 'assistant',
        uuid: '2',
        parentUuid: '1',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: text } }],
        },
      },
      {
        type: 'user',
        uuid: '3',
        parentUuid: '2',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: text }],
        },
      },
    ],
  ],
  [
    codexReader,
    (text) => [
      codexItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
      codexItem({ type: 'function_call', name: 'exec_command', call_id: 'a', arguments: text }),
      codexItem({ type: 'function_call_output', call_id: 'a', output: text }),
    ],
  ],
  [
    piReader,
    (text) => [
      { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/shop' },
      piEntry({ role: 'user', content: [{ type: 'text', text }] }),
      piEntry({
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'a', name: 'bash', arguments: { command: text } }],
      }),
      piEntry({
        role: 'toolResult',
        toolCallId: 'a',
        toolName: 'bash',
        content: [{ type: 'text', text }],
        isError: false,
      }),
    ],
  ],
  [
    geminiCliReader,
    (text) => [
      {
        sessionId: 's',
        projectHash: 'abc',
        startTime: '2026-01-01T00:00:00Z',
        messages: [
          { id: '1', type: 'user', content: text },
          {
            id: '2',
            type: 'gemini',
            content: text,
            toolCalls: [
              {
                id: 'a',
                name: 'run_shell_command',
                args: { command: text },
                status: 'success',
                result: [
                  {
                    functionResponse: {
                      id: 'a',
                      name: 'run_shell_command',
                      response: { output: text },
                    },
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  ],
  [
    copilotCliReader,
    (text) => [
      copilotEvent('session.start', { sessionId: 's', context: { cwd: '/repo' } }),
      copilotEvent('user.message', { content: text }),
      copilotEvent('assistant.message', {
        messageId: 'm',
        content: text,
        toolRequests: [{ toolCallId: 'a', name: 'bash', arguments: { command: text } }],
      }),
      copilotEvent('tool.execution_complete', {
        toolCallId: 'a',
        success: true,
        result: { content: text },
      }),
    ],
  ],
  [
    openCodeExportReader,
    (text) => [
      {
        info: { id: 's', directory: '/repo', title: 'a' },
        messages: [
          { info: { id: '1', role: 'user' }, parts: [{ type: 'text', text }] },
          { info: { id: '2', role: 'assistant' }, parts: [openCodeCall(text)] },
          { info: { id: '3', role: 'assistant' }, parts: [{ type: 'text', text }] },
        ],
      },
    ],
  ],
  [
    miniSweAgentReader,
    (text) => [
      {
        trajectory_format: 'mini-swe-agent-1',
        info: {},
        messages: [
          { role: 'system', content: 'You are…' },
          { role: 'user', content: text },
          { role: 'assistant', content: `THOUGHT: look.\n\n\`\`\`bash\n${text}\n\`\`\`` },
          { role: 'user', content: text },
        ],
      },
    ],
  ],
]

function codexItem(payload: object): object {
  return { timestamp: '2026-02-01T08:00:00.000Z', type: 'response_item', payload }
}

function copilotEvent(type: string, data: object): object {
  return { type, data, id: 'e', parentId: null, timestamp: '2026-03-01T09:00:00.000Z' }
}

function openCodeCall(text: string): object {
  const time = { start: 1, end: 2 }
  const state = { status: 'completed', input: { command: text }, output: text, title: '', time }
  return { type: 'tool', tool: 'bash', callID: 'a', state }
}

function piEntry(message: object): object {
  return { type: 'message', timestamp: '2026-01-01T00:00:01Z', message }
}

export const recordingReaders: readonly Reader[] = recorded.map(([reader, valuesOf]) => ({
  name: `a recording of ${reader.format}`,
  tokens: [...resultTokens, ...plainTokens],
  read(text) {
    const builder = reader.open(() => {})
    for (const [index, value] of valuesOf(text).entries()) builder.add(value, index + 1)
    const [recording] = builder.end()
    const messages = recording?.events.filter(({ kind }) => kind === 'message') ?? []
    if (messages.length < 3) throw new Error(`${reader.format} read nothing`)
    return recording
  },
}))
