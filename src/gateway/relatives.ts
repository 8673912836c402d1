import { usualHandle } from '../core/record/handles.ts'
import type { Store, StoredSession } from '../store/index.ts'
import type { SentMessage } from './placement.ts'

/** So many calls are looked for, half of them the first and half the last ones of a request. */
const mostCalls = 16
const mostRelatives = 8

/** Stored sessions with the calls of a request, whoever they belong to: those with the most first. */
export async function storedRelatives(
  store: Store,
  sent: readonly SentMessage[],
): Promise<readonly StoredSession[]> {
  const calls = sent.filter(({ hasCalls }) => hasCalls)
  if (calls.length === 0) return []
  const half = mostCalls / 2
  const looked = new Set([...calls.slice(0, half), ...calls.slice(-half)])
  const handles = [...looked].map(({ hash }) => usualHandle(hash))
  return store.sessionsWith(handles, mostRelatives)
}
