import type { HeldSession } from './memory-store.ts'
import type { GcLimits, GcOutcome, StoredSession } from './store.ts'

/** Strings use up to two bytes per character. */
const bytesPerCharacter = 2

/** Removes sessions above the limits, least recently used first. Shared texts count once. */
export function gcInMemory(held: Map<number, HeldSession>, limits: GcLimits): GcOutcome {
  const { usedBefore = -Infinity, largestBytes = Infinity, dryRun = false } = limits
  const left = [...held.values()].sort(
    ({ session: a }, { session: b }) => a.usedAt - b.usedAt || a.number - b.number,
  )
  const uses = new Map<string, number>()
  let bytes = 0
  for (const text of left.flatMap(textsOf)) {
    if (!uses.has(text)) bytes += text.length * bytesPerCharacter
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const bytesBefore = bytes
  const removed: StoredSession[] = []
  let originals = 0
  for (const each of left) {
    if (each.session.usedAt >= usedBefore && bytes <= largestBytes) break
    removed.push(each.session)
    for (const text of textsOf(each)) {
      const rest = (uses.get(text) ?? 0) - 1
      uses.set(text, rest)
      if (rest > 0) continue
      bytes -= text.length * bytesPerCharacter
      originals++
    }
  }
  if (!dryRun) for (const { number } of removed) held.delete(number)
  return { removed, originals, bytesBefore, bytesAfter: bytes }
}

function textsOf({ messages }: HeldSession): readonly string[] {
  return messages.flatMap(({ draft }) => draft.items.map(({ text }) => text))
}
