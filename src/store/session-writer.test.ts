import { describe, expect, it } from 'vitest'
import { historyOf, newEngine, resumedEngine } from '../../test/store/scripted-session.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { createMemoryStore } from './memory-store.ts'
import { createSessionWriter } from './session-writer.ts'

const key = { id: 'told', origin: 'test' }

describe('a session writer', () => {
  it('keeps what a failed store did not take, and writes it in order once it can', async () => {
    const store = createMemoryStore()
    const loaded = await store.load(await store.openSession(key))
    let isDown = true
    const failing: Pick<typeof store, 'append'> = {
      append: async (...args) => {
        if (isDown) throw new PalimpsestError('store-locked', 'not now')
        return store.append(...args)
      },
    }
    const writer = createSessionWriter(failing, loaded)
    const engine = newEngine('told')
    const other = [...historyOf('told', 2), { ...historyOf('other', 1)[0]! }]
    for (const history of [historyOf('told', 3), other, historyOf('told', 4)]) {
      writer.note(engine, engine.request(history), { statistics: { requests: 1 } })
      await expect(writer.flush()).rejects.toMatchObject({ code: 'store-locked' })
    }
    isDown = false
    expect((await writer.flush()).kind).toBe('done')
    const { messages, ledger, statistics, head } = await store.load(loaded.session)
    expect(messages.map(({ draft }) => draft)).toEqual([
      ...historyOf('told', 3),
      ...other.slice(-1),
      ...historyOf('told', 4).slice(-2),
    ])
    expect(messages.map(({ previous }) => previous)).toEqual([null, 0, 1, 2, 3, 4, 5, 4, 6, 8])
    expect(messages.flatMap(({ handles }) => handles)).toEqual(
      engine.record.items.map(({ handle }) => handle),
    )
    expect([ledger, head]).toEqual([engine.ledger.entries, 9])
    expect(statistics).toEqual({ requests: 3 })
  })

  it('goes on where an earlier process ended, and starts a ledger anew when the history was forked', async () => {
    const store = createMemoryStore()
    const session = await store.openSession({ id: 'shared', origin: 'test' })
    for (const turns of [3, 6, 9]) {
      const loaded = await store.load(session)
      const engine = resumedEngine(loaded)
      const writer = createSessionWriter(store, loaded)
      writer.note(engine, engine.request(historyOf('shared', turns)))
      expect((await writer.flush()).kind).toBe('done')
    }
    const whole = newEngine('shared')
    for (const turns of [3, 6, 9]) whole.request(historyOf('shared', turns))
    const before = await store.load(session)
    expect(before.ledger).toEqual(whole.ledger.entries)
    expect([before.ledger.length > 0, before.earlierLedgers]).toEqual([true, []])

    const engine = resumedEngine(before)
    const writer = createSessionWriter(store, before)
    writer.note(engine, engine.request(historyOf('shared', 10)))
    const fork = [...historyOf('shared', 8), ...historyOf('other', 6).slice(1)]
    writer.note(engine, engine.request(fork))
    expect((await writer.flush()).kind).toBe('done')
    const after = await store.load(session)
    expect(after.earlierLedgers).toHaveLength(1)
    expect(after.ledger).toEqual(engine.ledger.entries)
  })

  it('tells its caller when another process was first', async () => {
    const store = createMemoryStore()
    const loaded = await store.load(await store.openSession(key))
    const [one, other] = [newEngine('told'), newEngine('told')]
    const [winner, loser] = [createSessionWriter(store, loaded), createSessionWriter(store, loaded)]
    winner.note(one, one.request(historyOf('told', 2)))
    loser.note(other, other.request(historyOf('told', 2)))
    expect((await winner.flush()).kind).toBe('done')
    const outcome = await loser.flush()
    expect(outcome.kind === 'behind' && outcome.entries).toEqual(one.ledger.entries)
    const again = await store.load(loaded.session)
    expect(again.messages).toHaveLength(5)
  })
})
