import type { Recording, RecordingEvent } from '../../src/recordings/recording.ts'

/** A step of the agent: one call and its result. */
export function called(
  id: string,
  tool: string,
  input: object,
  text: string,
): readonly RecordingEvent[] {
  return [
    {
      kind: 'message',
      message: {
        role: 'assistant',
        items: [{ kind: 'call', tool, call: id, text: JSON.stringify(input) }],
      },
    },
    {
      kind: 'message',
      message: { role: 'tool', items: [{ kind: 'result', tool, call: id, status: 'ok', text }] },
    },
  ]
}

/** A recording in which the user asks, the agent takes the steps, and says that it is done. */
export function recordingOf(...steps: readonly (readonly RecordingEvent[])[]): Recording {
  const say = (role: 'user' | 'assistant', text: string): RecordingEvent => ({
    kind: 'message',
    message: { role, items: [{ kind: 'text', text }] },
  })
  const events = [say('user', 'change the file'), ...steps.flat(), say('assistant', 'done')]
  return {
    format: 'opencode-export',
    session: 's',
    parent: null,
    model: null,
    cwd: '/project',
    events,
    messages: events.length,
    subagentRecords: 0,
  }
}
