import { type Change, changeOf, supersession } from './change.ts'
import type { MemoryItem, Scope } from './item.ts'
import { sameValue } from './lexicon/lookup.ts'
import type { Memory, NewItem, Writing } from './memory.ts'
import { sourceKey } from './resolve/candidates.ts'
import type { Disagreement } from './resolve/earlier-statements.ts'
import { statusAt } from './state/as-of.ts'
import type { HeardMessage, MemoryEvent } from './state/event.ts'

/** An earlier statement as an item, and the item that replaced it. */
export interface Replacement {
  readonly older: MemoryItem
  readonly newer: MemoryItem
}

/**
 * Records the sentences of a message that disagree with what the user said before. Both sentences become items only now,
 * because most sentences are never contradicted, and search finds them without items. `replacedBefore`: what the claims of
 * the message replaced, by the source of the earlier statement.
 */
export function recordDisagreements(
  memory: Memory,
  heard: HeardMessage,
  disagreements: readonly Disagreement[],
  replacedBefore: ReadonlyMap<string, Replacement>,
): readonly Change[] {
  if (disagreements.length === 0) return []
  return memory.write((writing) => {
    const { state, at } = writing
    const events: MemoryEvent[] = []
    const changes: Change[] = []
    const replaced = new Map(replacedBefore)
    /** The items of this write by their sentence. */
    const added = new Map<string, MemoryItem>()
    for (const found of withoutRepeats(disagreements)) {
      const { text, message } = found.earlier
      const key = sourceKey({ session: message.session, message: message.id, quote: text })
      const replacement = replaced.get(key)
      if (replacement !== undefined && sameValue(replacement.newer.value, found.new)) continue
      const { older, newer } = itemsOf(found, heard, writing)
      const known = state
        .withText('fact', older.scope, older.text)
        .find((entry) => statusAt(entry, at) === 'current')
      // A question is never about a statement that was replaced, but about what replaced it.
      const inMessage = found.isChange ? replacement?.older : replacement?.newer
      const before = inMessage ?? added.get(text) ?? known?.item ?? older
      added.set(text, before)
      added.set(found.sentence, newer)
      if (found.isChange) replaced.set(key, { older: before, newer })
      if (before === older) events.push({ kind: 'added', at, item: older })
      events.push({ kind: 'added', at, item: newer })
      events.push(
        found.isChange
          ? supersession(before, newer, at)
          : {
              kind: 'flagged',
              at,
              id: memory.newId('flag'),
              items: [before.id, newer.id],
              reason: 'a later sentence says something else',
            },
      )
      const op = found.isChange ? 'supersede' : 'flag'
      changes.push({ ...changeOf(op, newer), supersedes: before.id })
    }
    return { events, result: changes }
  })
}

/** Of the sentences that give one statement the same new value, the first that says it changed, or else the first. */
function withoutRepeats(disagreements: readonly Disagreement[]): readonly Disagreement[] {
  return disagreements.filter((found) => {
    const same = disagreements.filter(
      (other) => other.earlier === found.earlier && sameValue(other.new, found.new),
    )
    return found === (same.find(({ isChange }) => isChange) ?? same[0])
  })
}

/** Both sentences as items. */
function itemsOf(
  { earlier, sentence, old, new: value, lead }: Disagreement,
  heard: HeardMessage,
  { item }: Writing,
): { readonly older: MemoryItem; readonly newer: MemoryItem } {
  const isPersonal = /\b(?:i|i'm|i've|my|me)\b/i.test(sentence)
  const scope: Scope = isPersonal ? 'user' : `project:${heard.project}`
  const fact = (text: string, said: string, message: HeardMessage): NewItem => ({
    kind: 'fact',
    scope,
    category: 'general',
    confidence: 0.7,
    ...(lead === undefined ? {} : { attribute: lead, subject: 'world' }),
    text,
    value: said,
    source: { origin: 'user', message: message.id, session: message.session, quote: text },
    validFrom: message.saidAt,
  })
  const older = item(fact(earlier.text, old, earlier.message))
  return { older, newer: item(fact(sentence, value, heard)) }
}
