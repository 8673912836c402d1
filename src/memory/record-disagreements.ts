import { type Change, changeOf, supersession } from './change.ts'
import type { MemoryItem, Scope } from './item.ts'
import type { Memory } from './memory.ts'
import type { Message, Place } from './observe.ts'
import { findDisagreements } from './resolve/earlier-statements.ts'
import { statusAt } from './state/as-of.ts'
import type { MemoryEvent } from './state/event.ts'

/**
 * Sentences that disagree with what the user said before. Both become items only now: most sentences are never taken up
 * again, and are found by search.
 */
export function disagree(
  memory: Memory,
  { id, role, text, at: said }: Message,
  place: Place,
  told: ReadonlySet<string>,
): readonly Change[] {
  if (role !== 'user') return []
  return memory.write(({ state, at, item }) => {
    const saidAt = Math.min(said ?? at, at)
    const heard = { id, role, text, ...place, saidAt }
    const events: MemoryEvent[] = []
    const changes: Change[] = []
    const added = new Map<string, MemoryItem>()
    for (const found of findDisagreements(state, heard, place)) {
      if (told.has(found.sentence)) continue
      const { earlier, sentence } = found
      const scope: Scope = /\b(?:i|i'm|i've|my|me)\b/i.test(sentence)
        ? 'user'
        : `project:${place.project}`
      const attribute = found.lead
      const base = {
        kind: 'fact',
        scope,
        category: 'general',
        confidence: 0.7,
        ...(attribute === undefined ? {} : { attribute, subject: 'world' }),
      } as const
      const old = item({
        ...base,
        text: earlier.text,
        value: found.old,
        source: {
          origin: 'user',
          message: earlier.message.id,
          session: earlier.message.session,
          quote: earlier.text,
        },
        validFrom: earlier.message.saidAt,
      })
      const newer = item({
        ...base,
        text: sentence,
        value: found.new,
        source: { origin: 'user', message: id, session: place.session, quote: sentence },
        validFrom: saidAt,
      })
      const known = state
        .withText('fact', scope, earlier.text)
        .find((entry) => statusAt(entry, at) === 'current')
      const before = added.get(earlier.text) ?? known?.item ?? old
      added.set(sentence, newer)
      if (before === old) events.push({ kind: 'added', at, item: old })
      events.push({ kind: 'added', at, item: newer })
      const op = found.isChange ? 'supersede' : 'flag'
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
      changes.push({ ...changeOf(op, newer), supersedes: before.id })
    }
    return { events, result: changes }
  })
}
