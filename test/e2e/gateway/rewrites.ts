import { hashMessage } from '../../../src/core/record/content-hash.ts'
import type { MessageDraft } from '../../../src/core/words/item.ts'

/** The turns, from 1, whose request does not begin with all that the one before it had. */
export function rewrites(requests: readonly (readonly MessageDraft[])[]): readonly number[] {
  const found: number[] = []
  let before: readonly string[] = []
  for (const messages of requests) {
    const now = messages.map(hashMessage)
    if (before.some((hash, at) => now[at] !== hash))
      found.push(messages.filter(({ role }) => role === 'assistant').length + 1)
    before = now
  }
  return found
}
