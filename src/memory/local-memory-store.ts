import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { type ContextOptions, memoryContext } from './context/context.ts'
import { defaultMemoryFile } from './default-file.ts'
import type { MemoryItem, Origin, Scope } from './item.ts'
import { keyOfText } from './key-of-text.ts'
import { createInMemoryLog, type MemoryLog } from './log/memory-log.ts'
import { openSqliteLog } from './log/sqlite-log.ts'
import { Memory, type NewItem } from './memory.ts'
import { standingLinks, statusAt } from './state/as-of.ts'
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
  readonly alternatives?: readonly string[]
  readonly relatedFiles?: readonly string[]
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

/** What a model may be told. */
export interface CurrentContext {
  readonly facts: readonly UserFact[]
  readonly preferences: readonly UserPreference[]
  readonly decisions: readonly Decision[]
  /** Within the budget, the most relevant first to be kept; see `memoryContext`. */
  readonly text: string
}

export interface LocalMemoryStoreOptions {
  /** Where it is kept; the user's own store when left out. */
  readonly log?: MemoryLog
  readonly session?: string
  now?(): number
}

/**
 * The memory of one project with the documented methods. Every method is synchronous and durable when it returns. Facts
 * and decisions whose text names a known property (`user prefers Vim` is about the editor) supersede by it.
 */
export class LocalMemoryStore {
  readonly memory: Memory
  readonly #project: string
  readonly #session: string

  constructor(projectPath: string, options: LocalMemoryStoreOptions = {}) {
    this.#project = path.resolve(projectPath)
    this.#session = options.session ?? randomUUID()
    this.memory = new Memory({
      log: options.log ?? openSqliteLog(defaultMemoryFile()),
      now: options.now ?? Date.now,
      newId: (kind) => `${kind}_${randomUUID()}`,
    })
  }

  /** A store that is gone with the process. */
  static inMemory(options: LocalMemoryStoreOptions = {}): LocalMemoryStore {
    return new LocalMemoryStore('.', { log: createInMemoryLog(), ...options })
  }

  addUserFact(input: NewUserFact): UserFact {
    const { fact, category, ...rest } = input
    const key = keyOfText(fact)
    return this.#asFact(
      this.#add({ kind: 'fact', text: fact, ...key, subject: 'user', category }, rest),
    )
  }

  supersedeUserFact(id: string, newFactId: string): void {
    this.memory.supersede(id, newFactId)
  }

  getUserFacts(): readonly UserFact[] {
    return this.#current('fact').map((entry) => this.#asFact(entry))
  }

  getAllUserFacts(): readonly UserFact[] {
    return this.#all('fact').map((entry) => this.#asFact(entry))
  }

  addPreference(input: NewUserPreference): UserPreference {
    const { category, key, value, ...rest } = input
    const item = {
      kind: 'preference',
      text: `${key}: ${value}`,
      category,
      attribute: key,
      value,
    } as const
    return this.#asPreference(this.#add(item, rest))
  }

  supersedePreference(id: string, newPreferenceId: string): void {
    this.memory.supersede(id, newPreferenceId)
  }

  getPreferences(): readonly UserPreference[] {
    return this.#current('preference').map((entry) => this.#asPreference(entry))
  }

  getAllPreferences(): readonly UserPreference[] {
    return this.#all('preference').map((entry) => this.#asPreference(entry))
  }

  getPreferenceByKey(category: string, key: string): UserPreference | undefined {
    // The closest scope holds: what is said for this session stands before what holds for ever.
    return this.getPreferences()
      .filter((preference) => preference.category === category && preference.key === key)
      .toSorted((a, b) => closeness[a.lifespan] - closeness[b.lifespan])[0]
  }

  addDecision(input: NewDecision): Decision {
    const { description, timestamp, ...rest } = input
    const key = keyOfText(description)
    const item: NewItem = {
      kind: 'decision',
      text: description,
      subject: 'project',
      ...key,
      ...rest,
    }
    return this.#asDecision(
      this.#add(item, { lifespan: 'project', ...(timestamp ? { timestamp } : {}) }),
    )
  }

  supersedeDecision(id: string, newDecisionId: string): void {
    this.memory.supersede(id, newDecisionId)
  }

  getDecisions(): readonly Decision[] {
    return this.#current('decision').map((entry) => this.#asDecision(entry))
  }

  getAllDecisions(): readonly Decision[] {
    return this.#all('decision').map((entry) => this.#asDecision(entry))
  }

  getDecisionById(id: string): Decision | undefined {
    const entry = this.memory.state.items.get(id)
    return entry?.item.kind === 'decision' ? this.#asDecision(entry) : undefined
  }

  /** What holds now, and nothing that was superseded: as items, and as the text that a model is told. */
  getCurrentContext(options: ContextOptions = {}): CurrentContext {
    const place = { project: this.#project, session: this.#session }
    return {
      facts: this.getUserFacts(),
      preferences: this.getPreferences(),
      decisions: this.getDecisions(),
      text: memoryContext(this.memory, place, options),
    }
  }

  /** What was added is kept already; a log that writes later does it here. */
  async save(): Promise<void> {
    await this.memory.save()
  }

  /** Takes in what others have written. */
  async load(): Promise<void> {
    await this.memory.save()
  }

  close(): void {
    this.memory.close()
  }

  #add(
    item: NewItem,
    input: {
      readonly confidence?: number
      readonly source?: string
      readonly lifespan?: Lifespan
      readonly timestamp?: Date
    },
  ): ItemState {
    const { confidence, source, lifespan = 'permanent', timestamp } = input
    const plan = this.memory.add({
      ...item,
      scope: this.#scope(lifespan),
      ...(confidence === undefined ? {} : { confidence }),
      source: { origin: 'user', ...(source === undefined ? {} : { quote: source }) },
      ...(timestamp === undefined ? {} : { validFrom: timestamp.getTime() }),
    })
    return this.memory.state.items.get(plan.id)!
  }

  #scope(lifespan: Lifespan): Scope {
    switch (lifespan) {
      case 'permanent':
        return 'user'
      case 'project':
        return `project:${this.#project}`
      case 'session':
        return `session:${this.#session}`
    }
  }

  #all(kind: MemoryItem['kind']): readonly ItemState[] {
    const mine = this.#scope('session')
    return [...this.memory.state.items.values()].filter(
      ({ item }) =>
        item.kind === kind && (!item.scope.startsWith('session:') || item.scope === mine),
    )
  }

  #current(kind: MemoryItem['kind']): readonly ItemState[] {
    const now = this.memory.now()
    return this.#all(kind).filter((entry) => statusAt(entry, now) === 'current')
  }

  #asFact(entry: ItemState): UserFact {
    return { fact: entry.item.text, ...this.#shared(entry) }
  }

  #asPreference(entry: ItemState): UserPreference {
    const { attribute = '', value = '' } = entry.item
    return { key: attribute, value, ...this.#shared(entry) }
  }

  #asDecision({ item, ...state }: ItemState): Decision {
    const { id, text, category, rationale, alternatives, relatedFiles } = item
    return {
      id,
      description: text,
      ...(category === undefined ? {} : { category }),
      ...(rationale === undefined ? {} : { rationale }),
      ...(alternatives === undefined ? {} : { alternatives }),
      ...(relatedFiles === undefined ? {} : { relatedFiles }),
      ...dated({ item, ...state }),
    }
  }

  #shared(entry: ItemState): Omit<UserFact, 'fact'> {
    const { item } = entry
    const reinforced = lastReinforced(entry)
    return {
      id: item.id,
      category: item.category ?? '',
      confidence: confidenceAt(entry, this.memory.now()),
      source: item.source.quote ?? sourceWord[item.source.origin],
      lifespan: lifespanOf(item.scope),
      ...dated(entry),
      ...(reinforced === undefined ? {} : { lastReinforced: new Date(reinforced) }),
    }
  }
}

const closeness: Readonly<Record<Lifespan, number>> = { session: 0, project: 1, permanent: 2 }
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
  const [link] = standingLinks(entry.replacedBy)
  return {
    timestamp: new Date(entry.item.validFrom),
    ...(link === undefined
      ? {}
      : { supersededBy: link.new, supersededAt: new Date(link.recordedAt) }),
  }
}
