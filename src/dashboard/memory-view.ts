import type { Memory } from '../memory/memory.ts'
import { findPatterns } from '../memory/patterns.ts'
import { standing, statusAt } from '../memory/state/as-of.ts'
import { confidenceAt } from '../memory/state/confidence.ts'
import type { ItemState } from '../memory/state/memory-state.ts'
import { openFlags } from '../memory/visible.ts'
import type { MemoryConflict, MemoryPattern, MemoryRow, MemoryView } from './types.ts'

/** The whole memory, for its owner. */
export function memoryView(memory: Memory, { isOn }: { readonly isOn: boolean }): MemoryView {
  const { state } = memory
  const now = memory.now()
  const entries = [...state.items.values()]
  return {
    isOn,
    items: entries.map((entry) => memoryRow(entry, now)).reverse(),
    conflicts: openFlags(state).map(({ id, items, reason, at }): MemoryConflict => {
      return { id, items, reason, at }
    }),
    patterns: findPatterns(state).unstable.map(
      ({ key, values, changes, advice }): MemoryPattern => {
        const wanted = new Set(values)
        const items = entries.filter(({ item }) => wanted.has(item.value ?? item.text))
        return {
          text: `${key}: ${values.join(' → ')}. ${advice}`,
          count: changes,
          items: items.map(({ item }) => item.id),
        }
      },
    ),
  }
}

function memoryRow(entry: ItemState, now: number): MemoryRow {
  const { item } = entry
  const { id, kind, scope, text, source, validFrom, recordedAt, subject, category, attribute } =
    item
  const owner = kind === 'preference' ? category : subject
  const about = [owner, attribute].filter((part) => part !== undefined).join('.')
  return {
    id,
    kind,
    scope,
    text,
    about: about === '' ? null : about,
    confidence: Math.round(confidenceAt(entry, now) * 100) / 100,
    origin: source.origin,
    quote: source.quote ?? null,
    session: source.session ?? null,
    validFrom,
    recordedAt,
    ended: endOf(entry, now),
    replaces: standing(entry.replaces)[0]?.old ?? null,
  }
}

function endOf(entry: ItemState, now: number): MemoryRow['ended'] {
  const { item, retractions, replacedBy, endings } = entry
  switch (statusAt(entry, now)) {
    case 'retracted': {
      const last = retractions.findLast(({ endedAt }) => endedAt === undefined)
      const at = last?.recordedAt ?? now
      return { at, how: 'retracted', by: null, reason: last?.reason ?? null }
    }
    case 'superseded': {
      const link = standing(replacedBy)[0]
      const at = link?.validAt ?? endings[0]?.validAt ?? now
      return { at, how: 'superseded', by: link?.new ?? null, reason: link?.reason ?? null }
    }
    case 'expired':
      return { at: item.expiresAt ?? now, how: 'expired', by: null, reason: null }
    default:
      return null
  }
}
