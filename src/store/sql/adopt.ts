import type { SessionDump } from '../transfer.ts'
import { emptySession, originalsLock, writeAddition } from './append.ts'
import { OpenChains } from './block-writer.ts'
import type { StoreContext } from './context.ts'
import { own } from './sessions.ts'
import { firstOf, rowsOf, type Steps } from './steps.ts'

/** Stores an exported session; false when its id is taken. */
export async function adopt(context: StoreContext, dump: SessionDump): Promise<boolean> {
  const { engine } = context
  return engine.write(function* () {
    yield* engine.lock(originalsLock, 'shared')
    return yield* adoptSteps(context, dump)
  })
}

/** `adopt` inside a transaction that holds the originals lock. */
export function* adoptSteps(
  shared: StoreContext,
  { session, messages, ledgers, receipts, statistics, head, owner }: SessionDump,
): Steps<boolean> {
  const { engine } = shared
  // After a rollback another session may get the same number, so nothing is kept under it.
  const context = { ...shared, chains: new OpenChains() }
  const { id, parent, origin, folder, credential, createdAt, usedAt } = session
  const inserted = yield* firstOf(
    engine.db
      .insertInto('sessions')
      .values({ id, parent, origin, folder, credential, created_at: createdAt, used_at: usedAt })
      .onConflict((conflict) => conflict.columns(['id', 'credential']).doNothing())
      .returning('number'),
  )
  if (inserted === undefined) return false
  const { number } = inserted
  if (owner !== undefined) yield* rowsOf(own(engine.db, number, owner))
  let state = yield* writeAddition(
    context,
    number,
    {
      expected: { messages: 0, ledger: 0, entries: 0 },
      messages,
      receipts,
      statistics,
      entries: ledgers[0] ?? [],
      ...(head !== null && { head }),
    },
    emptySession,
    usedAt,
  )
  for (const [ledger, entries] of ledgers.entries()) {
    if (ledger === 0) continue
    const expected = { messages: messages.length, ledger, entries: 0 }
    const addition = { expected, entries }
    state = yield* writeAddition(context, number, addition, state, usedAt)
  }
  return true
}
