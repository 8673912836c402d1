import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../core/words/item.ts'
import { countRecording } from './anatomy-counts.ts'
import type { Recording } from './recording.ts'

const call = (id: string, tool: string, input: unknown): ItemDraft => ({
  kind: 'call',
  tool,
  call: id,
  text: JSON.stringify(input),
})
const result = (id: string, status: 'ok' | 'error'): ItemDraft => ({
  kind: 'result',
  tool: '',
  call: id,
  status,
  text: '',
})

describe('the counts of a recording', () => {
  it('say how much of what there is', () => {
    const recording: Recording = {
      format: 'claude-code',
      session: null,
      parent: null,
      model: null,
      cwd: null,
      messages: 9,
      subagentRecords: 0,
      events: [
        {
          kind: 'message',
          message: {
            role: 'assistant',
            items: [
              call('1', 'Read', { file_path: 'a' }),
              call('2', 'Write', { file_path: 'a', content: 'x' }),
              call('3', 'Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }),
              call('4', 'Bash', { command: 'ls' }),
              call('5', 'Grep', { pattern: 'x' }),
              call('6', 'Glob', { pattern: '*' }),
              call('7', 'WebFetch', { url: 'http://a.b', prompt: '' }),
              call('8', 'Unheard', {}),
              { kind: 'call', tool: 'web_search', call: '9', text: '{}', opaque: true },
            ],
          },
        },
        {
          kind: 'message',
          message: {
            role: 'tool',
            items: [
              result('1', 'ok'),
              result('2', 'error'),
              { kind: 'attachment', media: 'image/png', text: '', call: '2' },
            ],
          },
        },
        { kind: 'cleared', results: [{ message: 1, item: 0 }] },
        { kind: 'cleared', results: [{ message: 1, item: 0 }] },
        { kind: 'compaction', keeps: [0] },
        { kind: 'compaction', keeps: [], rewind: true },
      ],
    }
    expect(countRecording(recording)).toEqual({
      messages: 9,
      calls: 9,
      reads: 1,
      writes: 1,
      edits: 1,
      shell: 1,
      search: 2,
      other: 3,
      errors: 1,
      missing: 6,
      compactions: 1,
      nativePruned: 1,
      attachments: 1,
      requests: 1,
    })
  })
})
