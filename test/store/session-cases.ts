import assert from 'node:assert/strict'
import { createRecord } from '../../src/core/record/record.ts'
import type { PalimpsestError } from '../../src/core/words/errors.ts'
import type { Work } from '../../src/core/words/work.ts'
import { createMemoryStore, historiesOf } from '../../src/store/index.ts'
import type { ContractCase } from './contract.ts'
import { conversation, entry, firstAddition, nothing, result, say, ToldSession } from './told.ts'

const odd = [
  '',
  ' ',
  'a\0b',
  '\ud800 alone',
  '\udc00\ud800',
  '🦉 née \u2028',
  'x'.repeat(100_000),
  Array.from({ length: 3000 }, (_, at) => String.fromCharCode(33 + ((at * 7919) % 60_000))).join(
    '',
  ),
]

export const sessionCases: readonly ContractCase[] = [
  {
    name: 'gives a session back as it was appended, turn by turn',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'one', origin: 'test' })
      const told = new ToldSession()
      const drafts = conversation(4)
      const messages = []
      const ledger = []
      for (let length = 1; length <= drafts.length; length += 2) {
        const expected = { messages: messages.length, ledger: 0, entries: ledger.length }
        const added = told.tell(drafts.slice(0, length))
        const entries = [entry(length), { ...entry(length), turn: length }]
        const outcome = await store.append(session, { expected, messages: added, entries })
        messages.push(...added)
        ledger.push(...entries)
        assert.deepEqual(outcome, {
          kind: 'done',
          extent: { messages: messages.length, ledger: 0, entries: ledger.length },
        })
      }
      const again = await place.open()
      const { session: stored, ...loaded } = await again.load(session)
      assert.deepEqual(loaded, {
        extent: { messages: 9, ledger: 0, entries: 10 },
        messages,
        ledger,
        earlierLedgers: [],
        head: 8,
        statistics: {},
      })
      assert.deepEqual({ ...stored, usedAt: 0 }, { ...session, usedAt: 0 })
      assert.deepEqual(
        loaded.messages.map(({ draft }) => draft),
        drafts,
      )
    },
  },
  {
    name: 'reads a session in steps as it reads it at once, with texts of other sessions and while it grows',
    async run(place) {
      const store = await place.open()
      const other = await store.openSession({ id: 'other', origin: 'test' })
      await store.append(other, firstAddition(conversation(3)))
      const session = await store.openSession({ id: 'one', origin: 'test' })
      const told = new ToldSession()
      const drafts = conversation(6)
      let expected = nothing
      for (let length = 1; length < drafts.length; length += 2) {
        const messages = told.tell(drafts.slice(0, length))
        const receipts = [{ kind: 'request', turn: length }]
        const added = { expected, messages, entries: [entry(length)], receipts }
        const outcome = await store.append(session, added)
        assert.equal(outcome.kind, 'done')
        if (outcome.kind === 'done') expected = outcome.extent
      }
      const [loaded, receipts] = [await store.load(session), await store.receipts(session)]
      const loading = await store.inSteps.load(session)
      const reading = await store.inSteps.receipts(session)
      const messages = told.tell(drafts)
      await store.append(session, { expected, messages, receipts: [{ kind: 'request' }] })
      let steps = 0
      const counted = <Result>(work: Work<Result>): Result => {
        let step = work.next()
        for (; step.done !== true; step = work.next()) steps++
        return step.value
      }
      assert.deepEqual(counted(loading), loaded)
      assert.deepEqual(counted(reading), receipts)
      // The memory store has nothing to unpack.
      if (store.engine !== 'memory') assert.ok(steps > 3 * receipts.length, `${steps} steps`)
      await assert.rejects(
        store.inSteps.load({ ...session, number: session.number + 1000 }),
        ({ code }: PalimpsestError) => code === 'store-absent',
      )
    },
  },
  {
    name: 'keeps every text to the last code unit',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'odd', origin: 'test' })
      const drafts = odd.map((text, at) => result(`call-${at}`, `tool \0 \ud800 ${at}`, text))
      const addition = firstAddition(drafts)
      await store.append(session, addition)
      const loaded = await store.load(session)
      assert.deepEqual(loaded.messages, addition.messages)
      for (const { draft, handles } of addition.messages) {
        const found = await store.original(handles[0] as string, session)
        assert.equal(found.kind === 'found' ? found.text : found.kind, draft.items[0]?.text)
      }
    },
  },
  {
    name: 'keeps entries of kinds that it does not know, in order',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'kinds', origin: 'test' })
      const later = { kind: 'later', nested: { list: [1, null, '\0'] } } as unknown
      const entries = [entry(1), later, entry(2)] as ReturnType<typeof entry>[]
      await store.append(session, { expected: nothing, entries })
      assert.deepEqual((await store.load(session)).ledger, entries)
    },
  },
  {
    name: 'opens the same session for the same id and credential, and another one otherwise',
    async run(place) {
      const store = await place.open()
      place.clock.now = 1000
      const first = await store.openSession({ id: 's', origin: 'test', credential: 'c1' })
      place.clock.now = 2000
      const again = await store.openSession({ id: 's', origin: 'x', credential: 'c1', parent: 'p' })
      assert.deepEqual(first, {
        number: first.number,
        id: 's',
        parent: null,
        origin: 'test',
        folder: null,
        credential: 'c1',
        createdAt: 1000,
        usedAt: 1000,
      })
      assert.deepEqual(again, { ...first, usedAt: 2000, parent: 'p' })
      const other = await store.openSession({ id: 's', origin: 'test', credential: 'c2' })
      const none = await store.openSession({ id: 's', origin: 'test' })
      assert.equal(new Set([first.number, other.number, none.number]).size, 3)
    },
  },
  {
    name: 'keeps the folder of a session as it was first said, also through an export',
    async run(place) {
      const store = await place.open()
      const key = { id: 's', origin: 'test' }
      assert.equal((await store.openSession(key)).folder, null)
      assert.equal((await store.openSession({ ...key, folder: '/a b' })).folder, '/a b')
      assert.equal((await store.openSession({ ...key, folder: '/c' })).folder, '/a b')
      const lines: string[] = []
      for await (const line of store.exportLines()) lines.push(line)
      const copy = createMemoryStore()
      await copy.importLines(lines)
      assert.deepEqual(
        (await copy.sessions()).map(({ folder }) => folder),
        ['/a b'],
      )
      const older = lines.map((line) => line.replace(',"folder":"/a b"', ''))
      const other = createMemoryStore()
      await other.importLines(older)
      assert.equal((await other.sessions())[0]?.folder, null)
    },
  },
  {
    name: 'finds an original among some sessions only',
    async run(place) {
      const store = await place.open()
      const [one, two] = [
        await store.openSession({ id: 'one', origin: 'test' }),
        await store.openSession({ id: 'two', origin: 'test' }),
      ]
      await store.append(one, firstAddition([say('the first')]))
      await store.append(two, firstAddition([say('the second')]))
      const handle = firstAddition([say('the first')]).messages[0]?.handles[0] ?? ''
      assert.equal((await store.original(handle, [])).kind, 'absent')
      const found = await store.original(handle, [one])
      assert.equal(found.kind === 'found' && found.text, 'the first')
    },
  },
  {
    name: 'finds a session by its id and credential, and makes and marks none',
    async run(place) {
      const store = await place.open()
      place.clock.now = 1000
      const made = await store.openSession({ id: 's', origin: 'test', credential: 'c1' })
      const none = await store.openSession({ id: 's', origin: 'test' })
      const addition = firstAddition([say('hello')])
      await store.append(made, addition)
      place.clock.now = 2000
      const again = await place.open()
      const found = await again.findSession({ id: 's', credential: 'c1' })
      assert.deepEqual(found, made)
      assert.deepEqual((await again.load(found)).messages, addition.messages)
      assert.deepEqual(await again.findSession({ id: 's' }), none)
      for (const key of [
        { id: 's', credential: 'c2' },
        { id: 'other', credential: 'c1' },
      ])
        assert.equal(await again.findSession(key), null)
      const ids = (await store.sessions()).map(({ id, usedAt }) => [id, usedAt])
      assert.deepEqual(ids, [
        ['s', 1000],
        ['s', 1000],
      ])
    },
  },
  {
    name: 'finds the sessions that hold items of these handles, those with the most of them first',
    async run(place) {
      const store = await place.open()
      const additions = ['whole', 'half', 'other'].map((about) =>
        firstAddition(conversation(about === 'half' ? 1 : 3, about === 'other' ? about : 'it')),
      )
      const [whole, half, other] = await Promise.all(
        ['whole', 'half', 'other'].map((id) => store.openSession({ id, origin: 'test' })),
      )
      place.clock.now = 5000
      for (const [at, session] of [whole, half, other].entries())
        await store.append(session!, additions[at]!)
      const handles = additions[0]!.messages.map((message) => message.handles[0]!)
      const again = await place.open()
      const ids = async (wanted: readonly string[], most: number): Promise<readonly string[]> =>
        (await again.sessionsWith(wanted, most)).map(({ id }) => id)
      assert.deepEqual(await ids(handles, 8), ['whole', 'half'])
      assert.deepEqual(await ids(handles, 1), ['whole'])
      // Both hold these: the last used is the first.
      place.clock.now = 6000
      await again.openSession({ id: 'half', origin: 'test' })
      assert.deepEqual(await ids(handles.slice(0, 3), 8), ['half', 'whole'])
      assert.deepEqual(await ids(['ffffff'], 8), [])
      assert.deepEqual(await ids([], 8), [])
    },
  },
  {
    name: 'refuses keys and additions that it could not give back',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'fine', origin: 'test' })
      const [message] = firstAddition([say('hello')]).messages
      assert.ok(message !== undefined)
      const refused = [
        store.openSession({ id: '', origin: 'test' }),
        store.openSession({ id: 'a\0b', origin: 'test' }),
        store.openSession({ id: '\ud800', origin: 'test' }),
        store.append(session, { expected: nothing, messages: [{ ...message, handles: [] }] }),
        store.append(session, { expected: nothing, messages: [{ ...message, previous: 0 }] }),
        store.append(session, { expected: nothing, statistics: { sum: Number.NaN } }),
        store.append(session, { expected: nothing, head: 0 }),
      ]
      for (const each of refused) await assert.rejects(each, { code: 'usage' })
      assert.deepEqual((await store.load(session)).extent, nothing)
    },
  },
  {
    name: 'rebuilds a record with forks, edits and shortened histories, item by item',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'forked', origin: 'test' })
      const told = new ToldSession()
      const whole = conversation(5)
      const requests = [
        whole.slice(0, 5),
        whole,
        [...whole.slice(0, 4), say('no, the other way'), ...conversation(2, 'that')],
        [say('a summary of it all'), ...whole.slice(7)],
        whole.slice(0, 3),
      ]
      let expected = nothing
      for (const request of requests) {
        const messages = told.tell(request)
        const head = told.record.history(told.anchor).at(-1)?.index ?? 0
        const outcome = await store.append(session, { expected, messages, head })
        assert.equal(outcome.kind, 'done')
        if (outcome.kind === 'done') expected = outcome.extent
      }
      const loaded = await (await place.open()).load(session)
      const rebuilt = createRecord()
      let length = 0
      for (const history of historiesOf(loaded)) length = rebuilt.append(history).anchor.length
      assert.deepEqual(rebuilt.items, told.record.items)
      assert.deepEqual(rebuilt.messages, told.record.messages)
      assert.equal(rebuilt.branches, told.record.branches)
      assert.equal(length, 3)
    },
  },
  {
    name: 'starts a ledger anew and keeps the earlier ones',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'ledgers', origin: 'test' })
      await store.append(session, { expected: nothing, entries: [entry(1), entry(2)] })
      const next = { messages: 0, ledger: 1, entries: 0 }
      const outcome = await store.append(session, { expected: next, entries: [entry(3)] })
      assert.deepEqual(outcome, { kind: 'done', extent: { ...next, entries: 1 } })
      const { ledger, earlierLedgers } = await store.load(session)
      assert.deepEqual([ledger, earlierLedgers], [[entry(3)], [[entry(1), entry(2)]]])
    },
  },
  {
    name: 'adds up figures and lines up receipts',
    async run(place) {
      const store = await place.open()
      const session = await store.openSession({ id: 'figures', origin: 'test' })
      const expected = nothing
      await store.append(session, {
        expected,
        receipts: [{ turn: 1 }, { turn: 2, deep: { list: [1, 2] } }],
        statistics: { requests: 2, saved: 0.5 },
      })
      await store.append(session, {
        expected,
        receipts: [{ turn: 3 }],
        statistics: { requests: 1, restores: 1 },
      })
      assert.deepEqual(await store.receipts(session), [
        { turn: 1 },
        { turn: 2, deep: { list: [1, 2] } },
        { turn: 3 },
      ])
      const { statistics } = await store.load(session)
      assert.deepEqual(statistics, { requests: 3, restores: 1, saved: 0.5 })
    },
  },
]
