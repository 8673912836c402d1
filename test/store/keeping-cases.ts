import assert from 'node:assert/strict'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import type { ContractCase, StorePlace } from './contract.ts'
import { conversation, entry, firstAddition, nothing, say } from './told.ts'

/** Sessions that were last used one day after another, from day 1 on; all of them share their first message. */
async function daily(place: StorePlace, store: Store, ids: readonly string[]): Promise<void> {
  for (const [at, id] of ids.entries()) {
    place.clock.now = (at + 1) * day
    const session = await store.openSession({ id, origin: 'test' })
    const own = Array.from({ length: 30 }, (_, line) => `${id} ${line} ${noise(at * 1000 + line)}`)
    const addition = firstAddition([say('shared by all'), ...own.map(say)])
    await store.append(session, { ...addition, entries: [entry(1)], receipts: [{ id }] })
  }
}

const day = 86_400_000

/** Text that does not compress, the same in every run. */
function noise(seed: number): string {
  let state = seed + 1
  return Array.from({ length: 400 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return String.fromCharCode(33 + ((state >>> 8) % 90))
  }).join('')
}

async function all(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const read: string[] = []
  for await (const line of lines) read.push(line)
  return read
}

const idsOf = async (store: Store): Promise<readonly string[]> =>
  (await store.sessions()).map(({ id }) => id)

export const keepingCases: readonly ContractCase[] = [
  {
    name: 'lists sessions, the last used first, with how much they hold',
    async run(place) {
      const store = await place.open()
      assert.deepEqual(await store.sessions(), [])
      place.clock.now = 10
      const older = await store.openSession({ id: 'older', origin: 'test' })
      place.clock.now = 20
      const newer = await store.openSession({ id: 'newer', origin: 'test', parent: 'older' })
      await store.append(newer, firstAddition([say('12345'), say('123')]))
      place.clock.now = 30
      await store.append(older, { expected: nothing })
      assert.deepEqual(await store.sessions(), [
        { ...older, usedAt: 30, messages: 0, items: 0, characters: 0 },
        { ...newer, messages: 2, items: 2, characters: 8 },
      ])
    },
  },
  {
    name: 'removes what was not used for long, and what only that had',
    async run(place) {
      const store = await place.open()
      await daily(place, store, ['a', 'b', 'c', 'd'])
      const dry = await store.gc({ usedBefore: 3 * day, dryRun: true })
      assert.deepEqual(await idsOf(store), ['d', 'c', 'b', 'a'])
      const done = await store.gc({ usedBefore: 3 * day })
      assert.deepEqual(await idsOf(store), ['d', 'c'])
      for (const outcome of [dry, done]) {
        assert.deepEqual(
          outcome.removed.map(({ id }) => id),
          ['a', 'b'],
        )
        assert.equal(outcome.originals, 60)
      }
      assert.ok(dry.bytesAfter < dry.bytesBefore)
      const kept = await store.openSession({ id: 'c', origin: 'test' })
      const { messages } = await store.load(kept)
      assert.equal(messages[0]?.draft.items[0]?.text, 'shared by all')
      assert.equal(messages.length, 31)
      const rest = await store.gc({ usedBefore: 100 * day })
      assert.equal(rest.originals, 61)
      assert.deepEqual(await idsOf(store), [])
    },
  },
  {
    name: 'removes the longest unused until it is not larger than told',
    async run(place) {
      const store = await place.open()
      await daily(place, store, ['a', 'b', 'c', 'd', 'e', 'f'])
      const { bytesBefore } = await store.gc({ largestBytes: Number.MAX_SAFE_INTEGER })
      assert.deepEqual(await idsOf(store), ['f', 'e', 'd', 'c', 'b', 'a'])
      await store.gc({ largestBytes: Math.round(bytesBefore * 0.6) })
      const left = await idsOf(store)
      assert.deepEqual(left, ['f', 'e', 'd', 'c', 'b', 'a'].slice(0, left.length))
      assert.ok(left.length >= 2 && left.length <= 4, `${left.length} of 6 are left`)
      await store.gc({ largestBytes: 0 })
      assert.deepEqual(await idsOf(store), [])
    },
  },
  {
    name: 'gives freed room to what comes after',
    async run(place) {
      const store = await place.open()
      await daily(place, store, ['a', 'b', 'c'])
      const { bytesBefore } = await store.gc({})
      for (let round = 0; round < 5; round++) {
        await store.gc({ usedBefore: 100 * day })
        await daily(place, store, [`a${round}`, `b${round}`, `c${round}`])
      }
      const { bytesBefore: bytesNow } = await store.gc({})
      assert.ok(bytesNow <= bytesBefore * 2, `${bytesBefore} bytes became ${bytesNow}`)
    },
  },
  {
    name: 'writes everything out and takes it in again, through any other store',
    async run(place) {
      const store = await place.open()
      place.clock.now = 5000
      const session = await store.openSession({ id: 'moved', origin: 'test', credential: 'c' })
      const addition = firstAddition([...conversation(2), say('\ud800 \0')])
      const statistics = { requests: 3 }
      await store.append(session, {
        ...addition,
        entries: [entry(1)],
        receipts: [{ turn: 1 }],
        statistics,
        head: 2,
      })
      const next = { messages: addition.messages.length, ledger: 1, entries: 0 }
      await store.append(session, { expected: next, entries: [entry(2), entry(3)], head: 2 })
      const empty = await store.openSession({ id: 'empty', origin: 'test', owner: 'ana' })
      const lines = await all(store.exportLines())
      const elsewhere = createMemoryStore()
      assert.deepEqual(await elsewhere.importLines(lines), { imported: 2, skipped: [] })
      assert.deepEqual(await all(elsewhere.exportLines()), lines)
      const owned = await elsewhere.sessions({ owner: 'ana' })
      assert.deepEqual(
        owned.map(({ id }) => id),
        ['empty'],
      )
      const before = await store.load(session)
      await store.forget(session)
      await store.forget(empty)
      assert.deepEqual(await store.importLines(elsewhere.exportLines()), {
        imported: 2,
        skipped: [],
      })
      const again = await store.sessions({ owner: 'ana' })
      assert.deepEqual(
        again.map(({ id }) => id),
        ['empty'],
      )
      assert.deepEqual(await store.importLines(lines), { imported: 0, skipped: ['moved', 'empty'] })
      const back = await store.openSession({ id: 'moved', origin: 'test', credential: 'c' })
      const { session: moved, ...held } = await store.load(back)
      const { session: original, ...holding } = before
      assert.deepEqual(held, holding)
      assert.deepEqual(moved, { ...original, number: moved.number })
      assert.deepEqual(await store.receipts(back), [{ turn: 1 }])
      const none = await store.openSession({ id: 'empty', origin: 'test' })
      assert.deepEqual((await store.load(none)).messages, [])
    },
  },
  {
    name: 'refuses to take in what no store wrote, and says which line',
    async run(place) {
      const store = await place.open()
      const head = '{"kind":"palimpsest-store","version":1}'
      const broken: readonly (readonly [readonly string[], RegExp])[] = [
        [[], /line 1/],
        [['hello'], /line 1/],
        [['{"kind":"other"}'], /line 1/],
        [['{"kind":"palimpsest-store","version":2}'], /line 1.*version 2/],
        [[head, '{"kind":"session"'], /line 2/],
        [[head, '{"kind":"session"}'], /line 2/],
        [[head, '', '[]'], /line 3/],
      ]
      for (const [lines, message] of broken) {
        await assert.rejects(store.importLines(lines), { code: 'unreadable', message })
      }
      assert.deepEqual(await store.sessions(), [])
    },
  },
  {
    name: 'edits the texts of a session wherever they stand, and leaves the others alone',
    async run(place) {
      const store = await place.open()
      const edit = (text: string): string => text.replaceAll('4711', '****')
      const keys = ['one', 'two'].map((id) => ({ id, origin: 'test' }))
      for (const key of keys) {
        const session = await store.openSession(key)
        const addition = firstAddition([say('shared by both'), say('the code is 4711')])
        await store.append(session, {
          ...addition,
          entries: [entry(1)],
          receipts: [{ note: '4711' }],
          statistics: { requests: 2 },
        })
      }
      const [one, two] = [await store.openSession(keys[0]!), await store.openSession(keys[1]!)]
      const before = await store.load(two)
      assert.equal(await store.redact(one, edit), true)
      const edited = await store.openSession(keys[0]!)
      const { messages, ledger, statistics } = await store.load(edited)
      assert.deepEqual(
        messages.flatMap(({ draft }) => draft.items.map(({ text }) => text)),
        ['shared by both', 'the code is ****'],
      )
      assert.deepEqual([ledger, statistics], [before.ledger, before.statistics])
      assert.deepEqual(await store.receipts(edited), [{ note: '****' }])
      assert.deepEqual((await store.load(two)).messages, before.messages)
      assert.equal(await store.redact(edited, edit), false)
      assert.equal(await store.redact(two, edit), true)
      assert.equal((await all(store.exportLines())).join('').includes('4711'), false)
      assert.deepEqual(await store.check(), [])
      assert.deepEqual(await store.append(one, { expected: nothing }), { kind: 'gone' })
    },
  },
  {
    name: 'says where a text stands that is edited, and never edits roles, kinds and other names',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'one', origin: 'test' })
      const addition = firstAddition([say('hello user'), say('decision')])
      await store.append(session, {
        ...addition,
        entries: [entry(1)],
        receipts: [{ kind: 'request', note: 'a note' }],
      })
      const before = await store.load(session)
      const seen: (readonly [string, string | undefined])[] = []
      const isEdited = await store.redact(session, (text, where) => {
        seen.push([text, where?.message.role])
        return `${text}!`
      })
      assert.equal(isEdited, true)
      const after = await store.load(await store.openSession({ id: 'one', origin: 'test' }))
      const drafts = before.messages.map(({ draft, ...rest }) => ({
        ...rest,
        draft: {
          ...draft,
          items: draft.items.map((item) => ({ ...item, text: `${item.text}!` })),
        },
      }))
      assert.deepEqual(after.messages, drafts)
      assert.deepEqual(seen.slice(0, 2), [
        ['hello user', before.messages[0]?.draft.role],
        ['decision', before.messages[1]?.draft.role],
      ])
      assert.deepEqual(await store.receipts(after.session), [{ kind: 'request', note: 'a note!' }])
      assert.deepEqual(await store.check(), [])
    },
  },
]
