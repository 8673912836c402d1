import type { Store } from '../store/store.ts'
import { redactText } from './redact-text.ts'

/** Takes words out of the records of sessions. Gives the names of those that had them. */
export async function forgetInSessions(
  store: Store,
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length === 0) return []
  const edit = redactText(words)
  const changed: string[] = []
  for (const session of await store.sessions())
    if (await store.redact(session, edit)) changed.push(session.id)
  return changed
}
