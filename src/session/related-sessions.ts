import { usualHandle } from '../core/record/handles.ts'
import type { Store, StoredSession } from '../store/index.ts'
import type { SentMessage } from './placement.ts'

/** So many calls of a request are looked for: the first ones and the last ones, half of each. */
const mostCalls = 16
const mostSessions = 8

/** Stored sessions of any credential that have calls of a request; those with the most of them first. */
export async function relatedSessions(
  store: Store,
  sent: readonly SentMessage[],
): Promise<readonly StoredSession[]> {
  const calls = sent.filter(({ hasCalls }) => hasCalls)
  if (calls.length === 0) return []
  const half = mostCalls / 2
  const looked = new Set([...calls.slice(0, half), ...calls.slice(-half)])
  const handles = [...looked].map(({ hash }) => usualHandle(hash))
  return store.sessionsWith(handles, mostSessions)
}
