import { type Scope, scopeKind } from './item.ts'
import type { Place } from './observe.ts'
import type { HeardMessage } from './state/event.ts'
import type { Flag, ItemState, MemoryState } from './state/memory-state.ts'

/** The scopes that somebody at a place can see: the user's and the teams', and those of the project and the session. */
export function isVisible(scope: Scope, place: Place): boolean {
  const kind = scopeKind(scope)
  if (kind === 'project') return scope === `project:${place.project}`
  return kind !== 'session' || scope === `session:${place.session}`
}

/** The items that can be seen at a place, or all of them, in the order in which they were recorded. */
export function visibleItems(state: MemoryState, place?: Place): readonly ItemState[] {
  const items = [...state.items.values()]
  return place === undefined ? items : items.filter(({ item }) => isVisible(item.scope, place))
}

/**
 * What was said in another project stays there. Older stores do not say where a message was heard: such a message belongs
 * to everybody, or to those who can reach its session.
 */
export function isHeardAt(
  { project, session }: HeardMessage,
  place: Place,
  reached?: ReadonlySet<string>,
): boolean {
  if (session === place.session) return true
  return project === undefined ? (reached?.has(session) ?? true) : project === place.project
}

/** Contradictions that nobody has settled, between items that can be seen at a place, or all of them. */
export function openFlags(state: MemoryState, place?: Place): readonly Flag[] {
  const isSeen = (id: string): boolean => {
    const entry = state.items.get(id)
    return place === undefined || entry === undefined || isVisible(entry.item.scope, place)
  }
  return [...state.flags.values()].filter(
    ({ items, verdict }) => verdict === undefined && items.every(isSeen),
  )
}
