import { PalimpsestError, type StoreErrorCode } from '../core/words/errors.ts'
import type { Store } from './store.ts'

/** Errors that may pass by themselves. With any other the location is probably a mistake, and the gateway does not start. */
const passing: ReadonlySet<string> = new Set<StoreErrorCode>(['store-full', 'store-locked'])

export function mayPass(error: unknown): error is PalimpsestError {
  return PalimpsestError.is(error) && passing.has(error.code)
}

/** A store that could not be opened yet: each call tries again, and rejects as opening does until it works. */
export function laterStore(engine: Store['engine'], open: () => Promise<Store>): Store {
  async function* exportLines(): AsyncIterable<string> {
    yield* (await open()).exportLines()
  }
  let opened: Store | null = null
  return {
    engine,
    renewals: () => opened?.renewals?.() ?? 0,
    openSession: async (key) => {
      opened = await open()
      return opened.openSession(key)
    },
    findSession: async (key) => (await open()).findSession(key),
    sessionsWith: async (handles, most, of) => (await open()).sessionsWith(handles, most, of),
    append: async (session, addition) => (await open()).append(session, addition),
    load: async (session) => (await open()).load(session),
    receipts: async (session) => (await open()).receipts(session),
    inSteps: {
      load: async (session) => (await open()).inSteps.load(session),
      receipts: async (session) => (await open()).inSteps.receipts(session),
    },
    original: async (handle, among) => (await open()).original(handle, among),
    sessions: async (of) => (await open()).sessions(of),
    forget: async (session) => (await open()).forget(session),
    redact: async (session, edit) => (await open()).redact(session, edit),
    gc: async (limits) => (await open()).gc(limits),
    check: async () => (await open()).check(),
    exportLines,
    importLines: async (lines) => (await open()).importLines(lines),
    team: {
      addToken: async (token) => (await open()).team.addToken(token),
      findToken: async (id) => (await open()).team.findToken(id),
      tokens: async () => (await open()).team.tokens(),
      revokeTokens: async (name, at) => (await open()).team.revokeTokens(name, at),
      owners: async () => (await open()).team.owners(),
      sessionOwners: async () => (await open()).team.sessionOwners(),
      claim: async (job, at, forMs) => (await open()).team.claim(job, at, forMs),
    },
    close: async () => {},
  }
}
