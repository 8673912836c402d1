import { PalimpsestError } from '../core/words/errors.ts'
import { withoutSecrets } from '../core/words/secrets.ts'
import type { ItemSource, MemoryItem, MemoryKind, Scope } from './item.ts'
import {
  createInMemoryLog,
  type LogPosition,
  type LogRead,
  type MemoryLog,
} from './log/memory-log.ts'
import { type AddPlan, planAdd } from './state/add-item.ts'
import { contradicts } from './state/contradiction.ts'
import type { Cardinality, MemoryEvent, ReviewOutcome } from './state/event.ts'
import { type ForgetBesides, planForget } from './state/forget.ts'
import { planSupersede } from './state/link-items.ts'
import { MemoryState } from './state/memory-state.ts'
import { planRetract, planUndo } from './state/retract-item.ts'
import { planReview } from './state/review.ts'

export interface MemoryOptions {
  readonly log: MemoryLog
  /** Milliseconds since 1970. */
  now(): number
  /** A unique id, across processes. */
  newId(kind: MemoryKind | 'flag'): string
}

/** A new item. Defaults: valid from now, scope `user`, confidence 0.8. */
export interface NewItem extends Partial<Omit<MemoryItem, 'kind' | 'text'>> {
  readonly kind: MemoryKind
  readonly text: string
}

/** The state and the time on which a write is decided. */
export interface Writing {
  readonly state: MemoryState
  /** Never before the newest event, even when clocks of processes differ. */
  readonly at: number
  item(input: NewItem): MemoryItem
}

/** The events to write and the result for the caller. */
export interface Decided<Result> {
  readonly events: readonly MemoryEvent[]
  readonly result: Result
}

/** The ids of new items. They stay the same when the work runs again. */
interface UsedIds {
  readonly ids: string[]
  /** How many items this run has created. */
  created: number
}

/** Writes that become durable together. */
interface Group extends UsedIds {
  readonly events: MemoryEvent[]
}

/** An item without its keys and passwords. */
function safeItem<Item extends NewItem>(item: Item): Item & { readonly source: ItemSource } {
  const { text, value, rationale, alternatives, source = { origin: 'user' } } = item
  return {
    ...item,
    text: withoutSecrets(text),
    ...(value === undefined ? {} : { value: withoutSecrets(value) }),
    ...(rationale === undefined ? {} : { rationale: withoutSecrets(rationale) }),
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map(withoutSecrets) }),
    source: {
      ...source,
      ...(source.quote === undefined ? {} : { quote: withoutSecrets(source.quote) }),
    },
  }
}

function safeReason(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason: withoutSecrets(reason) }
}

/** A flag that asks which of two items holds, or whether an attribute has one value or many. */
export function contradictionFlag(
  id: string,
  older: MemoryItem,
  newer: MemoryItem,
  at: number,
): MemoryEvent {
  const reason =
    newer.attribute === undefined
      ? 'they contradict each other'
      : `two values of ${newer.attribute}: does one replace the other?`
  return { kind: 'flagged', at, id, items: [older.id, newer.id], reason }
}

/**
 * A memory whose events are in a log. Every change is decided on the newest state and written in one transaction. Not
 * safe to share between threads.
 */
export class Memory {
  readonly #log: MemoryLog
  readonly #options: MemoryOptions
  #state = new MemoryState()
  #known: LogPosition = { sequence: 0, generation: 0 }
  /** The writes of `together` so far. */
  #group: Group | undefined
  /** How many of the next events of the log are in the state already. */
  #applied = 0

  constructor(options: MemoryOptions) {
    this.#log = options.log
    this.#options = options
    this.#applyNew(this.#log.read(this.#known))
  }

  now(): number {
    return this.#options.now()
  }

  newId(kind: MemoryKind | 'flag'): string {
    return this.#options.newId(kind)
  }

  /** The state as every process sees it now. */
  get state(): MemoryState {
    if (this.#group !== undefined) return this.#state
    this.#applyNew(this.#log.read(this.#known))
    return this.#state
  }

  /** Writes what `decide` returns, decided on the newest state, all or nothing. */
  write<Result>(decide: (writing: Writing) => Decided<Result>): Result {
    const group = this.#group
    if (group !== undefined) return this.#writeInto(group, decide)
    let decided: { readonly result: Result } | undefined
    // A log may call `decide` again when another process wrote first.
    const ids: string[] = []
    const read = this.#log.append(this.#known, (news) => {
      this.#applyNew(news)
      const at = Math.max(this.#options.now(), this.#state.recordedAt)
      const { events, result } = decide(this.#writing(at, { ids, created: 0 }))
      decided = { result }
      return events
    })
    this.#applyNew(read)
    if (decided === undefined)
      throw new PalimpsestError('store-failed', 'the memory log did not run the write')
    return decided.result
  }

  /**
   * Runs work whose writes become durable all at once or not at all. Each write sees the ones before it. Like `decide`,
   * the work may run again when another process wrote first.
   */
  together<Result>(work: () => Result): Result {
    if (this.#group !== undefined) return work()
    let done: { readonly result: Result } | undefined
    const ids: string[] = []
    try {
      const read = this.#log.append(this.#known, (news) => {
        this.#applyNew(news)
        const group: Group = { events: [], ids, created: 0 }
        this.#group = group
        try {
          done = { result: work() }
        } finally {
          this.#group = undefined
        }
        this.#applied = group.events.length
        return group.events
      })
      this.#applyNew(read)
    } catch (error) {
      // The state has events that the log does not have, so it is read again.
      this.#state = new MemoryState()
      this.#known = { sequence: 0, generation: -1 }
      this.#applied = 0
      throw error
    }
    if (done === undefined)
      throw new PalimpsestError('store-failed', 'the memory log did not run the write')
    return done.result
  }

  /** Runs work that fails with `store-locked` instead of blocking this process until others have written. */
  withoutWaiting<Result>(work: () => Result): Result {
    const log = this.#log
    return log.withoutWaiting === undefined ? work() : log.withoutWaiting(work)
  }

  add(input: NewItem): AddPlan {
    return this.write(this.#planAdding(input))
  }

  /** Adds and saves an item. When another process wrote first, the plan takes its events into account. */
  async addDurably(input: NewItem): Promise<AddPlan> {
    const decide = this.#planAdding(input)
    let plan: AddPlan | undefined
    const first = this.write((writing) => {
      const decided = decide(writing)
      plan = decided.result
      return decided
    })
    await this.save()
    return plan ?? first
  }

  supersede(old: string, replacement: string, reason?: string): void {
    this.#writePlan((state, at) =>
      planSupersede(state, { old, new: replacement, at, ...safeReason(reason) }),
    )
  }

  retract(id: string, reason?: string): void {
    this.#writePlan((state, at) => planRetract(state, { id, at, ...safeReason(reason) }))
  }

  /** Undoes the last supersession or retraction of an item. */
  undo(id: string): void {
    this.#writePlan((state, at) => planUndo(state, { id, at }))
  }

  review(flag: string, verdict: ReviewOutcome): void {
    this.#writePlan((state, at) => planReview(state, { flag, verdict, at }))
  }

  /** Declares that an attribute has one value or many. Existing items do not change. */
  declare(attribute: string, cardinality: Cardinality): void {
    this.#writePlan((_, at) => [{ kind: 'declared', at, attribute, cardinality }])
  }

  /** Removes items and the messages they came from, from the log and its files. */
  forget(items: readonly string[], besides: ForgetBesides = {}): readonly string[] {
    const { state } = this
    const at = Math.max(this.#options.now(), state.recordedAt)
    const plan = planForget(state, { items, ...besides, at })
    const { events } = this.#log.read({ sequence: 0, generation: -1 })
    if (events.every(({ event }) => plan.edit(event) === event)) return []
    this.#log.rewrite(plan.edit, plan.tombstones)
    this.#applyNew(this.#log.read(this.#known))
    return plan.items
  }

  /** A copy of the memory for a dry run. */
  rehearsal(): Memory {
    const { events } = this.#log.read({ sequence: 0, generation: -1 })
    return new Memory({ ...this.#options, log: createInMemoryLog(events) })
  }

  close(): void {
    this.#log.close()
  }

  /** Saves pending events and reads what other processes wrote. */
  async save(): Promise<void> {
    await this.#log.save?.()
    this.#applyNew(this.#log.read(this.#known))
  }

  #writePlan(plan: (state: MemoryState, at: number) => readonly MemoryEvent[]): void {
    this.write(({ state, at }) => ({ events: plan(state, at), result: undefined }))
  }

  #writeInto<Result>(group: Group, decide: (writing: Writing) => Decided<Result>): Result {
    const at = Math.max(this.#options.now(), this.#state.recordedAt)
    const { events, result } = decide(this.#writing(at, group))
    for (const event of events) this.#state.apply(event)
    group.events.push(...events)
    return result
  }

  #writing(at: number, used: UsedIds): Writing {
    return {
      state: this.#state,
      at,
      item: (input) => {
        used.ids[used.created] ??= input.id ?? this.#options.newId(input.kind)
        return this.#complete({ ...input, id: used.ids[used.created++]! }, at)
      },
    }
  }

  #planAdding(input: NewItem): (writing: Writing) => Decided<AddPlan> {
    const flag = this.newId('flag')
    return ({ state, item, at }) => {
      const added = item(input)
      const plan = planAdd(state, added)
      const other = plan.outcome === 'added' ? contradicts(state, added, at) : undefined
      const events = other
        ? [...plan.events, contradictionFlag(flag, other.item, added, at)]
        : plan.events
      return { events, result: plan }
    }
  }

  #complete(input: NewItem & { readonly id: string }, at: number): MemoryItem {
    const scope: Scope = input.scope ?? 'user'
    return {
      ...safeItem(input),
      scope,
      confidence: input.confidence ?? 0.8,
      validFrom: input.validFrom ?? at,
      recordedAt: at,
    }
  }

  #applyNew(read: LogRead): void {
    const isRenewed = read.generation !== this.#known.generation
    if (isRenewed) {
      this.#state = new MemoryState()
      this.#applied = 0
    }
    for (const { event, sequence } of read.events)
      if (isRenewed || sequence > this.#known.sequence) {
        if (this.#applied > 0) this.#applied--
        else this.#state.apply(event)
      }
    this.#known = { sequence: read.sequence, generation: read.generation }
  }
}
