import { PalimpsestError } from '../core/words/errors.ts'
import type { ItemSource, MemoryItem, MemoryKind, Scope } from './item.ts'
import {
  createInMemoryLog,
  type LogPosition,
  type LogRead,
  type MemoryLog,
} from './log/memory-log.ts'
import { type AddPlan, planAdd } from './state/add-item.ts'
import { findUndecided } from './state/contradiction.ts'
import type { Cardinality, MemoryEvent, Verdict } from './state/event.ts'
import { type ForgetBesides, planForget } from './state/forget.ts'
import { planSupersede } from './state/link-items.ts'
import { MemoryState } from './state/memory-state.ts'
import { planReview } from './state/review.ts'
import { planRetract, planUndo } from './state/take-back.ts'

export interface MemoryOptions {
  readonly log: MemoryLog
  /** Milliseconds since 1970. */
  now(): number
  /** A name that no other item has, in any process. */
  newId(kind: MemoryKind | 'flag'): string
}

/** An item to be remembered. What is left out is filled in: now, this user, half sure. */
export interface NewItem extends Partial<Omit<MemoryItem, 'kind' | 'text'>> {
  readonly kind: MemoryKind
  readonly text: string
}

/** What a decision needs to know: the state as it is at this moment, and the time to write. */
export interface Writing {
  readonly state: MemoryState
  /** Never before the newest event: the recorded clock does not run backwards, whatever other processes' clocks say. */
  readonly at: number
  item(input: NewItem): MemoryItem
}

/** What is written, and what whoever asked is told. */
export interface Decided<Result> {
  readonly events: readonly MemoryEvent[]
  readonly result: Result
}

/** Asks whether an attribute has one value or many. */
export function undecided(
  id: string,
  older: MemoryItem,
  newer: MemoryItem,
  at: number,
): MemoryEvent {
  const reason = `two values of ${newer.attribute ?? 'one thing'}: does one replace the other?`
  return { kind: 'flagged', at, id, items: [older.id, newer.id], reason }
}

/**
 * A memory on a log: every change is decided on the newest state, written in one transaction, and then seen by all. Not
 * for sharing between threads.
 */
export class Memory {
  readonly #log: MemoryLog
  readonly #options: MemoryOptions
  #state = new MemoryState()
  #known: LogPosition = { sequence: 0, generation: 0 }

  constructor(options: MemoryOptions) {
    this.#log = options.log
    this.#options = options
    this.#take(this.#log.read(this.#known))
  }

  now(): number {
    return this.#options.now()
  }

  newId(kind: MemoryKind | 'flag'): string {
    return this.#options.newId(kind)
  }

  /** The state as every process sees it now. */
  get state(): MemoryState {
    this.#take(this.#log.read(this.#known))
    return this.#state
  }

  /** Writes what `decide` returns, decided on the newest state, all or nothing. */
  write<Result>(decide: (writing: Writing) => Decided<Result>): Result {
    let decided: { readonly result: Result } | undefined
    // A log may ask again when others were first: what was named stays named so.
    const names: string[] = []
    const read = this.#log.append(this.#known, (news) => {
      this.#take(news)
      const at = Math.max(this.#options.now(), this.#state.recordedAt)
      let place = 0
      const { events, result } = decide({
        state: this.#state,
        at,
        item: (input) => {
          names[place] ??= input.id ?? this.#options.newId(input.kind)
          return this.#complete({ ...input, id: names[place++]! }, at)
        },
      })
      decided = { result }
      return events
    })
    this.#take(read)
    if (decided === undefined) throw new PalimpsestError('store-failed', 'the log decided nothing')
    return decided.result
  }

  add(input: NewItem): AddPlan {
    return this.write(this.#adding(input))
  }

  /** The same, durable on return: where others were first, the outcome is what was decided on what they wrote. */
  async addDurably(input: NewItem): Promise<AddPlan> {
    const decide = this.#adding(input)
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
    this.write(({ state, at }) => ({
      events: planSupersede(state, {
        old,
        new: replacement,
        at,
        ...(reason === undefined ? {} : { reason }),
      }),
      result: undefined,
    }))
  }

  retract(id: string, reason?: string): void {
    this.write(({ state, at }) => ({
      events: planRetract(state, { id, at, ...(reason === undefined ? {} : { reason }) }),
      result: undefined,
    }))
  }

  /** Takes back the last supersession or retraction of an item. */
  undo(id: string): void {
    this.write(({ state, at }) => ({ events: planUndo(state, { id, at }), result: undefined }))
  }

  review(flag: string, verdict: Verdict): void {
    this.write(({ state, at }) => ({
      events: planReview(state, { flag, verdict, at }),
      result: undefined,
    }))
  }

  /** From now on an attribute has one value, or many. What stands is not changed. */
  declare(attribute: string, cardinality: Cardinality): void {
    this.write(({ at }) => ({
      events: [{ kind: 'declared', at, attribute, cardinality }],
      result: undefined,
    }))
  }

  /** Removes items and the messages that they came from, in the log and in every copy of it. */
  forget(items: readonly string[], besides: ForgetBesides = {}): readonly string[] {
    const { state } = this
    const at = Math.max(this.#options.now(), state.recordedAt)
    const plan = planForget(state, { items, ...besides, at })
    const { events } = this.#log.read({ sequence: 0, generation: -1 })
    if (events.every(({ event }) => plan.edit(event) === event)) return []
    this.#log.rewrite(plan.edit, plan.tombstones)
    this.#take(this.#log.read(this.#known))
    return plan.items
  }

  /** The same memory in a log of its own, to try something on. */
  rehearsal(): Memory {
    const { events } = this.#log.read({ sequence: 0, generation: -1 })
    return new Memory({ ...this.#options, log: createInMemoryLog(events) })
  }

  close(): void {
    this.#log.close()
  }

  /** Makes durable what a log keeps back, and takes in what others wrote. */
  async save(): Promise<void> {
    await this.#log.save?.()
    this.#take(this.#log.read(this.#known))
  }

  #adding(input: NewItem): (writing: Writing) => Decided<AddPlan> {
    const flag = this.newId('flag')
    return ({ state, item, at }) => {
      const added = item(input)
      const plan = planAdd(state, added)
      const other = plan.outcome === 'added' ? findUndecided(state, added, at) : undefined
      const events = other ? [...plan.events, undecided(flag, other.item, added, at)] : plan.events
      return { events, result: plan }
    }
  }

  #complete(input: NewItem & { readonly id: string }, at: number): MemoryItem {
    const source: ItemSource = input.source ?? { origin: 'user' }
    const scope: Scope = input.scope ?? 'user'
    return {
      ...input,
      scope,
      source,
      confidence: input.confidence ?? 0.8,
      validFrom: input.validFrom ?? at,
      recordedAt: at,
    }
  }

  #take(read: LogRead): void {
    if (read.generation !== this.#known.generation) this.#state = new MemoryState()
    for (const { event, sequence } of read.events)
      if (read.generation !== this.#known.generation || sequence > this.#known.sequence)
        this.#state.apply(event)
    this.#known = { sequence: read.sequence, generation: read.generation }
  }
}
