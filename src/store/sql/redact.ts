import { redactedDump } from '../redact.ts'
import type { Store, StoredSession, TextEdit } from '../store.ts'
import { dumpOf } from '../transfer.ts'
import { adoptSteps } from './adopt.ts'
import { originalsLock } from './append.ts'
import type { StoreContext } from './context.ts'
import { removeSession } from './remove.ts'
import { firstOf } from './steps.ts'

const mostTries = 8

/** Rewrites a session with its texts edited, in one transaction; false when nothing changes. */
export async function redact(
  context: StoreContext,
  store: Pick<Store, 'sessions' | 'load' | 'receipts'>,
  { number }: StoredSession,
  edit: TextEdit,
): Promise<boolean> {
  const { engine } = context
  for (let tries = 1; ; tries++) {
    const dump = await dumpOf(store, number)
    const edited = dump === null ? null : redactedDump(dump, edit)
    if (dump === null || edited === null || edited === dump) return false
    const isDone = await engine.write(function* () {
      yield* engine.lock(originalsLock, 'exclusive')
      const row = yield* firstOf(
        engine.db.selectFrom('sessions').selectAll().where('number', '=', number),
      )
      // Another process appended meanwhile; its texts may need the edit too.
      const isSame =
        row?.messages === dump.messages.length &&
        row.ledger === dump.ledgers.length - 1 &&
        row.entries === dump.ledgers.at(-1)?.length
      if (!isSame) return false
      const owners = engine.db.selectFrom('owners').select('owner').where('session', '=', number)
      const owner = (yield* firstOf(owners))?.owner
      yield* removeSession(context, number)
      return yield* adoptSteps(context, { ...edited, ...(owner === undefined ? {} : { owner }) })
    })
    if (isDone || tries >= mostTries) {
      await engine.reclaim()
      return isDone
    }
  }
}
