import { describe, expect, it } from 'vitest'
import { clearedByAgent } from '../core/render/marks.ts'
import type { Recording, RecordingEvent } from '../recordings/recording.ts'
import { traceLines } from './trace.ts'

const minute = 60_000
const start = Date.UTC(2026, 0, 5, 10)
const listing = 'a line of output that is long enough to be worth clearing, and then some'

const events: readonly RecordingEvent[] = [
  {
    kind: 'message',
    message: { role: 'user', at: start, items: [{ kind: 'text', text: 'fix it' }] },
  },
  {
    kind: 'message',
    message: {
      role: 'assistant',
      at: start + 1000,
      items: [
        { kind: 'marker', marker: 'step-start', text: '' },
        { kind: 'reasoning', binding: 'signed', text: 'look first' },
        { kind: 'call', tool: 'Bash', call: 'c1', text: '{"command":"ls"}' },
      ],
    },
  },
  {
    kind: 'message',
    message: {
      role: 'user',
      at: start + 2000,
      items: [{ kind: 'result', tool: 'Bash', call: 'c1', status: 'ok', text: listing }],
    },
  },
  {
    kind: 'message',
    message: { role: 'assistant', at: start + 3000, items: [{ kind: 'text', text: 'seen' }] },
  },
  { kind: 'cleared', results: [{ message: 2, item: 0 }] },
  {
    kind: 'message',
    message: { role: 'user', at: start + minute, items: [{ kind: 'text', text: 'go on' }] },
  },
  { kind: 'message', message: { role: 'assistant', items: [{ kind: 'text', text: 'done' }] } },
  { kind: 'compaction', keeps: [0] },
  {
    kind: 'message',
    message: { role: 'user', items: [{ kind: 'text', text: 'summary of it all' }] },
  },
  { kind: 'message', message: { role: 'assistant', items: [{ kind: 'text', text: 'next' }] } },
]
const recording: Recording = {
  format: 'claude-code',
  session: 's1',
  parent: null,
  model: 'claude-opus-4-5',
  cwd: null,
  events,
  messages: 8,
  subagentRecords: 0,
}

describe('the trace of a session', () => {
  const options = { file: 's.jsonl', policy: 'off', regime: 'anthropic-5m' } as const
  const rows = [...traceLines(recording, options)].map((line) => JSON.parse(line))

  it('shows each request what the agent showed it: its own clearing as masked, its own compaction as a cut', () => {
    expect(rows.filter((row) => row.type === 'request')).toEqual([
      { type: 'request', n: 1, at: '2026-01-05T10:00:00.000Z', view: [0], epoch: 0 },
      { type: 'request', n: 2, at: '2026-01-05T10:00:02.000Z', view: [0, 1, 2, 3], epoch: 0 },
      { type: 'request', n: 3, at: '2026-01-05T10:01:00.000Z', view: [0, 1, 2, 4, 5, 6], epoch: 0 },
      { type: 'request', n: 4, at: '2026-01-05T10:01:00.000Z', view: [0, 7], epoch: 0 },
    ])
    expect(rows.filter((row) => row.how === 'masked')).toEqual([
      { type: 'rendition', r: 4, i: 4, how: 'masked', text: clearedByAgent },
    ])
  })

  it('prints items before the first request that could show them, and never earlier than they were known', () => {
    expect(rows.map((row) => `${row.type} ${row.i ?? row.n ?? ''}`.trim())).toEqual([
      'session',
      'item 0',
      'rendition 0',
      'request 1',
      'item 1',
      'item 2',
      'item 3',
      'item 4',
      'rendition 2',
      'rendition 3',
      'rendition 4',
      'request 2',
      'item 5',
      'item 6',
      'rendition 4',
      'rendition 5',
      'rendition 6',
      'request 3',
      'item 7',
      'item 8',
      'rendition 8',
      'request 4',
      'item 9',
      'end',
    ])
    expect(rows.at(-1)).toEqual({ type: 'end', requests: 4, items: 10 })
  })

  it('carries what the model saw of calls and results', () => {
    expect(rows.filter((row) => row.kind === 'call' || row.kind === 'result')).toEqual([
      {
        type: 'item',
        i: 3,
        message: 1,
        role: 'assistant',
        kind: 'call',
        tool: 'Bash',
        call: 'c1',
        text: '{"command":"ls"}',
      },
      {
        type: 'item',
        i: 4,
        message: 2,
        role: 'tool',
        kind: 'result',
        tool: 'Bash',
        call: 'c1',
        status: 'ok',
        text: listing,
      },
    ])
  })
})
