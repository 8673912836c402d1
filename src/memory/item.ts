import { withoutTrailing } from '../core/words/trailing.ts'

/** What a memory item is. A preference says how somebody wants it, a fact how it is, a decision what was chosen. */
export type MemoryKind = 'fact' | 'preference' | 'decision'

/** `user` and `team` outlive projects; `project` outlives sessions. */
export type ScopeKind = 'session' | 'project' | 'user' | 'team'

/** Whom an item is about: `user`, `team:<name>`, `project:<name>` or `session:<id>`. */
export type Scope = 'user' | `team:${string}` | `project:${string}` | `session:${string}`

/** Who said it. Only a user's word supersedes a user's item. */
export type Origin = 'user' | 'assistant' | 'import' | 'model'

export interface ItemSource {
  readonly origin: Origin
  /** The message that it was taken from, as its sender numbered it. */
  readonly message?: string
  readonly session?: string
  /** The sentence itself. */
  readonly quote?: string
}

/**
 * One thing remembered. It never changes: what happens to it later is in the log beside it. Times are milliseconds since
 * 1970; `validFrom` is when it became true, `recordedAt` when it was written down.
 */
export interface MemoryItem {
  readonly id: string
  readonly kind: MemoryKind
  readonly scope: Scope
  /** The whole thing in words. */
  readonly text: string
  readonly category?: string
  /** What a fact or a decision is about: `user`, `project`, or a part of it. */
  readonly subject?: string
  /** Which of its properties: `editor`, `database`, … A preference's key stands here too. */
  readonly attribute?: string
  readonly value?: string
  readonly rationale?: string
  readonly alternatives?: readonly string[]
  readonly relatedFiles?: readonly string[]
  readonly confidence: number
  readonly source: ItemSource
  readonly validFrom: number
  readonly recordedAt: number
  /** From then on it is not current any more. */
  readonly expiresAt?: number
}

export function scopeKind(scope: Scope): ScopeKind {
  if (scope === 'user') return 'user'
  if (scope.startsWith('team:')) return 'team'
  return scope.startsWith('project:') ? 'project' : 'session'
}

const durability: Readonly<Record<ScopeKind, number>> = { session: 0, project: 1, user: 2, team: 2 }

/** A session's item can never make a permanent one vanish: only an item that lives as long may replace another. */
export function outlives(scope: Scope, other: Scope): boolean {
  return durability[scopeKind(scope)] >= durability[scopeKind(other)]
}

/** The words by which two values, keys or subjects are compared: case, spaces and closing punctuation aside. */
export function comparable(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[\s_]+/g, ' ')
  return withoutTrailing(plain, '.!,;:')
}

/** Items with one key are about the same property; undefined when an item has none. */
export function itemKey(item: MemoryItem): string | undefined {
  if (item.attribute === undefined) return undefined
  const owner = item.kind === 'preference' ? (item.category ?? '') : (item.subject ?? '')
  return [item.kind, item.scope, comparable(owner), comparable(item.attribute)].join('\u001f')
}
