import type { Insertable } from 'kysely'
import { compareExtents, extentAfter, headAfter } from '../extent.ts'
import type { Addition, AppendOutcome, Extent, StoredSession } from '../store.ts'
import { writeBody } from '../stored-json.ts'
import type { ItemsTable } from '../tables.ts'
import { writeBlocks } from './block-writer.ts'
import type { StoreContext } from './context.ts'
import { readSince } from './load.ts'
import { Originals } from './originals.ts'
import { chunksOf, extentFrom } from './rows.ts'
import type { Steps } from './steps.ts'

/** The lock that writers share and that removing takes alone, so that no original goes that is just being used. */
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

/** Writes what a turn added, all of it or nothing, if nobody else has written to the session since. */
export async function append(
  context: StoreContext,
  { number }: StoredSession,
  addition: Addition,
  now: number,
): Promise<AppendOutcome> {
  const { engine, chains } = context
  try {
    return await engine.write(() => appendSteps(context, number, addition, now))
  } catch (error) {
    // What the chain has taken in is not in the store.
    chains.drop(number)
    throw error
  }
}

function* appendSteps(
  context: StoreContext,
  session: number,
  addition: Addition,
  now: number,
): Steps<AppendOutcome> {
  const { engine } = context
  yield* engine.lock(originalsLock, 'shared')
  const stored = yield* lockedSession(context, session)
  if (stored === undefined) return { kind: 'gone' }
  const standing = compareExtents(stored, addition.expected)
  if (standing === 'gone') return { kind: 'gone' }
  if (standing === 'behind') {
    const extent = extentFrom(stored)
    const missed = yield* readSince(engine.db, session, addition.expected, extent.ledger)
    return { kind: 'behind', extent, ...missed }
  }
  yield* writeAddition(context, session, addition, stored, now)
  return { kind: 'done', extent: extentAfter(addition) }
}

/** Writes an addition to a session that nobody else can write to. */
export function* writeAddition(
  context: StoreContext,
  session: number,
  addition: Addition,
  before: SessionState,
  usedAt: number,
): Steps<SessionState> {
  const { engine, chains, compiled } = context
  const after = extentAfter(addition)
  const { messages = [], entries = [], receipts = [] } = addition
  let lastBlock = before.last_block
  if (messages.length > 0 || entries.length > 0 || receipts.length > 0) {
    const originals = new Originals(textsOf(addition))
    yield* originals.find(context)
    const open = chains.of(session, before.last_block)
    // What goes wrong from here on leaves the chain with more than the store has.
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
    yield* originals.find(context)
    yield* writeItems(context, session, addition, originals.ids())
    lastBlock = written.open.last
    chains.keep(session, written.open)
  }
  yield* addStatistics(context, session, addition)
  const state: SessionState = {
    ...after,
    receipts: before.receipts + receipts.length,
    head: headAfter(addition) ?? before.head,
    last_block: lastBlock,
  }
  const values = { ...state, used_at: usedAt }
  yield* compiled.rowsOf('note state', [...Object.values(values), session], () =>
    engine.db.updateTable('sessions').set(values).where('number', '=', session),
  )
  return state
}

function* textsOf({ messages = [] }: Addition): Generator<string> {
  for (const { draft } of messages) for (const { text } of draft.items) yield text
}

function* lockedSession(
  { engine, compiled }: StoreContext,
  session: number,
): Steps<SessionState | undefined> {
  const [row] = yield* compiled.rowsOf('lock session', [session], () => {
    const query = engine.db
      .selectFrom('sessions')
      .select(['messages', 'ledger', 'entries', 'receipts', 'head', 'last_block'])
      .where('number', '=', session)
    return engine.name === 'postgres' ? query.forUpdate() : query
  })
  return row
}

function* writeItems(
  { engine, compiled }: StoreContext,
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
  for (const chunk of chunksOf(items)) {
    const parameters = chunk.flatMap((item) => Object.values(item))
    yield* compiled.rowsOf(`write items ${chunk.length}`, parameters, () =>
      engine.db.insertInto('items').values(chunk),
    )
  }
}

function* addStatistics(
  { engine, compiled }: StoreContext,
  session: number,
  { statistics = {} }: Addition,
): Steps<void> {
  const rows = Object.entries(statistics).map(([name, value]) => ({ session, name, value }))
  for (const chunk of chunksOf(rows)) {
    const parameters = chunk.flatMap((row) => Object.values(row))
    yield* compiled.rowsOf(`add statistics ${chunk.length}`, parameters, () =>
      engine.db
        .insertInto('statistics')
        .values(chunk)
        .onConflict((conflict) =>
          conflict.columns(['session', 'name']).doUpdateSet((eb) => ({
            value: eb('statistics.value', '+', eb.ref('excluded.value')),
          })),
        ),
    )
  }
}
