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

/** Whether somebody can reach a session; undefined for one that the store does not know. */
export type Reach = (session: string) => boolean | undefined

/**
 * What was said in another project stays there. A session that the store knows decides by its own folder. Older stores do
 * not say where a message was heard: such a message is everybody's, unless somebody asks who is told apart by sessions.
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
