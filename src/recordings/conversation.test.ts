import { describe, expect, it } from 'vitest'
import { Conversation } from './conversation.ts'

describe('results without a call before them', () => {
  it("stay as texts, and their attachments are nobody's", () => {
    const conversation = new Conversation()
    const orphan = {
      kind: 'result',
      tool: '',
      call: 'gone',
      status: 'error',
      text: 'lost',
    } as const
    const image = { kind: 'attachment', media: 'image/png', call: 'gone', text: 'i' } as const
    conversation.message({ role: 'tool', items: [orphan, image] })
    const call = conversation.calls.issue('a', 'Read')
    conversation.message({
      role: 'assistant',
      items: [{ kind: 'call', tool: 'Read', call, text: '' }],
    })
    const answer = { kind: 'result', tool: 'Read', call, status: 'ok', text: 'x' } as const
    conversation.message({ role: 'tool', items: [answer] })
    const items = conversation
      .end()
      .events.map((event) => (event.kind === 'message' ? event.message.items : []))
    expect(items).toEqual([
      [
        { kind: 'text', text: 'lost' },
        { kind: 'attachment', media: 'image/png', text: 'i' },
      ],
      [{ kind: 'call', tool: 'Read', call: 'a', text: '' }],
      [answer],
    ])
  })
})
