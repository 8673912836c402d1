import { realPath } from '../config/trusted-folders.ts'
import { cutEnd, oneLine } from '../core/render/cut.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { FoundOriginal, SessionSummary, Store, StoredSession } from '../store/index.ts'
import type { Caller } from './caller.ts'

const mostListed = 10
const beginningLength = 80
/** A session used this recently may be the caller's. */
const inUseMs = 60 * 60 * 1000

/** The sessions that a caller may read, last used first. */
export interface ReachedSessions {
  /** The caller's session; several when credentials share the id. */
  readonly asking: readonly SessionSummary[]
  /** `asking` with its forks and the sessions it was forked from. */
  readonly own: readonly SessionSummary[]
  /** `own` and the other sessions of the folder. */
  readonly all: readonly SessionSummary[]
  /**
   * Sessions that may be read by handle only: those in use whose folder is unknown, or all in use when nothing is known
   * about the caller.
   */
  readonly byHandle: readonly SessionSummary[]
}

export async function reachedSessions(
  store: Store,
  { session, folder }: Caller,
  now: number,
): Promise<ReachedSessions> {
  const sessions = await store.sessions()
  const own = session === null ? [] : familyOf(session, sessions)
  const place = folder === null ? null : realPath(folder)
  const isHere = (each: SessionSummary): boolean =>
    place !== null && each.folder !== null && realPath(each.folder) === place
  const all = sessions.filter((each) => own.includes(each) || isHere(each))
  const saysNothing = session === null && folder === null
  const byHandle = sessions.filter(
    (each) => now - each.usedAt <= inUseMs && (saysNothing || each.folder === null),
  )
  const asking = own.filter(({ id }) => id === session)
  return { asking, own, all, byHandle }
}

/** A session with its forks and the sessions it was forked from. */
function familyOf(name: string, sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const byId = new Map(sessions.map((each) => [each.id, each]))
  const leadsTo = (id: string, target: string): boolean => {
    const seen = new Set<string>()
    for (let at: string | null = id; at !== null && !seen.has(at); ) {
      if (at === target) return true
      seen.add(at)
      at = byId.get(at)?.parent ?? null
    }
    return false
  }
  return sessions.filter(
    ({ id }) => id.startsWith(`${name}.`) || leadsTo(id, name) || leadsTo(name, id),
  )
}

/**
 * The readable sessions with this id, or else those whose id starts with it.
 *
 * @throws PalimpsestError with code `usage` when there is none.
 */
export function sessionsCalled(
  reached: readonly SessionSummary[],
  name: string,
): readonly SessionSummary[] {
  const exact = reached.filter(({ id }) => id === name)
  const meant = exact.length > 0 ? exact : reached.filter(({ id }) => id.startsWith(name))
  if (meant.length > 0) return meant
  const known = reached.slice(0, mostListed).map(({ id }) => id)
  const others = known.length === 0 ? '' : `; the last used here are: ${known.join(', ')}`
  throw new PalimpsestError('usage', `no session is called ${name}${others}`)
}

/**
 * The original of a handle: in the named session, or else in the caller's, then in the others of its folder, then in
 * those that may be read by handle.
 *
 * @throws PalimpsestError with code `usage` when there is none, or when sessions have different texts under it.
 */
export async function originalOf(
  store: Store,
  handle: string,
  { asking, own, all, byHandle }: ReachedSessions,
  name?: string,
): Promise<string> {
  const places = name === undefined ? [asking, own, all] : [sessionsCalled(all, name)]
  for (const place of places) {
    const found = place.length === 0 ? absent : await store.original(handle, place)
    if (found.kind === 'found') return found.text
    if (found.kind === 'ambiguous') throw await ambiguous(store, handle, found.sessions)
  }
  // The caller must not learn which sessions these are.
  const found = name === undefined ? await store.original(handle, byHandle) : absent
  if (found.kind === 'found') return found.text
  throw new PalimpsestError('usage', `no original is known as ${handle}`)
}

const absent: FoundOriginal = { kind: 'absent' }

async function ambiguous(
  store: Store,
  handle: string,
  sessions: readonly StoredSession[],
): Promise<PalimpsestError> {
  const lines = await Promise.all(
    sessions.slice(0, mostListed).map((session) => beginningIn(store, handle, session)),
  )
  const message = [`${handle} names different texts; give the session:`, ...lines].join('\n')
  return new PalimpsestError('usage', message)
}

async function beginningIn(store: Store, handle: string, session: StoredSession): Promise<string> {
  const found = await store.original(handle, session)
  const text = found.kind === 'found' ? cutEnd(oneLine(found.text), beginningLength) : '…'
  return `- ${session.id} (last used ${new Date(session.usedAt).toISOString()}): ${text}`
}
