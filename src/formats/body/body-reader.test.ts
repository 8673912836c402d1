import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'

const messages = [
  { role: 'user', content: 'Look at the file.' },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a', name: 'Read', input: { file_path: '/a.ts', limit: 2 } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '1\tx\n2\t"y"' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'There is an x.' }] },
]

/** With a character that is not ASCII, behind all that is harmed: bytes are then read element by element. */
const body = (conversation: string): string =>
  `{"model":"m","messages":${conversation},"metadata":{"user_id":"é"}}`

describe('a conversation that is read at once or element by element', () => {
  it('is the same, down to what is wrong with it', () => {
    const whole = JSON.stringify(messages)
    const harmed = fc
      .tuple(
        fc.nat({ max: whole.length }),
        fc.nat({ max: 3 }),
        fc.constantFrom(...'"\\{}[],:1 ', ''),
      )
      .map(([at, length, put]) => whole.slice(0, at) + put + whole.slice(at + length))
    fc.assert(
      fc.property(harmed, (conversation) => {
        const text = body(conversation)
        const { messages: read, problem } = anthropic.read(text)
        const { messages: again, problem: other } = anthropic.read(Buffer.from(text))
        // Offsets are those of bytes in one, and of characters in the other.
        expect([read, problem?.message]).toEqual([again, other?.message])
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives what was readable before an element that is not', () => {
    const broken = JSON.stringify(messages).replace('"Read"', '"Read')
    const { messages: read, problem } = anthropic.read(body(broken))
    expect(read).toEqual([{ role: 'user', items: [{ kind: 'text', text: 'Look at the file.' }] }])
    expect(problem).not.toBeNull()
  })
})
