import type { Engine, EngineRequest } from '../core/engine.ts'
import type { Ledger, LedgerEntry } from '../core/words/ledger.ts'
import { extentAfter } from './extent.ts'
import { addedMessages } from './histories.ts'
import { createQueue } from './queue.ts'
import type {
  Addition,
  AppendOutcome,
  Extent,
  LoadedSession,
  Store,
  StoredSession,
} from './store.ts'

/** Receipts and statistics, which the engine does not have. */
export type Besides = Pick<Addition, 'receipts' | 'statistics'>

/**
 * Writes a session's requests to the store. `note` is cheap and never fails. When a write fails, the notes are kept for
 * the next flush.
 *
 * @example
 * const loaded = await store.load(await store.openSession(key))
 * const engine = createEngine({ settings, understanding, ledger: loaded.ledger })
 * for (const history of historiesOf(loaded)) engine.record.append(history)
 * const writer = createSessionWriter(store, loaded)
 * // for every request:
 * const request = engine.request(messages)
 * writer.note(engine, request)
 * const outcome = await writer.flush()
 */
export interface SessionWriter {
  /** Call it after every request, before the next one. */
  note(
    engine: Pick<Engine, 'record' | 'ledger'>,
    request: Pick<EngineRequest, 'anchor'>,
    besides?: Besides,
  ): void
  /** Notes receipts and statistics of an earlier request. */
  noteBesides(besides: Besides): void
  /** Releases the engine's ledger. After that only `noteBesides` may be called. */
  letGo(): void
  /**
   * Writes all notes. After `behind` or `gone` the engine is out of date: load the session again and make a new engine
   * and writer.
   */
  flush(): Promise<AppendOutcome>
}

export function createSessionWriter(
  store: Pick<Store, 'append'>,
  loaded: Pick<LoadedSession, 'session' | 'extent' | 'ledger'>,
): SessionWriter {
  return new StoreWriter(store, loaded)
}

class StoreWriter implements SessionWriter {
  readonly #store: Pick<Store, 'append'>
  readonly #session: StoredSession
  readonly #pending: Addition[] = []
  readonly #flushes = createQueue()
  #noted: Extent
  #written: Extent
  #stored: readonly LedgerEntry[]
  #current: Ledger | null = null

  constructor(
    store: Pick<Store, 'append'>,
    // Keeps only these parts, because the loaded session is large.
    { session, extent, ledger }: Pick<LoadedSession, 'session' | 'extent' | 'ledger'>,
  ) {
    this.#store = store
    this.#session = session
    this.#noted = extent
    this.#written = extent
    this.#stored = ledger
  }

  note(
    { record, ledger }: Pick<Engine, 'record' | 'ledger'>,
    { anchor }: Pick<EngineRequest, 'anchor'>,
    besides: Besides = {},
  ): void {
    this.#follow(ledger)
    const noted = this.#noted
    const head = record.history(anchor, anchor.length - 1).at(-1)?.index
    const addition: Addition = {
      expected: noted,
      messages: addedMessages(record, anchor, noted.messages),
      entries: ledger.entries.slice(noted.entries),
      ...besides,
      ...(head !== undefined && { head }),
    }
    this.#noted = extentAfter(addition)
    this.#pending.push(addition)
  }

  noteBesides(besides: Besides): void {
    this.#pending.push({ expected: this.#noted, ...besides })
  }

  letGo(): void {
    this.#current = null
    this.#stored = []
  }

  flush(): Promise<AppendOutcome> {
    return this.#flushes.run(async () => {
      while (this.#pending.length > 0) {
        const { addition, count } = together(this.#pending)
        const outcome = await this.#store.append(this.#session, addition)
        if (outcome.kind === 'behind') await this.#keepBesides(outcome.extent)
        if (outcome.kind !== 'done') return outcome
        this.#written = outcome.extent
        this.#pending.splice(0, count)
      }
      return { kind: 'done', extent: this.#written }
    })
  }

  /** Where the new entries start in the engine's ledger; a different ledger starts from 0. */
  #follow(ledger: Ledger): void {
    if (ledger === this.#current) return
    const isContinued = this.#current === null && continues(ledger.entries, this.#stored)
    this.#current = ledger
    this.#stored = []
    const noted = this.#noted
    if (!isContinued && noted.entries > 0)
      this.#noted = { ...noted, ledger: noted.ledger + 1, entries: 0 }
  }

  /** Usage is stored even when another process has continued the session. */
  async #keepBesides(expected: Extent): Promise<void> {
    const additions = this.#pending
    const { receipts = [], statistics = {} } = additions.reduce(joined)
    for (const [at, { receipts: _, statistics: __, ...rest }] of additions.entries())
      additions[at] = rest
    if (receipts.length === 0 && Object.keys(statistics).length === 0) return
    await this.#store.append(this.#session, { expected, receipts, statistics })
  }
}

/** Merges the first additions into one, and counts them. A new ledger needs its own write. */
function together(pending: readonly Addition[]): { addition: Addition; count: number } {
  const { ledger } = (pending[0] as Addition).expected
  const other = pending.findIndex(({ expected }) => expected.ledger !== ledger)
  const count = other < 0 ? pending.length : other
  return { addition: pending.slice(0, count).reduce(joined), count }
}

function joined(one: Addition, other: Addition): Addition {
  const statistics: Record<string, number> = { ...one.statistics }
  for (const [name, value] of Object.entries(other.statistics ?? {}))
    statistics[name] = (statistics[name] ?? 0) + value
  return {
    ...one,
    ...other,
    expected: one.expected,
    messages: [...(one.messages ?? []), ...(other.messages ?? [])],
    entries: [...(one.entries ?? []), ...(other.entries ?? [])],
    receipts: [...(one.receipts ?? []), ...(other.receipts ?? [])],
    statistics,
  }
}

function continues(entries: readonly LedgerEntry[], stored: readonly LedgerEntry[]): boolean {
  if (entries.length < stored.length) return false
  return stored.every((entry, at) => JSON.stringify(entry) === JSON.stringify(entries[at]))
}
