import type { Engine, EngineRequest } from '../core/engine.ts'
import type { Ledger, LedgerEntry } from '../core/words/ledger.ts'
import { extentAfter } from './extent.ts'
import { addedMessages } from './histories.ts'
import { createQueue } from './queue.ts'
import type { Addition, AppendOutcome, Extent, LoadedSession, Store } from './store.ts'

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
  // Keeps only these parts, because the loaded session is large.
  { session, extent, ledger: loadedLedger }: Pick<LoadedSession, 'session' | 'extent' | 'ledger'>,
): SessionWriter {
  const pending: Addition[] = []
  let noted: Extent = extent
  let written: Extent = extent
  let stored: readonly LedgerEntry[] = loadedLedger
  let current: Ledger | null = null
  const flushes = createQueue()

  /** Where the new entries start in the engine's ledger; a different ledger starts from 0. */
  function follow(ledger: Ledger): void {
    if (ledger === current) return
    const isFirst = current === null
    current = ledger
    const isContinued = isFirst && continues(ledger.entries, stored)
    stored = []
    if (isContinued) return
    if (noted.entries > 0) noted = { ...noted, ledger: noted.ledger + 1, entries: 0 }
  }

  /** Usage is stored even when another process has continued the session. */
  async function keepBesides(expected: Extent, additions: Addition[]): Promise<void> {
    const { receipts = [], statistics = {} } = additions.reduce(joined)
    for (const [at, { receipts: _, statistics: __, ...rest }] of additions.entries())
      additions[at] = rest
    if (receipts.length === 0 && Object.keys(statistics).length === 0) return
    await store.append(session, { expected, receipts, statistics })
  }

  return {
    note({ record, ledger }, { anchor }, besides = {}) {
      follow(ledger)
      const entries = ledger.entries.slice(noted.entries)
      const messages = addedMessages(record, anchor, noted.messages)
      const head = record.history(anchor, anchor.length - 1).at(-1)?.index
      const addition: Addition = {
        expected: noted,
        messages,
        entries,
        ...besides,
        ...(head !== undefined && { head }),
      }
      noted = extentAfter(addition)
      pending.push(addition)
    },
    noteBesides: (besides) => void pending.push({ expected: noted, ...besides }),
    letGo() {
      current = null
      stored = []
    },
    flush: () =>
      flushes.run(async () => {
        while (pending.length > 0) {
          const { addition, count } = together(pending)
          const outcome = await store.append(session, addition)
          if (outcome.kind === 'behind') await keepBesides(outcome.extent, pending)
          if (outcome.kind !== 'done') return outcome
          written = outcome.extent
          pending.splice(0, count)
        }
        return { kind: 'done', extent: written }
      }),
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
