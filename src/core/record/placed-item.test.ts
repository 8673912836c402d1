import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../words/item.ts'
import { createRecord } from './record.ts'

const drafts: readonly ItemDraft[] = [
  { kind: 'text', text: 'one' },
  { kind: 'reasoning', text: 'two', binding: 'signed', opaque: true },
  { kind: 'call', text: '{}', tool: 'read', call: 'c1' },
  { kind: 'result', text: 'three', tool: 'read', call: 'c1', status: 'error' },
  { kind: 'attachment', text: 'image/png', media: 'image/png', call: 'c1' },
  { kind: 'attachment', text: 'image/png', media: 'image/png' },
  { kind: 'marker', text: 'step', marker: 'step-start' },
]

describe('an item in a record', () => {
  it('says all that its draft says, and where it stands', () => {
    const { items } = createRecord().append([{ role: 'user', items: drafts }]).added[0] ?? {}
    expect(items).toEqual(
      drafts.map((draft, index) => ({
        ...draft,
        index,
        message: 0,
        role: draft.kind === 'result' ? 'tool' : 'user',
        turn: 1,
        handle: expect.stringMatching(/^[0-9a-f]{6,}$/),
      })),
    )
  })

  it('is measured when somebody asks for its size, and once', () => {
    const measured: string[] = []
    const sizeOf = (text: string): number => measured.push(text)
    const record = createRecord({ sizeOf })
    record.append([{ role: 'user', items: drafts }])
    expect(measured).toEqual([])
    expect([record.items[3]?.tokens, record.items[3]?.tokens]).toEqual([1, 1])
    expect(measured).toEqual(['three'])
  })

  it('keeps its place when items of another record are taken for drafts', () => {
    const first = createRecord()
    first.append([{ role: 'user', items: drafts }])
    const second = createRecord()
    second.append([{ role: 'user', items: [{ kind: 'text', text: 'before' }] }, ...first.messages])
    expect(second.items.map(({ index, message }) => [index, message])).toEqual([
      [0, 0],
      ...drafts.map((_, index) => [index + 1, 1]),
    ])
    expect(second.messages.map(({ index }) => index)).toEqual([0, 1])
  })
})
