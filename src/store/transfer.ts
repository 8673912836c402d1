import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import { refuseBadAddition, refuseBadKey } from './extent.ts'
import type { ImportOutcome, Receipt, Store, StoredMessage, StoredSession } from './store.ts'
import { isLedgerEntry, isMessageDraft, isPosition, listOf } from './stored-json.ts'

/** A whole session, independent of a store. */
export interface SessionDump {
  readonly session: Omit<StoredSession, 'number'>
  readonly messages: readonly StoredMessage[]
  readonly ledgers: readonly (readonly LedgerEntry[])[]
  readonly receipts: readonly Receipt[]
  readonly statistics: Readonly<Record<string, number>>
  readonly head: number | null
  /** See `SessionKey.owner`. Exports of earlier versions do not have it. */
  readonly owner?: string
}

const formatVersion = 1

/** A header line, then one line per session. */
export async function* exportLines(
  store: Pick<Store, 'sessions' | 'load' | 'receipts' | 'team'>,
): AsyncIterable<string> {
  yield JSON.stringify({ kind: 'palimpsest-store', version: formatVersion })
  const owners = await store.team.sessionOwners()
  for (const { number } of [...(await store.sessions())].reverse()) {
    const dump = await dumpOf(store, number)
    const owner = owners.get(number)
    const owned = owner === undefined ? {} : { owner }
    if (dump !== null) yield JSON.stringify({ kind: 'session', ...dump, ...owned })
  }
}

/** A whole session; null when it is gone. */
export async function dumpOf(
  store: Pick<Store, 'sessions' | 'load' | 'receipts'>,
  number: number,
): Promise<SessionDump | null> {
  try {
    const named = { number, id: '', parent: null, origin: '', folder: null, credential: '' }
    const loaded = await store.load({ ...named, createdAt: 0, usedAt: 0 })
    const { number: _, ...session } = loaded.session
    return {
      session,
      messages: loaded.messages,
      ledgers: [...loaded.earlierLedgers, loaded.ledger],
      receipts: await store.receipts(loaded.session),
      statistics: loaded.statistics,
      head: loaded.head,
    }
  } catch (error) {
    // It was removed during the export.
    if (PalimpsestError.is(error) && error.code === 'store-absent') return null
    throw error
  }
}

/** `adopt` stores a whole session; false when it exists already. */
export async function importLines(
  lines: AsyncIterable<string> | Iterable<string>,
  adopt: (dump: SessionDump) => Promise<boolean>,
): Promise<ImportOutcome> {
  const skipped: string[] = []
  let imported = 0
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const value = parsed(line, number)
    if (number === 1) {
      refuseOtherFormats(value)
      continue
    }
    const dump = dumpFrom(value, number)
    if (await adopt(dump)) imported++
    else skipped.push(dump.session.id)
  }
  if (number === 0) throw unreadable(1, 'the file is empty')
  return { imported, skipped }
}

function refuseOtherFormats(value: unknown): void {
  if (!isJsonObject(value) || value.kind !== 'palimpsest-store')
    throw unreadable(1, 'it was not written by `palimpsest store export`')
  if (value.version !== formatVersion)
    throw unreadable(
      1,
      `it has version ${String(value.version)}, and only version ${formatVersion} is supported`,
    )
}

function dumpFrom(value: unknown, line: number): SessionDump {
  if (!isSessionDump(value)) throw unreadable(line, 'it is not a session')
  refuseBadKey(value.session)
  // Exports of earlier versions do not have it.
  const session = { ...value.session, folder: value.session.folder ?? null }
  const { head, messages, statistics } = value
  const expected = { messages: 0, ledger: 0, entries: 0 }
  refuseBadAddition({ expected, messages, statistics, ...(head !== null && { head }) })
  return { ...value, session }
}

function isSessionDump(value: unknown): value is SessionDump {
  if (!isJsonObject(value) || !isJsonObject(value.session) || !isJsonObject(value.statistics))
    return false
  const { id, parent, origin, folder = null, credential, createdAt, usedAt } = value.session
  return (
    (folder === null || typeof folder === 'string') &&
    [id, origin, credential].every((text) => typeof text === 'string') &&
    (parent === null || typeof parent === 'string') &&
    [createdAt, usedAt].every(Number.isSafeInteger) &&
    (value.owner === undefined || typeof value.owner === 'string') &&
    Object.values(value.statistics).every((statistic) => typeof statistic === 'number') &&
    isPosition(value.head) &&
    listOf(value.messages, isStoredMessage) &&
    listOf(value.ledgers, isLedger) &&
    listOf(value.receipts, isJsonObject)
  )
}

function isLedger(value: unknown): value is readonly LedgerEntry[] {
  return listOf(value, isLedgerEntry)
}

function isStoredMessage(value: unknown): value is StoredMessage {
  return (
    isJsonObject(value) &&
    isPosition(value.previous) &&
    isMessageDraft(value.draft) &&
    listOf(value.handles, isText)
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw unreadable(number, 'it is not JSON')
  }
}

function unreadable(line: number, reason: string): PalimpsestError {
  return new PalimpsestError('unreadable', `line ${line} cannot be imported: ${reason}`)
}
