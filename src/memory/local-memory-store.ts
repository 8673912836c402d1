import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { type ContextOptions, memoryContext } from './context/context.ts'
import { defaultMemoryFile } from './default-file.ts'
import type { MemoryItem, Scope } from './item.ts'
import { keyOfText } from './key-of-text.ts'
import {
  asDecision,
  asFact,
  asPreference,
  type Decision,
  type Lifespan,
  type NewDecision,
  type NewUserFact,
  type NewUserPreference,
  type UserFact,
  type UserPreference,
} from './local-memory-items.ts'
import { createInMemoryLog, type MemoryLog } from './log/memory-log.ts'
import { openSqliteLog } from './log/sqlite-log.ts'
import { Memory, type NewItem } from './memory.ts'
import type { Place } from './observe.ts'
import { statusAt } from './state/as-of.ts'
import type { ItemState } from './state/memory-state.ts'
import { visibleItems } from './visible.ts'

/** The current memory, as items and as the text for a model. */
export interface CurrentContext {
  readonly facts: readonly UserFact[]
  readonly preferences: readonly UserPreference[]
  readonly decisions: readonly Decision[]
  /** The most relevant items that fit the budget; see `memoryContext`. */
  readonly text: string
}

export interface LocalMemoryStoreOptions {
  /** Where events are stored; the user's own store when left out. */
  readonly log?: MemoryLog
  readonly session?: string
  now?(): number
}

/**
 * The memory of one project. Every method is synchronous and durable when it returns. A fact or decision whose text
 * names a known property supersedes the earlier one about it: `user prefers Vim` is about the editor.
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

  /** A store that is lost when the process ends. */
  static inMemory(options: LocalMemoryStoreOptions = {}): LocalMemoryStore {
    return new LocalMemoryStore('.', { log: createInMemoryLog(), ...options })
  }

  /** Where its conversation takes place. */
  get place(): Place {
    return { project: this.#project, session: this.#session }
  }

  addUserFact(input: NewUserFact): UserFact {
    const { fact, category, ...rest } = input
    const key = keyOfText(fact)
    return asFact(
      this.#add({ kind: 'fact', text: fact, ...key, subject: 'user', category }, rest),
      this.memory.now(),
    )
  }

  supersedeUserFact(id: string, newFactId: string): void {
    this.memory.supersede(id, newFactId)
  }

  getUserFacts(): UserFact[] {
    return this.#current('fact').map((entry) => asFact(entry, this.memory.now()))
  }

  getAllUserFacts(): UserFact[] {
    return this.#all('fact').map((entry) => asFact(entry, this.memory.now()))
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
    return asPreference(this.#add(item, rest), this.memory.now())
  }

  supersedePreference(id: string, newPreferenceId: string): void {
    this.memory.supersede(id, newPreferenceId)
  }

  getPreferences(): UserPreference[] {
    return this.#current('preference').map((entry) => asPreference(entry, this.memory.now()))
  }

  getAllPreferences(): UserPreference[] {
    return this.#all('preference').map((entry) => asPreference(entry, this.memory.now()))
  }

  getPreferenceByKey(category: string, key: string): UserPreference | undefined {
    // The narrowest scope wins: session, then project, then permanent.
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
    return asDecision(this.#add(item, { lifespan: 'project', ...(timestamp ? { timestamp } : {}) }))
  }

  supersedeDecision(id: string, newDecisionId: string): void {
    this.memory.supersede(id, newDecisionId)
  }

  getDecisions(): Decision[] {
    return this.#current('decision').map(asDecision)
  }

  getAllDecisions(): Decision[] {
    return this.#all('decision').map(asDecision)
  }

  getDecisionById(id: string): Decision | undefined {
    const entry = this.memory.state.items.get(id)
    return entry?.item.kind === 'decision' ? asDecision(entry) : undefined
  }

  /** The items that are current now, without superseded ones, and the text for a model. */
  getCurrentContext(options: ContextOptions = {}): CurrentContext {
    return {
      facts: this.getUserFacts(),
      preferences: this.getPreferences(),
      decisions: this.getDecisions(),
      text: memoryContext(this.memory, this.place, options),
    }
  }

  /** Needed only for logs that write later, such as PostgreSQL. */
  async save(): Promise<void> {
    await this.memory.save()
  }

  /** Reads what other processes wrote. */
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
    return visibleItems(this.memory.state, this.place).filter(({ item }) => item.kind === kind)
  }

  #current(kind: MemoryItem['kind']): readonly ItemState[] {
    const now = this.memory.now()
    return this.#all(kind).filter((entry) => statusAt(entry, now) === 'current')
  }
}

const closeness: Readonly<Record<Lifespan, number>> = { session: 0, project: 1, permanent: 2 }
