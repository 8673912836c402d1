import { PalimpsestError } from '../../core/words/errors.ts'
import { refuseBadAddition, refuseBadKey } from '../extent.ts'
import type { Store } from '../store.ts'
import type { Team } from '../team.ts'
import { exportLines, importLines } from '../transfer.ts'
import { adopt } from './adopt.ts'
import { append } from './append.ts'
import { check } from './check.ts'
import type { StoreContext } from './context.ts'
import { forget, gc } from './gc.ts'
import { load, loadInSteps, readReceipts, receiptsInSteps } from './load.ts'
import { redact } from './redact.ts'
import { findOriginal, findSession, listSessions, openSession, sessionsWith } from './sessions.ts'
import { createSqlTeam } from './team.ts'

/** The store on an engine whose tables exist. `now` is the clock, in milliseconds since 1970. */
export function createSqlStore(context: StoreContext, now: () => number): Store {
  const { engine } = context
  /** Callers only see `PalimpsestError`s. */
  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (PalimpsestError.is(error)) throw error
      throw engine.explain(error) ?? error
    }
  }
  const store: Store = {
    engine: engine.name,
    renewals: () => context.renewals,
    async openSession(key) {
      refuseBadKey(key)
      return guarded(() => openSession(engine, key, now()))
    },
    findSession: (key) => guarded(() => findSession(engine, key)),
    sessionsWith: (handles, most, of) => guarded(() => sessionsWith(engine, handles, most, of)),
    async append(session, addition) {
      refuseBadAddition(addition)
      return guarded(() => append(context, session, addition, now()))
    },
    load: (session) => guarded(() => load(engine, session)),
    receipts: (session) => guarded(() => readReceipts(engine, session)),
    inSteps: {
      load: (session) => guarded(() => loadInSteps(engine, session)),
      receipts: (session) => guarded(() => receiptsInSteps(engine, session)),
    },
    original: (handle, among) => guarded(() => findOriginal(engine, handle, among)),
    sessions: (of) => guarded(() => listSessions(engine, of)),
    forget: (session) => guarded(() => forget(context, session)),
    redact: (session, edit) => guarded(() => redact(context, store, session, edit)),
    gc: (limits) => guarded(() => gc(context, limits)),
    check: () => guarded(() => check(engine)),
    exportLines: () => exportLines(store),
    importLines: (lines) => importLines(lines, (dump) => guarded(() => adopt(context, dump))),
    team: guardedTeam(createSqlTeam(engine), guarded),
    close: () => guarded(() => engine.close()),
  }
  return store
}

function guardedTeam(
  team: Team,
  guarded: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Team {
  return {
    addToken: (token) => guarded(() => team.addToken(token)),
    findToken: (id) => guarded(() => team.findToken(id)),
    tokens: () => guarded(() => team.tokens()),
    revokeTokens: (idOrName, at) => guarded(() => team.revokeTokens(idOrName, at)),
    owners: () => guarded(() => team.owners()),
    sessionOwners: () => guarded(() => team.sessionOwners()),
    claim: (job, at, forMs) => guarded(() => team.claim(job, at, forMs)),
  }
}
