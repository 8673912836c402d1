import assert from 'node:assert/strict'
import type { Store } from '../../src/store/index.ts'
import { ownedStore } from '../../src/store/owned-store.ts'
import type { ContractCase } from './contract.ts'
import { conversation, entry, firstAddition, nothing, say, ToldSession } from './told.ts'

export const sharingCases: readonly ContractCase[] = [
  {
    name: 'lets one of several deciders win, and gives the others its decision',
    async run(place) {
      const stores = await Promise.all([place.open(), place.open(), place.open(), place.open()])
      const sessions = await Promise.all(
        stores.map((store) => store.openSession({ id: 'contested', origin: 'test' })),
      )
      assert.equal(new Set(sessions.map(({ number }) => number)).size, 1)
      const { messages } = firstAddition(conversation(2))
      const outcomes = await Promise.all(
        stores.map((store, at) =>
          store.append(sessions[at]!, {
            expected: nothing,
            messages,
            entries: [entry(at, `decided by ${at}`)],
          }),
        ),
      )
      const winners = outcomes.flatMap((outcome, at) => (outcome.kind === 'done' ? [at] : []))
      assert.equal(winners.length, 1)
      const decided = [entry(winners[0]!, `decided by ${winners[0]}`)]
      const extent = { messages: messages.length, ledger: 0, entries: 1 }
      for (const [at, outcome] of outcomes.entries()) {
        const expected =
          at === winners[0]
            ? { kind: 'done', extent }
            : { kind: 'behind', extent, messages, entries: decided }
        assert.deepEqual(outcome, expected)
      }
      const loaded = await stores[0]!.load(sessions[0]!)
      assert.deepEqual([loaded.messages, loaded.ledger], [messages, decided])
    },
  },
  {
    name: 'keeps what many write to one session at once, each after reading what it had not seen',
    async run(place) {
      const writers = await Promise.all([0, 1, 2, 3].map(() => place.open()))
      const rounds = 12
      await Promise.all(
        writers.map(async (store, writer) => {
          const session = await store.openSession({ id: 'busy', origin: 'test' })
          let entries = 0
          for (let round = 0; round < rounds; ) {
            const outcome = await store.append(session, {
              expected: { ...nothing, entries },
              entries: [entry(writer, `round ${round}`)],
              statistics: { written: 1 },
            })
            assert.notEqual(outcome.kind, 'gone')
            if (outcome.kind === 'done') round++
            if (outcome.kind !== 'gone') entries = outcome.extent.entries
          }
        }),
      )
      const [store] = writers
      const session = await store!.openSession({ id: 'busy', origin: 'test' })
      const { ledger, statistics } = await store!.load(session)
      assert.equal(statistics.written, 4 * rounds)
      for (const writer of [0, 1, 2, 3]) {
        const own = ledger.filter((each) => each.kind === 'decision' && each.item === writer)
        const told = Array.from({ length: rounds }, (_, round) => entry(writer, `round ${round}`))
        assert.deepEqual(own, told)
      }
    },
  },
  {
    name: 'says what a caller has not seen: messages, entries, and a ledger that it did not know',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'behind', origin: 'test' })
      const told = new ToldSession()
      const drafts = conversation(3)
      const first = told.tell(drafts.slice(0, 3))
      const second = told.tell(drafts)
      await store.append(session, { expected: nothing, messages: first, entries: [entry(0)] })
      const known = { messages: 3, ledger: 0, entries: 1 }
      await store.append(session, { expected: known, messages: second, entries: [entry(1)] })
      assert.deepEqual(await store.append(session, { expected: known, entries: [entry(9)] }), {
        kind: 'behind',
        extent: { messages: 7, ledger: 0, entries: 2 },
        messages: second,
        entries: [entry(1)],
      })
      const anew = { messages: 7, ledger: 1, entries: 0 }
      await store.append(session, { expected: anew, entries: [entry(5), entry(6)] })
      assert.deepEqual(await store.append(session, { expected: known, entries: [entry(9)] }), {
        kind: 'behind',
        extent: { messages: 7, ledger: 1, entries: 2 },
        messages: second,
        entries: [entry(5), entry(6)],
      })
      assert.deepEqual((await store.load(session)).ledger, [entry(5), entry(6)])
    },
  },
  {
    name: 'says when a session is gone, or is less than the caller knew',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'gone', origin: 'test' })
      const far = { messages: 5, ledger: 0, entries: 0 }
      assert.deepEqual(await store.append(session, { expected: far }), { kind: 'gone' })
      const beyond = { messages: 0, ledger: 2, entries: 0 }
      assert.deepEqual(await store.append(session, { expected: beyond }), { kind: 'gone' })
      await store.append(session, { expected: nothing, entries: [entry(1)] })
      assert.equal(await store.forget(session), true)
      assert.equal(await store.forget(session), false)
      assert.deepEqual(await store.append(session, { expected: nothing }), { kind: 'gone' })
      await assert.rejects(store.load(session), { code: 'store-absent' })
      const anew = await store.openSession({ id: 'gone', origin: 'test' })
      assert.notEqual(anew.number, session.number)
      assert.deepEqual((await store.load(anew)).ledger, [])
    },
  },
  {
    name: 'writes nothing of an addition that fails in its middle',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'whole', origin: 'test' })
      const { messages } = firstAddition([say('first'), say('second')])
      const cyclic: Record<string, unknown> = {}
      cyclic.self = cyclic
      const append = store.append(session, {
        expected: nothing,
        messages,
        entries: [entry(1)],
        receipts: [cyclic],
      })
      await assert.rejects(append)
      assert.deepEqual((await store.load(session)).extent, nothing)
      assert.deepEqual((await store.load(session)).messages, [])
      const [handle] = messages[0]!.handles
      assert.deepEqual(await store.original(handle!), { kind: 'absent' })
      const outcome = await store.append(session, { expected: nothing, messages })
      assert.equal(outcome.kind, 'done')
    },
  },
  {
    name: 'finds an original by its handle in one session or in all, and says when it is ambiguous',
    async run(place) {
      const store = await place.open()
      const [one, two, three] = [
        await store.openSession({ id: 'one', origin: 'test' }),
        await store.openSession({ id: 'two', origin: 'test' }),
        await store.openSession({ id: 'three', origin: 'test' }),
      ]
      const told = (text: string, handle: string) => ({
        expected: nothing,
        messages: [{ previous: null, draft: say(text), handles: [handle] }],
      })
      await store.append(one, told('same', 'abc123'))
      await store.append(two, told('same', 'abc123'))
      const shared = await store.original('abc123')
      assert.equal(shared.kind === 'found' && shared.text, 'same')
      await store.append(three, told('another', 'abc123'))
      const found = await store.original('abc123')
      const ids = found.kind === 'ambiguous' ? found.sessions.map(({ id }) => id).sort() : []
      assert.deepEqual(ids, ['one', 'three', 'two'])
      const inOne = await store.original('abc123', three)
      assert.equal(inOne.kind === 'found' && inOne.text, 'another')
      assert.deepEqual(await store.original('fffff0'), { kind: 'absent' })
      assert.deepEqual(await store.original('fffff0', one), { kind: 'absent' })
    },
  },
  {
    name: 'finds the sessions of one owner that have a handle, however many others have it',
    async run(place) {
      const store = await place.open()
      const addition = firstAddition(conversation(1))
      const handle = addition.messages[0]!.handles[0]!
      const owned = ['ana', undefined, ...Array.from({ length: 30 }, () => 'ben')]
      for (const [at, owner] of owned.entries()) {
        place.clock.now = 1000 + at
        const named = owner === undefined ? {} : { owner }
        const session = await store.openSession({ id: `of ${at}`, origin: 'test', ...named })
        await store.append(session, addition)
      }
      const ids = async (from: Store, owner: string | null): Promise<readonly string[]> =>
        (await from.sessionsWith([handle], 1, { owner })).map(({ id }) => id)
      assert.deepEqual(await ids(store, 'ana'), ['of 0'])
      assert.deepEqual(await ids(store, null), ['of 1'])
      assert.deepEqual(await ids(store, 'ben'), ['of 31'])
      assert.deepEqual(await ids(store, 'eve'), [])
      const [mine] = await ownedStore(store, 'ana').sessionsWith([handle], 1)
      assert.equal(mine?.id, 'of 0')
      assert.equal((await ownedStore(store, 'ana').original(handle)).kind, 'found')
      assert.equal((await ownedStore(store, 'eve').original(handle)).kind, 'absent')
    },
  },
]
