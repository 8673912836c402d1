import type { Origin, Scope } from './item.ts'
import { standing } from './state/as-of.ts'
import { confidenceAt, lastReinforced } from './state/confidence.ts'
import type { ItemState } from './state/memory-state.ts'

export type Lifespan = 'session' | 'project' | 'permanent'

interface Dated {
  readonly timestamp: Date
  readonly supersededBy?: string
  readonly supersededAt?: Date
}

export interface UserFact extends Dated {
  readonly id: string
  readonly fact: string
  readonly category: string
  readonly confidence: number
  readonly source: string
  readonly lifespan: Lifespan
  readonly lastReinforced?: Date
}

export interface UserPreference extends Dated {
  readonly id: string
  readonly category: string
  readonly key: string
  readonly value: string
  readonly confidence: number
  readonly source: string
  readonly lifespan: Lifespan
  readonly lastReinforced?: Date
}

export interface Decision extends Dated {
  readonly id: string
  readonly description: string
  readonly category?: string
  readonly rationale?: string
  readonly alternatives?: string[]
  readonly relatedFiles?: string[]
}

export interface NewUserFact {
  readonly fact: string
  readonly category: string
  readonly confidence?: number
  readonly source?: string
  readonly lifespan?: Lifespan
  /** When it became true; now when left out. */
  readonly timestamp?: Date
}

export interface NewUserPreference extends Omit<NewUserFact, 'fact'> {
  readonly key: string
  readonly value: string
}

export interface NewDecision {
  readonly description: string
  readonly category?: string
  readonly rationale?: string
  readonly alternatives?: readonly string[]
  readonly relatedFiles?: readonly string[]
  readonly timestamp?: Date
}

export function asFact(entry: ItemState, now: number): UserFact {
  return { fact: entry.item.text, ...shared(entry, now) }
}

export function asPreference(entry: ItemState, now: number): UserPreference {
  const { attribute = '', value = '' } = entry.item
  return { key: attribute, value, ...shared(entry, now) }
}

export function asDecision(entry: ItemState): Decision {
  const { id, text, category, rationale, alternatives, relatedFiles } = entry.item
  return {
    id,
    description: text,
    ...(category === undefined ? {} : { category }),
    ...(rationale === undefined ? {} : { rationale }),
    ...(alternatives === undefined ? {} : { alternatives: [...alternatives] }),
    ...(relatedFiles === undefined ? {} : { relatedFiles: [...relatedFiles] }),
    ...dated(entry),
  }
}

function shared(entry: ItemState, now: number): Omit<UserFact, 'fact'> {
  const { item } = entry
  const reinforced = lastReinforced(entry)
  return {
    id: item.id,
    category: item.category ?? '',
    // Rounded, because an item loses a tiny part of its confidence within milliseconds.
    confidence: Math.round(confidenceAt(entry, now) * 10_000) / 10_000,
    source: item.source.quote ?? sourceWord[item.source.origin],
    lifespan: lifespanOf(item.scope),
    ...dated(entry),
    ...(reinforced === undefined ? {} : { lastReinforced: new Date(reinforced) }),
  }
}

const sourceWord: Readonly<Record<Origin, string>> = {
  user: 'user',
  assistant: 'assistant',
  import: 'import',
  model: 'model',
}

function lifespanOf(scope: Scope): Lifespan {
  if (scope.startsWith('session:')) return 'session'
  return scope.startsWith('project:') ? 'project' : 'permanent'
}

function dated(entry: ItemState): Dated {
  const [link] = standing(entry.replacedBy)
  return {
    timestamp: new Date(entry.item.validFrom),
    ...(link === undefined
      ? {}
      : { supersededBy: link.new, supersededAt: new Date(link.recordedAt) }),
  }
}
