import type { EngineMaker } from '../config/engine-maker.ts'
import { usualHandle } from '../core/record/handles.ts'
import type { Store, StoredSession } from '../store/index.ts'
import type { SentMessage } from './placement.ts'

/** How many tool calls of a request to search for: half from its beginning, half from its end. */
const mostCalls = 16
const mostSessions = 8

/**
 * Stored sessions of one owner, under any credential, that contain tool calls of a request; those with the most calls first.
 * Without an owner, those that nobody owns.
 */
export async function relatedSessions(
  { store, maker }: { readonly store: Store; readonly maker: Pick<EngineMaker, 'handleLength'> },
  sent: readonly SentMessage[],
  owner: string | undefined,
): Promise<readonly StoredSession[]> {
  const calls = sent.filter(({ hasCalls }) => hasCalls)
  if (calls.length === 0) return []
  const half = mostCalls / 2
  const searched = new Set([...calls.slice(0, half), ...calls.slice(-half)])
  const handles = [...searched].map(({ hash }) => usualHandle(hash, maker.handleLength))
  return store.sessionsWith(handles, mostSessions, { owner: owner ?? null })
}
