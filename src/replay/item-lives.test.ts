import { describe, expect, it } from 'vitest'
import { engineFor, only, sessionWith } from '../../test/engine/told-session.ts'
import { clearedByAgent } from '../core/render/marks.ts'
import type { ItemDraft, Role } from '../core/words/item.ts'
import type { Recording, RecordingEvent } from '../recordings/recording.ts'
import { type ItemLives, recordedLives } from './item-lives.ts'

const text = 'a line of some length that is there to be looked at\n'.repeat(10)
const message = (role: Role, ...items: readonly ItemDraft[]): RecordingEvent => ({
  kind: 'message',
  message: { role, items },
})
const call = (id: string, tool: string, input: object): RecordingEvent =>
  message('assistant', { kind: 'call', tool, call: id, text: JSON.stringify(input) })
const result = (id: string, tool: string): RecordingEvent =>
  message('tool', { kind: 'result', tool, call: id, status: 'ok', text: `${text}${id}` })
const say = (role: Role, said: string): RecordingEvent =>
  message(role, { kind: 'text', text: said })

function livesOf(events: readonly RecordingEvent[]): ItemLives {
  const recording: Recording = {
    format: 'claude-code',
    session: 's',
    parent: null,
    model: null,
    cwd: null,
    events,
    messages: events.length,
    subagentRecords: 0,
  }
  return recordedLives(
    recording,
    sessionWith(engineFor(only({ pruneSourceUrls: true, pruneStepMarkers: true }))),
  )
}

function resultOf(lives: ItemLives, id: string): NonNullable<ReturnType<ItemLives['find']>> {
  const item = lives.record.items.find((each) => each.kind === 'result' && each.call === id)
  if (item === undefined) throw new Error(`no result ${id}`)
  return item
}

const page = { url: 'https://example.org/' }
const twice = [
  say('user', 'look it up'),
  call('f1', 'webfetch', page),
  result('f1', 'webfetch'),
  call('f2', 'webfetch', page),
  result('f2', 'webfetch'),
  say('assistant', 'found'),
]

describe('the life of an item', () => {
  it('goes from full to replaced, and the chain is walked both ways', () => {
    const lives = livesOf(twice)
    const [older, newer] = [resultOf(lives, 'f1'), resultOf(lives, 'f2')]
    expect(lives.spansOf(older)).toEqual([
      { from: 2, to: 2, shown: 'full', text: null, decision: null },
      {
        from: 3,
        to: 3,
        shown: 'superseded',
        text: expect.stringContaining(older.handle),
        decision: { reason: 'url', strategy: 'pruneSourceUrls', by: newer.handle },
      },
    ])
    expect(lives.replacements(older)).toEqual([newer])
    expect(lives.replaced(newer)).toEqual([older])
    expect(lives.find(older.handle)).toEqual(older)
  })

  it('ends where the agent compacts its history, and goes on where a rewind brings it back', () => {
    const lives = livesOf([
      ...twice.slice(0, 3),
      say('assistant', 'one'),
      { kind: 'compaction', keeps: [0] },
      say('user', 'summary'),
      say('assistant', 'two'),
      say('assistant', 'three'),
      { kind: 'compaction', keeps: [0, 1, 2], rewind: true },
      say('assistant', 'four'),
    ])
    const spans = lives.spansOf(resultOf(lives, 'f1'))
    expect(spans.map(({ from, to, shown }) => [from, to, shown])).toEqual([
      [2, 2, 'full'],
      [3, 4, 'absent'],
      [5, 5, 'full'],
    ])
    const [first] = lives.record.items
    expect(first && lives.spansOf(first).map(({ from, to }) => [from, to])).toEqual([[1, 5]])
  })

  it("tells the agent's own clearing from ours", () => {
    const lives = livesOf([
      ...twice.slice(0, 3),
      { kind: 'cleared', results: [{ message: 2, item: 0 }] },
      say('assistant', 'done'),
    ])
    expect(lives.spansOf(resultOf(lives, 'f1'))).toEqual([
      { from: 2, to: 2, shown: 'masked', text: clearedByAgent, decision: null },
    ])
  })

  it('is empty for what no request has shown', () => {
    const lives = livesOf(twice.slice(0, 3))
    expect(lives.spansOf(resultOf(lives, 'f1'))).toEqual([])
    expect(lives.requests).toBe(1)
  })
})
