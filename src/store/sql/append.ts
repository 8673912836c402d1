import type { Insertable, Kysely } from 'kysely'
import { compareExtents, extentAfter, headAfter } from '../extent.ts'
import type { Addition, AppendOutcome, Extent, StoredSession } from '../store.ts'
import { writeBody } from '../stored-json.ts'
import type { ItemsTable, StoreTables } from '../tables.ts'
import { writeBlocks } from './block-writer.ts'
import type { StoreContext } from './context.ts'
import type { SqlEngine } from './engine.ts'
import { readSince } from './load.ts'
import { Originals } from './originals.ts'
import { chunksOf, extentFrom } from './rows.ts'
import { firstOf, rowsOf, type Steps } from './steps.ts'

/** Writers share this lock and removing takes it exclusively, so that no original in use is removed. */
export const originalsLock = 'originals'

interface SessionState extends Extent {
  readonly receipts: number
  readonly head: number | null
  readonly last_block: number | null
}

export const emptySession: SessionState = {
  messages: 0,
  ledger: 0,
  entries: 0,
  receipts: 0,
  head: null,
  last_block: null,
}

const stateColumns = ['messages', 'ledger', 'entries', 'receipts', 'head', 'last_block'] as const
const ownerColumns = ['id', 'credential'] as const

/** Writes what a turn added, all or nothing, unless another process wrote to the session first. */
export async function append(
  context: StoreContext,
  session: StoredSession,
  addition: Addition,
  now: number,
): Promise<AppendOutcome> {
  const { engine, chains } = context
  const { number } = session
  try {
    return await engine.write(() => appendSteps(context, session, addition, now))
  } catch (error) {
    // The chain has content that was not stored.
    chains.drop(number)
    throw error
  }
}

function* appendSteps(
  context: StoreContext,
  { number: session, id, credential }: StoredSession,
  addition: Addition,
  now: number,
): Steps<AppendOutcome> {
  const { engine } = context
  yield* engine.lock(originalsLock, 'shared')
  const stored = yield* sessionState(engine, session)
  // A store that took the place of a lost one counts its sessions from the beginning.
  const isSame = stored?.id === id && stored.credential === credential
  if (stored === undefined || !isSame) return { kind: 'gone' }
  const standing = compareExtents(stored, addition.expected)
  if (standing === 'gone') return { kind: 'gone' }
  if (standing === 'behind') {
    const extent = extentFrom(stored)
    const missed = yield* readSince(engine, session, addition.expected, extent.ledger)
    return { kind: 'behind', extent, ...missed }
  }
  yield* writeAddition(context, session, addition, stored, now)
  return { kind: 'done', extent: extentAfter(addition) }
}

/** Writes an addition to a locked session. */
export function* writeAddition(
  context: StoreContext,
  session: number,
  addition: Addition,
  before: SessionState,
  usedAt: number,
): Steps<SessionState> {
  const { engine, chains } = context
  const after = extentAfter(addition)
  const { messages = [], entries = [], receipts = [] } = addition
  let lastBlock = before.last_block
  if (messages.length > 0 || entries.length > 0 || receipts.length > 0) {
    const originals = new Originals(textsOf(addition), engine.sealing)
    yield* originals.find(engine.db)
    const open = chains.of(session, before.last_block)
    // After an error below, the chain would hold content that is not in the store.
    chains.drop(session)
    const written = yield* writeBlocks(context, {
      session,
      texts: originals.missing(),
      body: writeBody(addition),
      before: extentFrom(before),
      after,
      open,
    })
    originals.note(written.originals)
    // Another process may have stored some of them meanwhile.
    yield* originals.find(engine.db)
    yield* insertItems(engine.db, session, addition, originals.ids())
    lastBlock = written.open.last
    chains.keep(session, written.open)
  }
  yield* addStatistics(engine.db, session, addition)
  const state: SessionState = {
    ...after,
    receipts: before.receipts + receipts.length,
    head: headAfter(addition) ?? before.head,
    last_block: lastBlock,
  }
  yield* rowsOf(
    engine.db
      .updateTable('sessions')
      .set({ ...state, used_at: usedAt })
      .where('number', '=', session),
  )
  return state
}

function* textsOf({ messages = [] }: Addition): Generator<string> {
  for (const { draft } of messages) for (const { text } of draft.items) yield text
}

/** Reads and locks a session's row: no other process writes to the session until the transaction ends. */
function sessionState(
  { db, name }: SqlEngine<StoreTables>,
  session: number,
): Steps<(SessionState & Pick<StoredSession, 'id' | 'credential'>) | undefined> {
  const query = db
    .selectFrom('sessions')
    .select([...stateColumns, ...ownerColumns])
    .where('number', '=', session)
  return firstOf(name === 'postgres' ? query.forUpdate() : query)
}

function* insertItems(
  db: Kysely<StoreTables>,
  session: number,
  { expected, messages = [] }: Addition,
  originals: readonly number[],
): Steps<void> {
  const items: Insertable<ItemsTable>[] = []
  for (const [offset, { handles }] of messages.entries()) {
    for (const [ordinal, handle] of handles.entries()) {
      const original = originals[items.length] as number
      items.push({ session, message: expected.messages + offset, ordinal, handle, original })
    }
  }
  for (const chunk of chunksOf(items)) yield* rowsOf(db.insertInto('items').values(chunk))
}

function* addStatistics(
  db: Kysely<StoreTables>,
  session: number,
  { statistics = {} }: Addition,
): Steps<void> {
  const rows = Object.entries(statistics).map(([name, value]) => ({ session, name, value }))
  for (const chunk of chunksOf(rows)) {
    const sum = db
      .insertInto('statistics')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['session', 'name']).doUpdateSet((eb) => ({
          value: eb('statistics.value', '+', eb.ref('excluded.value')),
        })),
      )
    yield* rowsOf(sum)
  }
}
