import { PalimpsestError } from '../core/words/errors.ts'
import { setRecent } from '../core/words/recent.ts'
import { finish, type Work } from '../replay/work.ts'
import { readReceipt, type StoredReceipt } from '../report/request-receipt.ts'
import type { LoadedSession, Receipt, SessionSummary, Store } from '../store/index.ts'
import type { SessionReceipts } from './overview.ts'
import { type SessionSource, storedSource } from './session-source.ts'

/** The sessions of a store, each read once until it changes. */
export interface StoredSessions {
  /** The last used first. */
  all(): Promise<readonly SessionSummary[]>
  /** @throws PalimpsestError with code `absent` when there is none. */
  find(key: string): Promise<SessionSummary>
  /** @throws PalimpsestError with code `absent` when there is none. */
  source(key: string): Promise<SessionSource>
  sourceOf(summary: SessionSummary): Promise<SessionSource>
  receipts(): Promise<readonly SessionReceipts[]>
  /** Data was added to a session. */
  changed(id: string): void
  /** Changes whenever the session does. */
  version(summary: SessionSummary): string
}

/** How many whole sessions stay in memory. */
const mostKept = 40

/** `run` does the long part of reading a session; without it, reading is synchronous. */
export function createStoredSessions(
  store: Store,
  run: <Result>(work: Work<Result>) => Promise<Result> = async (work) => finish(work),
): StoredSessions {
  const sources = new SessionCache<SessionSource>(mostKept)
  const receipts = new SessionCache<SessionReceipts>(Number.POSITIVE_INFINITY)
  const changes = new Map<string, number>()

  function receiptsOf(summary: SessionSummary): Promise<SessionReceipts> {
    return receipts.read(summary, async () => {
      const { id, origin, folder } = summary
      const stored = await store.inSteps.receipts(summary)
      return { id, origin, folder, receipts: await run(readAll(stored)) }
    })
  }

  function sourceOf(summary: SessionSummary): Promise<SessionSource> {
    return sources.read(summary, async () => {
      const loading = await store.inSteps.load(summary)
      const stored = await store.inSteps.receipts(summary)
      return run(readSource(loading, stored))
    })
  }

  async function find(key: string): Promise<SessionSummary> {
    const found = (await store.sessions()).find(({ number }) => String(number) === key)
    if (found === undefined) throw new PalimpsestError('absent', `session ${key} does not exist`)
    return found
  }

  return {
    all: () => store.sessions(),
    find,
    source: async (key) => sourceOf(await find(key)),
    sourceOf,
    async receipts() {
      const all: SessionReceipts[] = []
      for (const summary of await store.sessions()) all.push(await receiptsOf(summary))
      return all
    },
    version: ({ id, usedAt, messages }) => `${usedAt} ${messages} ${changes.get(id) ?? 0}`,
    changed(id) {
      changes.set(id, (changes.get(id) ?? 0) + 1)
      sources.forget(id)
      receipts.forget(id)
    },
  }
}

interface Kept<Value> {
  readonly id: string
  readonly usedAt: number
  readonly messages: number
  readonly value: Promise<Value>
}

/** Each session that was read, until it changes. */
class SessionCache<Value> {
  readonly #kept = new Map<number, Kept<Value>>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Reads each session once: a second caller waits for the first one's result. */
  read(
    { number, id, usedAt, messages }: SessionSummary,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const found = this.#kept.get(number)
    if (found?.usedAt === usedAt && found.messages === messages) return found.value
    const made = { id, usedAt, messages, value: read() }
    setRecent(this.#kept, number, made, this.#most)
    made.value.catch(() => {
      if (this.#kept.get(number) === made) this.#kept.delete(number)
    })
    return made.value
  }

  forget(id: string): void {
    for (const [number, kept] of this.#kept) if (kept.id === id) this.#kept.delete(number)
  }
}

function* readSource(
  loading: Work<LoadedSession>,
  stored: Work<readonly Receipt[]>,
): Work<SessionSource> {
  return yield* storedSource(yield* loading, yield* stored)
}

function* readAll(stored: Work<readonly Receipt[]>): Work<readonly StoredReceipt[]> {
  const receipts: StoredReceipt[] = []
  for (const each of yield* stored) {
    yield
    const receipt = readReceipt(each)
    if (receipt !== null) receipts.push(receipt)
  }
  return receipts
}
