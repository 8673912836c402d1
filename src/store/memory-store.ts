import { PalimpsestError } from '../core/words/errors.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { Work } from '../core/words/work.ts'
import {
  compareExtents,
  extentAfter,
  headAfter,
  refuseBadAddition,
  refuseBadKey,
} from './extent.ts'
import { gcInMemory } from './memory-store-gc.ts'
import { createMemoryTeam } from './memory-team.ts'
import { redactedDump } from './redact.ts'
import type {
  Addition,
  AppendOutcome,
  Extent,
  FoundOriginal,
  LoadedSession,
  Receipt,
  SessionKey,
  SessionSummary,
  SessionsOf,
  Store,
  StoredMessage,
  StoredSession,
} from './store.ts'
import { dumpOf, exportLines, importLines, type SessionDump } from './transfer.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** A session in memory. */
export interface HeldSession {
  session: StoredSession
  owner: string | null
  readonly messages: StoredMessage[]
  readonly ledgers: LedgerEntry[][]
  readonly receipts: Receipt[]
  readonly statistics: Map<string, number>
  head: number | null
}

/** All sessions in memory. */
class HeldSessions {
  readonly #held = new Map<number, HeldSession>()
  readonly #now: () => number
  #lastNumber = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get byNumber(): Map<number, HeldSession> {
    return this.#held
  }

  /** The session used last comes first. */
  byUse(of?: SessionsOf): readonly HeldSession[] {
    return [...this.#held.values()]
      .filter(({ owner }) => of === undefined || owner === of.owner)
      .sort(({ session: a }, { session: b }) => b.usedAt - a.usedAt || b.number - a.number)
  }

  find(id: string, credential: string): HeldSession | undefined {
    for (const each of this.#held.values()) {
      if (each.session.id === id && each.session.credential === credential) return each
    }
    return undefined
  }

  present({ number, id }: StoredSession): HeldSession {
    const found = this.#held.get(number)
    if (found !== undefined) return found
    throw new PalimpsestError('store-absent', `the session ${id} was removed from the store`)
  }

  add(session: Omit<StoredSession, 'number'>): HeldSession {
    const number = ++this.#lastNumber
    const made: HeldSession = {
      session: { number, ...session },
      owner: null,
      messages: [],
      ledgers: [[]],
      receipts: [],
      statistics: new Map(),
      head: null,
    }
    this.#held.set(number, made)
    return made
  }

  open({
    id,
    parent = null,
    origin,
    folder = null,
    credential = '',
    owner,
  }: SessionKey): StoredSession {
    const at = this.#now()
    const known =
      this.find(id, credential) ??
      this.add({ id, parent, origin, folder, credential, createdAt: at, usedAt: at })
    known.owner ??= owner ?? null
    const { session } = known
    known.session = {
      ...session,
      parent: session.parent ?? parent,
      folder: session.folder ?? folder,
      usedAt: at,
    }
    return known.session
  }

  append({ number }: StoredSession, addition: Addition): AppendOutcome {
    const target = this.#held.get(number)
    if (target === undefined) return { kind: 'gone' }
    const outcome = appendTo(target, addition)
    if (outcome.kind === 'done') target.session = { ...target.session, usedAt: this.#now() }
    return outcome
  }

  /** The sessions that hold the most of these handles, at most this many. */
  holding(
    handles: readonly string[],
    most: number,
    of: SessionsOf | undefined,
  ): readonly StoredSession[] {
    const found = this.byUse(of).map((each) => ({
      session: each.session,
      count: handles.filter((handle) => textOf(each, handle) !== undefined).length,
    }))
    const holding = found.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
    return holding.slice(0, most).map(({ session }) => session)
  }

  original(handle: string, numbers: readonly number[] | null): FoundOriginal {
    const searched = this.byUse().filter(({ session }) => numbers?.includes(session.number) ?? true)
    const found = searched.flatMap((each) => {
      const text = textOf(each, handle)
      return text === undefined ? [] : [{ text, session: each.session }]
    })
    const [first] = found
    if (first === undefined) return { kind: 'absent' }
    if (found.some(({ text }) => text !== first.text))
      return { kind: 'ambiguous', sessions: found.map((each) => each.session) }
    return { kind: 'found', ...first }
  }
}

/** A store in memory: for the library, for tests, and for when no store can be opened. */
export function createMemoryStore({ now = Date.now }: MemoryStoreOptions = {}): Store {
  const held = new HeldSessions(now)
  const store: Store = {
    engine: 'memory',
    async openSession(key) {
      refuseBadKey(key)
      return held.open(key)
    },
    findSession: async ({ id, credential = '' }) => held.find(id, credential)?.session ?? null,
    sessionsWith: async (handles, most, of) => held.holding(handles, most, of),
    async append(session, addition) {
      refuseBadAddition(addition)
      return held.append(session, addition)
    },
    load: async (session) => loadedFrom(held.present(session)),
    receipts: async ({ number }) => [...(held.byNumber.get(number)?.receipts ?? [])],
    inSteps: {
      load: async (session) => atOnce(await store.load(session)),
      receipts: async (session) => atOnce(await store.receipts(session)),
    },
    original: async (handle, among) =>
      held.original(handle, among === undefined ? null : [among].flat().map((each) => each.number)),
    sessions: async (of) => held.byUse(of).map(summaryOf),
    forget: async ({ number }) => held.byNumber.delete(number),
    async redact({ number }, edit) {
      const dump = await dumpOf(store, number)
      const edited = dump === null ? null : redactedDump(dump, edit)
      if (dump === null || edited === null || edited === dump) return false
      const owner = held.byNumber.get(number)?.owner ?? null
      held.byNumber.delete(number)
      const added = held.add(edited.session)
      added.owner = owner
      fill(added, edited)
      return true
    },
    gc: async (limits) => gcInMemory(held.byNumber, limits),
    check: async () => [],
    exportLines: () => exportLines(store),
    importLines: (lines) =>
      importLines(lines, async (dump) => {
        const { id, credential } = dump.session
        if (held.find(id, credential) !== undefined) return false
        const added = held.add(dump.session)
        added.owner = dump.owner ?? null
        fill(added, dump)
        return true
      }),
    team: createMemoryTeam(held.byNumber),
    async close() {
      held.byNumber.clear()
    },
  }
  return store
}

function extentOf({ messages, ledgers }: HeldSession): Extent {
  const ledger = ledgers.length - 1
  return { messages: messages.length, ledger, entries: ledgers[ledger]?.length ?? 0 }
}

function appendTo(target: HeldSession, addition: Addition): AppendOutcome {
  const { expected, messages = [], entries = [], receipts = [], statistics = {} } = addition
  const extent = extentOf(target)
  const standing = compareExtents(extent, expected)
  if (standing === 'gone') return { kind: 'gone' }
  if (standing === 'behind') {
    const known = extent.ledger === expected.ledger ? expected.entries : 0
    return {
      kind: 'behind',
      extent,
      messages: target.messages.slice(expected.messages),
      entries: target.ledgers.at(-1)?.slice(known) ?? [],
    }
  }
  const copies = { entries: asStored(entries), receipts: asStored(receipts) }
  if (expected.ledger === target.ledgers.length) target.ledgers.push([])
  for (const message of messages) target.messages.push(message)
  for (const entry of copies.entries) target.ledgers[expected.ledger]?.push(entry)
  for (const receipt of copies.receipts) target.receipts.push(receipt)
  for (const [name, value] of Object.entries(statistics))
    target.statistics.set(name, (target.statistics.get(name) ?? 0) + value)
  target.head = headAfter(addition) ?? target.head
  return { kind: 'done', extent: extentAfter(addition) }
}

/** A copy. Messages are never changed, so they are shared. */
function asStored<Value>(values: readonly Value[]): readonly Value[] {
  return JSON.parse(JSON.stringify(values))
}

function fill(target: HeldSession, dump: SessionDump): void {
  for (const message of dump.messages) target.messages.push(message)
  target.ledgers.splice(0, 1, ...dump.ledgers.map((entries) => [...entries]))
  if (target.ledgers.length === 0) target.ledgers.push([])
  target.receipts.push(...dump.receipts)
  for (const [name, value] of Object.entries(dump.statistics)) target.statistics.set(name, value)
  target.head = dump.head
}

function loadedFrom(held: HeldSession): LoadedSession {
  const statistics = [...held.statistics].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    session: held.session,
    extent: extentOf(held),
    messages: [...held.messages],
    ledger: [...(held.ledgers.at(-1) ?? [])],
    earlierLedgers: held.ledgers.slice(0, -1).map((entries) => [...entries]),
    head: held.head,
    statistics: Object.fromEntries(statistics),
  }
}

function textOf({ messages }: HeldSession, handle: string): string | undefined {
  for (const { draft, handles } of messages) {
    const ordinal = handles.indexOf(handle)
    if (ordinal >= 0) return draft.items[ordinal]?.text
  }
  return undefined
}

function summaryOf({ session, messages }: HeldSession): SessionSummary {
  const texts = messages.flatMap(({ draft }) => draft.items.map(({ text }) => text.length))
  return {
    ...session,
    messages: messages.length,
    items: texts.length,
    characters: texts.reduce((sum, length) => sum + length, 0),
  }
}

/** Nothing has to be unpacked. */
// biome-ignore lint/correctness/useYield: there is nothing to wait for.
function* atOnce<Value>(value: Value): Work<Value> {
  return value
}
