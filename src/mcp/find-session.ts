import { PalimpsestError } from '../core/errors.ts'
import { cutEnd, oneLine } from '../core/render/cut.ts'
import type { FoundOriginal, SessionSummary, Store, StoredSession } from '../store/index.ts'

const mostListed = 10
const beginningLength = 80

/**
 * The sessions that a name means: those that are called so, or else begin so. The last used first.
 *
 * @throws PalimpsestError with code `usage` when there is none.
 */
export async function sessionsCalled(
  store: Store,
  name: string,
): Promise<readonly SessionSummary[]> {
  const all = await store.sessions()
  const exact = all.filter(({ id }) => id === name)
  const meant = exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(name))
  if (meant.length > 0) return meant
  const known = all.slice(0, mostListed).map(({ id }) => id)
  throw new PalimpsestError(
    'usage',
    known.length === 0
      ? `no session is called ${name}; the store has none`
      : `no session is called ${name}; the last used are: ${known.join(', ')}`,
  )
}

/**
 * The original that a handle names, in the sessions that are meant, or in any.
 *
 * @throws PalimpsestError with code `usage` when there is none, or when sessions have different texts under it.
 */
export async function originalOf(store: Store, handle: string, name?: string): Promise<string> {
  const found = name === undefined ? [await store.original(handle)] : []
  if (name !== undefined) {
    for (const session of await sessionsCalled(store, name))
      found.push(await store.original(handle, session))
  }
  const texts = new Set(found.flatMap((each) => (each.kind === 'found' ? [each.text] : [])))
  const [text, ...others] = texts
  const ambiguous = found.flatMap(sessionsOf)
  const isCertain = others.length === 0 && !found.some(({ kind }) => kind === 'ambiguous')
  if (text !== undefined && isCertain) return text
  if (ambiguous.length === 0)
    throw new PalimpsestError('usage', `no original is known as ${handle}`)
  const lines = await Promise.all(
    ambiguous.slice(0, mostListed).map((session) => beginningIn(store, handle, session)),
  )
  throw new PalimpsestError(
    'usage',
    [`${handle} names different texts; give the session:`, ...lines].join('\n'),
  )
}

function sessionsOf(found: FoundOriginal): readonly StoredSession[] {
  if (found.kind === 'found') return [found.session]
  return found.kind === 'ambiguous' ? found.sessions : []
}

async function beginningIn(store: Store, handle: string, session: StoredSession): Promise<string> {
  const found = await store.original(handle, session)
  const text = found.kind === 'found' ? cutEnd(oneLine(found.text), beginningLength) : '…'
  return `- ${session.id} (last used ${new Date(session.usedAt).toISOString()}): ${text}`
}
