import { type Scope, scopeKind } from './item.ts'
import type { Place } from './observe.ts'
import type { HeardMessage } from './state/event.ts'
import type { Flag, ItemState, MemoryState } from './state/memory-state.ts'

/** Whether a place can see a scope: every user and team scope, and its own project and session. */
export function isVisible(scope: Scope, place: Place): boolean {
  const kind = scopeKind(scope)
  if (kind === 'project') return scope === `project:${place.project}`
  return kind !== 'session' || scope === `session:${place.session}`
}

/** The items that a place can see, or all of them, in recorded order. */
export function visibleItems(state: MemoryState, place?: Place): readonly ItemState[] {
  const items = [...state.items.values()]
  return place === undefined ? items : items.filter(({ item }) => isVisible(item.scope, place))
}

/** Whether the caller may read a session; undefined for a session that the store does not have. */
export type Reach = (session: string) => boolean | undefined

/**
 * Whether a place can see a message. Messages of other projects are hidden. For a session in the store, `reach`
 * decides. Older stores do not record the project: such a message is visible unless `reach` is given.
 */
export function isHeardAt(
  { project, session }: HeardMessage,
  place: Place,
  reach?: Reach,
): boolean {
  if (session === place.session) return true
  const isReached = reach?.(session)
  if (isReached !== undefined) return isReached
  return project === undefined ? reach === undefined : project === place.project
}

/** Open contradictions between items that a place can see, or all of them. */
export function openFlags(state: MemoryState, place?: Place): readonly Flag[] {
  const isSeen = (id: string): boolean => {
    const entry = state.items.get(id)
    return place === undefined || entry === undefined || isVisible(entry.item.scope, place)
  }
  return [...state.flags.values()].filter(
    ({ items, verdict }) => verdict === undefined && items.every(isSeen),
  )
}
