import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSoak, runsOf } from '../../test/soak.ts'
import { geminiCliReader } from './gemini-cli.ts'
import { miniSweAgentReader } from './mini-swe-agent.ts'
import { openCodeExportReader } from './opencode-export.ts'
import { openCodeStorageReader } from './opencode-storage.ts'
import { piReader } from './pi.ts'
import type { Recording, RecordingReader } from './recording.ts'
import { sweAgentReader } from './swe-agent.ts'

/** Names that the six formats use, so that random values reach deep into the readers. */
const names = [
  'action',
  'arguments',
  'attempts',
  'attachments',
  'callID',
  'call_id',
  'compacted',
  'compaction',
  'content',
  'created',
  'extra',
  'firstKeptEntryId',
  'firstKeptEntryIndex',
  'function',
  'history',
  'id',
  'info',
  'input',
  'is_demo',
  'message',
  'messageID',
  'messages',
  'name',
  'observation',
  'output',
  'parentID',
  'parentId',
  'parts',
  'path',
  'projectHash',
  'result',
  'role',
  'sessionID',
  'sessionId',
  'state',
  'status',
  'summary',
  'text',
  'thoughts',
  'time',
  'timestamp',
  'tokens',
  'tool',
  'toolCallId',
  'toolCalls',
  'tool_call_id',
  'tool_calls',
  'trajectory',
  'trajectory_format',
  'type',
  '$rewindTo',
  '$set',
]
const words = [
  '',
  'REDACTED',
  'a',
  'b',
  'assistant',
  'bashExecution',
  'compaction',
  'completed',
  'error',
  'exit',
  'gemini',
  'message',
  'mini-swe-agent-1',
  'reasoning',
  'session',
  'step-finish',
  'step-start',
  'success',
  'system',
  'text',
  'tool',
  'toolCall',
  'toolResult',
  'user',
  '```bash\nls\n```',
]

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(fc.constantFrom(...words), fc.integer(), fc.boolean(), fc.constant(null), fc.string()),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 7 }),
  ),
}))

const readers: readonly RecordingReader[] = [
  geminiCliReader,
  miniSweAgentReader,
  openCodeExportReader,
  openCodeStorageReader,
  piReader,
  sweAgentReader,
]

function readAll(reader: RecordingReader, values: readonly unknown[]): readonly Recording[] {
  const builder = reader.open(() => {})
  for (const [index, one] of values.entries()) {
    reader.recognises(one)
    builder.add(one, index + 1)
  }
  return builder.end()
}

/** What every recording promises, whatever the file held. */
function checkPromises({ events }: Recording): void {
  const calls = new Set<string>()
  const items: number[] = []
  for (const event of events) {
    if (event.kind === 'message') {
      items.push(event.message.items.length)
      for (const item of event.message.items) {
        if (item.kind !== 'call') continue
        expect(calls.has(item.call)).toBe(false)
        calls.add(item.call)
      }
    } else if (event.kind === 'compaction') {
      expect(event.keeps).toEqual([...new Set(event.keeps)].sort((one, other) => one - other))
      for (const position of event.keeps) expect(position).toBeLessThan(items.length)
    } else {
      for (const { message, item } of event.results) expect(item).toBeLessThan(items[message]!)
    }
  }
}

const timeout = isSoak ? 1_200_000 : 30_000

describe.each(readers)('the reader of $format', { timeout }, (reader) => {
  it('never throws and keeps its promises for any JSON', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        for (const recording of readAll(reader, values)) checkPromises(recording)
      }),
      { numRuns: runsOf({ short: 300, long: 30_000 }) },
    )
  })

  it('gives the same recording for the same values', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        expect(readAll(reader, values)).toEqual(readAll(reader, structuredClone(values)))
      }),
      { numRuns: runsOf({ short: 50, long: 5_000 }) },
    )
  })
})
