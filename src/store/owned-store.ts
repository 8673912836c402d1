import { PalimpsestError } from '../core/words/errors.ts'
import type { SessionSummary, Store, StoredSession } from './store.ts'

/**
 * A store as the owner of some of its sessions sees it, or with null a caller without a named token: sessions of others do
 * not exist. Reads and edits of sessions work; what concerns the whole store is refused.
 */
export function ownedStore(store: Store, owner: string | null): Store {
  const own = (): Promise<readonly SessionSummary[]> => store.sessions({ owner })
  const isOwn = ownership(store, own)
  const onlyOwn =
    <Args extends readonly unknown[], Result>(
      call: (session: StoredSession, ...rest: Args) => Promise<Result>,
    ) =>
    async (session: StoredSession, ...rest: Args): Promise<Result> => {
      if (await isOwn(session)) return call(session, ...rest)
      throw new PalimpsestError('store-absent', `the session ${session.id} does not exist`)
    }
  return {
    engine: store.engine,
    openSession: (key) => store.openSession(owner === null ? key : { ...key, owner }),
    async findSession(key) {
      const found = await store.findSession(key)
      return found !== null && (await isOwn(found)) ? found : null
    },
    sessionsWith: (handles, most) => store.sessionsWith(handles, most, { owner }),
    append: onlyOwn(store.append),
    load: onlyOwn(store.load),
    receipts: onlyOwn(store.receipts),
    inSteps: {
      load: onlyOwn(store.inSteps.load),
      receipts: onlyOwn(store.inSteps.receipts),
    },
    async original(handle, among) {
      const sessions = await own()
      if (among === undefined) return store.original(handle, sessions)
      const asked = new Set([among].flat().map(({ number }) => number))
      return store.original(
        handle,
        sessions.filter(({ number }) => asked.has(number)),
      )
    },
    sessions: own,
    forget: onlyOwn(store.forget),
    redact: onlyOwn(store.redact),
    gc: refused,
    check: refused,
    exportLines: () => {
      throw refusal()
    },
    importLines: refused,
    team: {
      addToken: refused,
      findToken: refused,
      tokens: refused,
      revokeTokens: refused,
      owners: refused,
      sessionOwners: refused,
      claim: refused,
    },
    close: async () => {},
  }
}

/** Whether a session belongs to the owner. It stays with them, and its number is not used again while the file is the same. */
function ownership(
  store: Store,
  own: () => Promise<readonly SessionSummary[]>,
): (session: StoredSession) => Promise<boolean> {
  let known = { renewals: 0, numbers: new Set<number>() }
  return async ({ number }) => {
    const renewals = store.renewals?.() ?? 0
    if (known.renewals !== renewals) known = { renewals, numbers: new Set() }
    if (!known.numbers.has(number))
      known.numbers = new Set((await own()).map((each) => each.number))
    return known.numbers.has(number)
  }
}

function refusal(): PalimpsestError {
  return new PalimpsestError('usage', "only the gateway's own token (--token) may do this")
}

async function refused(): Promise<never> {
  throw refusal()
}
