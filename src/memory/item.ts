import { attributeKey, isKnownKey } from './attribute-key.ts'
import { comparable } from './comparable.ts'

/** A preference is something wanted, a fact something true, a decision something chosen. */
export type MemoryKind = 'fact' | 'preference' | 'decision'

/** `user` and `team` outlive projects; `project` outlives sessions. */
export type ScopeKind = 'session' | 'project' | 'user' | 'team'

/** Where an item applies: `user`, `team:<name>`, `project:<name>` or `session:<id>`. */
export type Scope = 'user' | `team:${string}` | `project:${string}` | `session:${string}`

/** Who said it. An assistant's or a model's item never supersedes a user's. */
export type Origin = 'user' | 'assistant' | 'import' | 'model'

export interface ItemSource {
  readonly origin: Origin
  /** The id of the message it was taken from. */
  readonly message?: string
  readonly session?: string
  /** The sentence itself. */
  readonly quote?: string
}

/**
 * One memory item. It never changes; later events in the log supersede or retract it. Times are milliseconds since 1970:
 * `validFrom` is when it became true, `recordedAt` when it was recorded.
 */
export interface MemoryItem {
  readonly id: string
  readonly kind: MemoryKind
  readonly scope: Scope
  /** The item as a sentence or phrase. */
  readonly text: string
  readonly category?: string
  /** What a fact or a decision is about: `user`, `project`, or a part of it. */
  readonly subject?: string
  /** The property: `editor`, `database`, … For a preference, its key. */
  readonly attribute?: string
  readonly value?: string
  readonly rationale?: string
  readonly alternatives?: readonly string[]
  readonly relatedFiles?: readonly string[]
  readonly confidence: number
  readonly source: ItemSource
  readonly validFrom: number
  readonly recordedAt: number
  /** When it stops being current. */
  readonly expiresAt?: number
}

export function scopeKind(scope: Scope): ScopeKind {
  if (scope === 'user') return 'user'
  if (scope.startsWith('team:')) return 'team'
  return scope.startsWith('project:') ? 'project' : 'session'
}

const durability: Readonly<Record<ScopeKind, number>> = { session: 0, project: 1, user: 2, team: 2 }

/** Whether items of one scope live at least as long as those of another. Only then may they replace them. */
export function outlives(scope: Scope, other: Scope): boolean {
  return durability[scopeKind(scope)] >= durability[scopeKind(other)]
}

/** Items with the same key are about the same property; undefined when an item has no attribute. */
export function itemKey(item: MemoryItem): string | undefined {
  if (item.attribute === undefined) return undefined
  const key = attributeKey(item.attribute)
  return [item.kind, item.scope, comparable(ownerOf(item, key)), key].join('\u001f')
}

/** The subject or category that belongs to a key. A property that the lexicon knows is the same in every category. */
function ownerOf({ kind, category = '', subject = '' }: MemoryItem, key: string): string {
  if (kind !== 'preference') return subject
  return isKnownKey(key) && category !== 'communication' ? '' : category
}
