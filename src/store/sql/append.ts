import type { Insertable } from 'kysely'
import { compareExtents, extentAfter, headAfter } from '../extent.ts'
import type { Addition, AppendOutcome, Extent, StoredSession } from '../store.ts'
import { writeBody } from '../stored-json.ts'
import type { ItemsTable } from '../tables.ts'
import { type KnownOriginal, writeBlocks } from './block-writer.ts'
import type { StoreContext } from './context.ts'
import { readSince } from './load.ts'
import { Originals } from './originals.ts'
import { chunksOf, extentFrom, valuesOf } from './rows.ts'
import type { Statement, Steps } from './steps.ts'

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

const stateColumns = ['messages', 'ledger', 'entries', 'receipts', 'head', 'last_block'] as const

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
  const [stored] = (yield sessionState(context, session)) as readonly SessionState[]
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
    for (const query of originals.queries(context))
      originals.note((yield query) as readonly KnownOriginal[])
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
    // Those that somebody else stored in the meantime.
    for (const query of originals.queries(context))
      originals.note((yield query) as readonly KnownOriginal[])
    for (const insert of insertsOfItems(context, session, addition, originals.ids())) yield insert
    lastBlock = written.open.last
    chains.keep(session, written.open)
  }
  for (const sum of sumsOfStatistics(context, session, addition)) yield sum
  const state: SessionState = {
    ...after,
    receipts: before.receipts + receipts.length,
    head: headAfter(addition) ?? before.head,
    last_block: lastBlock,
  }
  const parameters = [...stateColumns.map((column) => state[column]), usedAt, session]
  yield compiled.statement('note state', parameters, () =>
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

/** Asks for what a session has; nobody else can write to it from then on. */
function sessionState({ engine, compiled }: StoreContext, session: number): Statement {
  return compiled.statement('lock session', [session], () => {
    const query = engine.db
      .selectFrom('sessions')
      .select(stateColumns)
      .where('number', '=', session)
    return engine.name === 'postgres' ? query.forUpdate() : query
  })
}

function insertsOfItems(
  { engine, compiled }: StoreContext,
  session: number,
  { expected, messages = [] }: Addition,
  originals: readonly number[],
): readonly Statement[] {
  const items: Insertable<ItemsTable>[] = []
  for (const [offset, { handles }] of messages.entries()) {
    for (const [ordinal, handle] of handles.entries()) {
      const original = originals[items.length] as number
      items.push({ session, message: expected.messages + offset, ordinal, handle, original })
    }
  }
  return [...chunksOf(items)].map((chunk) =>
    compiled.statement(`write items ${chunk.length}`, valuesOf(chunk), () =>
      engine.db.insertInto('items').values(chunk),
    ),
  )
}

function sumsOfStatistics(
  { engine, compiled }: StoreContext,
  session: number,
  { statistics }: Addition,
): readonly Statement[] {
  if (statistics === undefined) return []
  const rows = Object.entries(statistics).map(([name, value]) => ({ session, name, value }))
  return [...chunksOf(rows)].map((chunk) =>
    compiled.statement(`add statistics ${chunk.length}`, valuesOf(chunk), () =>
      engine.db
        .insertInto('statistics')
        .values(chunk)
        .onConflict((conflict) =>
          conflict.columns(['session', 'name']).doUpdateSet((eb) => ({
            value: eb('statistics.value', '+', eb.ref('excluded.value')),
          })),
        ),
    ),
  )
}
