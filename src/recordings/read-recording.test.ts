import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PalimpsestError } from '../core/words/errors.ts'
import { readRecording } from './read-recording.ts'

const prompt = (content: string): string =>
  JSON.stringify({
    type: 'user',
    uuid: content,
    sessionId: 's',
    message: { role: 'user', content },
  })

async function failure(chunks: readonly (Uint8Array | string)[]): Promise<PalimpsestError> {
  const error = await readRecording(chunks).catch((thrown: unknown) => thrown)
  if (!PalimpsestError.is(error)) throw new Error('expected a PalimpsestError')
  return error
}

describe('reading a recording', () => {
  it('reads from a stream, says how far it is, and gives the same for any chunks', async () => {
    const text = `${prompt('größe 😀')}\n${prompt('two')}\r\n${prompt('three')}`
    const bytes = new TextEncoder().encode(text)
    const whole = await readRecording([text])
    expect(whole.recordings[0]!.messages).toBe(3)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), async (size) => {
        let seen = 0
        async function* chunks(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
        }
        const file = await readRecording(chunks(), {
          onBytes(count) {
            seen += count
          },
        })
        expect(file).toEqual(whole)
        expect(seen).toBe(bytes.length)
      }),
    )
  })

  it('does not keep a chunk whose owner fills it anew', async () => {
    const bytes = new TextEncoder().encode(`${prompt('one')}\n${prompt('two')}\n`)
    const buffer = new Uint8Array(10)
    function* chunks(): Generator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += buffer.length) {
        const part = bytes.subarray(at, at + buffer.length)
        buffer.set(part)
        yield buffer.subarray(0, part.length)
      }
    }
    expect((await readRecording(chunks())).recordings[0]!.messages).toBe(2)
  })

  it('reports damaged lines with their numbers and reads the others', async () => {
    const { recordings, problems } = await readRecording([
      `not json\n${prompt('one')}\n{"type":"user","message":{"content":"cut\n7\n${prompt('two')}\n{"type":`,
    ])
    expect(recordings[0]!.messages).toBe(2)
    expect(problems.map(({ line }) => line)).toEqual([1, 3, 4, 6])
  })

  it('reads what came before the end of a document that breaks off, and says where it does', async () => {
    const message = (id: string): unknown => ({
      info: { id, sessionID: 's', role: 'user' },
      parts: [{ type: 'text', text: id }],
    })
    const whole = { info: { id: 's', directory: '/r' }, messages: ['a', 'b', 'c'].map(message) }
    for (const spaces of [0, 2]) {
      const text = JSON.stringify(whole, null, spaces)
      const cut = text.slice(0, text.lastIndexOf('"parts"'))
      const { format, recordings, problems } = await readRecording([cut])
      expect([format, recordings[0]!.messages, problems.map(({ line }) => line)]).toEqual([
        'opencode-export',
        3,
        [1],
      ])
    }
  })

  it('takes half a line of a transcript for damage, not for a session', async () => {
    const cut = `${prompt('a').slice(0, -30)},"x":{"y":1},"z":"`
    expect((await failure([cut])).code).toBe('unreadable')
  })

  it('reads UTF-16 with and without a byte order mark', async () => {
    const text = `${prompt('größe')}\n${prompt('two')}\n`
    const expected = await readRecording([text])
    for (const mark of ['', '\uFEFF']) {
      const bytes = Buffer.from(mark + text, 'utf16le')
      expect(await readRecording([bytes])).toEqual(expected)
      expect(await readRecording([Buffer.from(bytes).swap16()])).toEqual(expected)
    }
  })

  it('prints no control characters of a file that is no text', async () => {
    const bytes = Uint8Array.from({ length: 400 }, (_, index) => (index * 7919 + 27) % 32)
    expect((await failure([bytes])).message).not.toMatch(/\p{Cc}/u)
  })

  it('reads on after a value that is nested deeper than JSON can be written', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const answer = `{"type":"assistant","sessionId":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"X","input":${deep}}]}}`
    const { recordings } = await readRecording([`${prompt('one')}\n${answer}\n${prompt('two')}`])
    expect(recordings[0]!.messages).toBe(3)
  })

  it('passes over values that it does not know until one is recognised', async () => {
    const { format, recordings } = await readRecording([`{"type":"banner"}\n${prompt('one')}`])
    expect([format, recordings[0]!.messages]).toEqual(['claude-code', 1])
  })

  it('says what it expected when nothing is readable', async () => {
    const empty = await failure([])
    expect(empty.code).toBe('unreadable')
    expect(empty.message).toMatch(/^The file is empty\. Expected .*claude-code, codex, copilot-cli/)
    expect((await failure(['hello\nworld'])).message).toContain('Line 1')
    expect((await failure(['{"a":1}\n{"b":2}'])).message).toContain('None of the 2 JSON values')
    const bytes = Uint8Array.from({ length: 4_000 }, (_, index) => (index * 7919) % 251)
    expect((await failure([bytes])).code).toBe('unreadable')
  })

  it('gives up early on a long file of another kind', async () => {
    let taken = 0
    function* chunks(): Generator<string> {
      for (; taken < 100_000; taken += 1) yield '{"level":"info","message":"served"}\n'
    }
    await expect(readRecording(chunks())).rejects.toMatchObject({ code: 'unreadable' })
    expect(taken).toBeLessThan(2_000)
  })

  it('never fails but with its own error, whatever values a recording holds', async () => {
    const types = fc.constantFrom(
      'user',
      'assistant',
      'system',
      'attachment',
      'queue-operation',
      'response_item',
      'compacted',
      'event_msg',
      'tool.execution_complete',
      'assistant.message',
    )
    const value = fc.record(
      {
        type: types,
        subtype: fc.constantFrom('compact_boundary', 'microcompact_boundary'),
        sessionId: fc.string(),
        message: fc.oneof(fc.jsonValue(), fc.record({ id: fc.string(), content: fc.jsonValue() })),
        attachment: fc.jsonValue(),
        data: fc.jsonValue(),
        payload: fc.oneof(
          fc.jsonValue(),
          fc.record({
            type: fc.constantFrom('message', 'reasoning', 'function_call_output', 'token_count'),
            content: fc.jsonValue(),
            output: fc.jsonValue(),
            summary: fc.jsonValue(),
            replacement_history: fc.array(fc.jsonValue()),
          }),
        ),
        timestamp: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    )
    const starts = [
      prompt('hi'),
      '{"type":"session_meta","payload":{"id":"c"}}',
      '{"type":"session.start","data":{},"timestamp":"2026-01-01T00:00:00Z"}',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.array(value), async (start, values) => {
        const lines = [start, ...values.map((entry) => JSON.stringify(entry))]
        expect((await readRecording([lines.join('\n')])).recordings.length).toBeGreaterThan(0)
      }),
    )
  })
})
