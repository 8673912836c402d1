import { describe, expect, it } from 'vitest'
import { engineFor, only } from '../../../../test/engine/told-session.ts'
import type { MessageDraft } from '../../words/item.ts'

const shot = (id: string, tool: string, input: object): readonly MessageDraft[] => [
  { role: 'assistant', items: [{ kind: 'call', tool, call: id, text: JSON.stringify(input) }] },
  {
    role: 'tool',
    items: [
      { kind: 'result', tool, call: id, status: 'ok', text: 'taken' },
      {
        kind: 'attachment',
        media: 'image/png',
        call: id,
        text: `image/png, 90000 bytes ${'x'.repeat(99)}`,
      },
    ],
  },
]

function masked(...calls: readonly (readonly MessageDraft[])[]): readonly string[] {
  const engine = engineFor(only({ screenshotSupersede: true }))
  const messages: MessageDraft[] = [{ role: 'user', items: [{ kind: 'text', text: 'Look.' }] }]
  for (const call of [...calls, []]) {
    engine.request(messages)
    messages.push(...call)
  }
  engine.request(messages)
  return engine.ledger.decided().flatMap((index) => {
    const item = engine.record.items[index]
    return item?.kind === 'attachment'
      ? [`${item.call} ${engine.ledger.of(index)?.rendition.how}`]
      : []
  })
}

describe('screenshotSupersede', () => {
  it('masks a screenshot that the same call took again', () => {
    const page = 'mcp__browser__take_screenshot'
    expect(masked(shot('a', page, { tab: 1 }), shot('b', page, { tab: 1 }))).toEqual(['a masked'])
    const computer = { action: 'screenshot' }
    expect(masked(shot('a', 'computer', computer), shot('b', 'computer', computer))).toEqual([
      'a masked',
    ])
  })

  it('keeps screenshots of something else, and other images', () => {
    const page = 'mcp__browser__take_screenshot'
    expect(masked(shot('a', page, { tab: 1 }), shot('b', page, { tab: 2 }))).toEqual([])
    expect(
      masked(shot('a', 'Read', { file: 'a.png' }), shot('b', 'Read', { file: 'a.png' })),
    ).toEqual([])
  })
})
