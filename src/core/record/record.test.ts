import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageDraft } from '../words/item.ts'
import { createRecord, type SessionRecord } from './record.ts'

const user = (text: string): MessageDraft => ({ role: 'user', items: [{ kind: 'text', text }] })
const call = (id: string, path = 'a.ts'): MessageDraft => ({
  role: 'assistant',
  items: [{ kind: 'call', tool: 'read', call: id, text: JSON.stringify({ path }) }],
})
const result = (id: string, text: string): MessageDraft => ({
  role: 'user',
  items: [{ kind: 'result', tool: 'read', call: id, status: 'ok', text }],
})
const session = (turns: number): MessageDraft[] => [
  user('please fix the parser'),
  ...Array.from({ length: turns }, (_, n) => [call(`c${n}`), result(`c${n}`, 'some text')]).flat(),
]

describe('a record that is given each request of a session', () => {
  it('takes in only what is new, and names every item once', () => {
    const record = createRecord()
    const all = session(3)
    const steps = [1, 3, 5, 7].map((length) => record.append(all.slice(0, length)))
    expect(steps.map(({ relation, known, added }) => [relation, known, added.length])).toEqual([
      ['first', 0, 1],
      ['grown', 1, 2],
      ['grown', 3, 2],
      ['grown', 5, 2],
    ])
    expect(
      record.items.map(({ index, message, role, turn, kind }) => [
        index,
        message,
        role,
        turn,
        kind,
      ]),
    ).toEqual([
      [0, 0, 'user', 1, 'text'],
      [1, 1, 'assistant', 1, 'call'],
      [2, 2, 'tool', 1, 'result'],
      [3, 3, 'assistant', 2, 'call'],
      [4, 4, 'tool', 2, 'result'],
      [5, 5, 'assistant', 3, 'call'],
      [6, 6, 'tool', 3, 'result'],
    ])
    expect(new Set(record.items.map((item) => item.handle)).size).toBe(7)
    expect(record.items.every((item) => /^[0-9a-f]{6,}$/.test(item.handle))).toBe(true)
    expect(record.items.map((item) => record.find(item.handle))).toEqual(record.items)
  })

  it('visits and hashes as much for one more turn at 50,000 items as at 500', () => {
    const workOfOneTurn = (items: number): unknown => {
      const record = createRecord({ sizeOf: () => 1 })
      const all = session(items / 2)
      const { anchor } = record.append(all.slice(0, -2))
      const before = record.work
      record.append(all, anchor)
      return {
        items: record.work.itemsVisited - before.itemsVisited,
        characters: record.work.charactersHashed - before.charactersHashed,
      }
    }
    expect(workOfOneTurn(50_000)).toEqual(workOfOneTurn(500))
    expect(workOfOneTurn(500)).toEqual({ items: 2, characters: '{"path":"a.ts"}some text'.length })
  })

  it('takes a session that says the same thing thousands of times in linear work', () => {
    const record = createRecord({ sizeOf: () => 1 })
    record.append(Array.from({ length: 20_000 }, () => user('go on')))
    expect(new Set(record.items.map((item) => item.handle)).size).toBe(20_000)
  })

  it('does not believe a since that does not fit', () => {
    const record = createRecord()
    const all = session(2)
    record.append(all.slice(0, 3))
    expect(record.append(all, { branch: 0, length: 99 })).toMatchObject({
      relation: 'grown',
      known: 3,
    })
    for (const since of [
      { branch: 7, length: 1 },
      { branch: -1, length: 1 },
      { branch: 0.5, length: 1 },
      { branch: 0, length: -2 },
      { branch: Number.NaN, length: Number.NaN },
    ])
      expect(record.append(all, since)).toMatchObject({ relation: 'same', known: 5 })
  })
})

describe('a history that did not simply grow', () => {
  const base = session(4)

  it('is the same when it is sent again', () => {
    const record = createRecord()
    record.append(base)
    expect(record.append(base)).toMatchObject({ relation: 'same', known: 9, added: [] })
    expect(record.items).toHaveLength(9)
  })

  it('is shortened when its end is gone, and forks when it then goes on', () => {
    const record = createRecord()
    record.append(base)
    const cut = record.append(base.slice(0, 5))
    expect(cut).toMatchObject({ relation: 'shortened', known: 5, added: [], anchor: { length: 5 } })
    const next = record.append([...base.slice(0, 5), user('something else')], cut.anchor)
    expect(next).toMatchObject({ relation: 'grown', known: 5 })
    expect(record.branches).toBe(2)
    expect(record.history(next.anchor).slice(0, 5)).toEqual(record.messages.slice(0, 5))
  })

  it('is forked when it goes another way, and both ways stay', () => {
    const record = createRecord()
    const trunk = record.append(base)
    const fork = record.append([...base.slice(0, 3), user('no, try the lexer')])
    expect(fork).toMatchObject({ relation: 'forked', known: 3 })
    expect(record.history(trunk.anchor)).toHaveLength(9)
    expect(record.history(fork.anchor).map((message) => message.index)).toEqual([0, 1, 2, 9])
    expect(record.append([...base, user('on the trunk')])).toMatchObject({
      relation: 'forked',
      known: 9,
    })
  })

  it('is edited when a result in its middle was replaced, and the rest keeps its handles', () => {
    const record = createRecord()
    const before = record.history(record.append(base).anchor)
    const cleared = base.with(4, result('c1', '[cleared]'))
    const after = record.append(cleared)
    expect(after).toMatchObject({ relation: 'edited', known: 4 })
    const handles = (messages: typeof before): string[] =>
      messages.flatMap((message) => message.items.map((item) => item.handle))
    const expected = handles(before)
    const actual = handles(record.history(after.anchor))
    expect(actual.filter((handle, position) => handle !== expected[position])).toHaveLength(1)
  })

  it('is edited when the newest result was replaced or messages were left out', () => {
    const record = createRecord()
    record.append(base)
    expect(record.append(base.with(8, result('c3', 'shorter')))).toMatchObject({
      relation: 'edited',
      known: 8,
    })
    expect(record.append([base[0] as MessageDraft, ...base.slice(5)])).toMatchObject({
      relation: 'edited',
      known: 1,
    })
  })
})

describe('over random sessions', () => {
  const message = fc.oneof(
    fc.string({ maxLength: 12 }).map(user),
    fc.tuple(fc.nat(5), fc.constantFrom('a.ts', 'b.ts')).map(([id, path]) => call(`c${id}`, path)),
    fc.tuple(fc.nat(5), fc.string({ maxLength: 20 })).map(([id, text]) => result(`c${id}`, text)),
  )
  const requests = fc.array(
    fc.record({ keep: fc.nat(30), add: fc.array(message, { maxLength: 6 }) }),
    { minLength: 1, maxLength: 12 },
  )

  function replay(
    steps: readonly { keep: number; add: MessageDraft[] }[],
    check: (record: SessionRecord, sent: MessageDraft[]) => void,
  ): void {
    const record = createRecord({ sizeOf: (text) => text.length })
    let history: MessageDraft[] = []
    for (const { keep, add } of steps) {
      history = [...history.slice(0, keep), ...add]
      check(record, history)
    }
  }

  it('gives every history back as it was sent, and never changes what it recorded', () => {
    fc.assert(
      fc.property(requests, (steps) => {
        const seen: { anchor: { branch: number; length: number }; sent: MessageDraft[] }[] = []
        replay(steps, (record, sent) => {
          const frozen = structuredClone(record.items)
          seen.push({ anchor: record.append(sent).anchor, sent })
          expect(record.items.slice(0, frozen.length)).toEqual(frozen)
          for (const { anchor, sent } of seen) {
            const texts = (messages: readonly MessageDraft[]): string[][] =>
              messages.map((message) => message.items.map((item) => item.text))
            expect(texts(record.history(anchor))).toEqual(texts(sent))
          }
        })
      }),
    )
  })

  it('gives the same handles whether a history came at once or request by request', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 25 }), fc.nat(25), (all, cut) => {
        const atOnce = createRecord()
        atOnce.append(all)
        const stepwise = createRecord()
        const { anchor } = stepwise.append(all.slice(0, cut))
        stepwise.append(all, anchor)
        expect(stepwise.items).toEqual(atOnce.items)
      }),
    )
  })

  it('has one handle for one item of a history, whatever is repeated in it', () => {
    fc.assert(
      fc.property(requests, (steps) => {
        replay(steps, (record, sent) => {
          const items = record
            .history(record.append(sent).anchor)
            .flatMap((message) => message.items)
          expect(new Set(items.map((item) => item.handle)).size).toBe(items.length)
        })
      }),
    )
  })
})
