import { type Change, changeOf, supersession } from './change.ts'
import type { MemoryItem, Scope } from './item.ts'
import type { Memory, NewItem, Writing } from './memory.ts'
import type { Disagreement } from './resolve/earlier-statements.ts'
import { statusAt } from './state/as-of.ts'
import type { HeardMessage, MemoryEvent } from './state/event.ts'

/**
 * Records the sentences of a message that disagree with what the user said before. Both sentences become items only now,
 * because most sentences are never contradicted, and search finds them without items.
 */
export function recordDisagreements(
  memory: Memory,
  heard: HeardMessage,
  disagreements: readonly Disagreement[],
): readonly Change[] {
  if (disagreements.length === 0) return []
  return memory.write((writing) => {
    const { state, at } = writing
    const events: MemoryEvent[] = []
    const changes: Change[] = []
    /** The new items by their sentence. */
    const added = new Map<string, MemoryItem>()
    for (const found of disagreements) {
      const { older, newer } = itemsOf(found, heard, writing)
      const known = state
        .withText('fact', older.scope, older.text)
        .find((entry) => statusAt(entry, at) === 'current')
      const before = added.get(older.text) ?? known?.item ?? older
      added.set(found.sentence, newer)
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
