import { createRecord, type SessionRecord } from '../core/record/record.ts'
import type { How, Reason } from '../core/words/decision.ts'
import type { Item } from '../core/words/item.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Session } from '../session/session.ts'
import { type ReplayedRequest, type ReplayStep, replay, type Shown, textOf } from './replay.ts'
import { finish, type Work } from './work.ts'

/** How an item was shown in a range of requests. */
export interface LifeSpan {
  /** The first and the last request of the range. */
  readonly from: number
  readonly to: number
  /** `absent` when the agent itself did not send it. */
  readonly shown: 'full' | 'absent' | 'left out' | How
  /** What was shown instead; null when it was shown in full or absent. */
  readonly text: string | null
  /** Why, when we decided it. */
  readonly decision: {
    readonly reason: Reason
    readonly strategy: string
    /** Handle of the item that replaced it. */
    readonly by: string | null
  } | null
}

/** How all items of a session were shown, request by request. */
export class ItemLives {
  /** Everything that was said; empty until all steps were followed. */
  record: SessionRecord = createRecord()
  /** How many requests the session made. */
  requests = 0
  /** The number of the last request in the engine's count, which starts again when the agent compacts. */
  engineTurn = 0
  readonly #decided: (index: number) => Item | undefined
  readonly #spans = new Map<number, LifeSpan[]>()
  readonly #byHandle = new Map<string, Item>()
  readonly #replacedItems = new Map<string, Set<Item>>()

  /** `decided` finds an item of a decision. */
  constructor(decided: (index: number) => Item | undefined) {
    this.#decided = decided
  }

  /** The steps of a replay, or of the requests of a stored session. */
  *follow(steps: Generator<ReplayStep, SessionRecord>): Work<void> {
    let step = steps.next()
    for (; !step.done; step = steps.next()) {
      yield
      if (step.value.kind === 'request') {
        this.requests = step.value.n
        this.engineTurn = step.value.turn?.receipt.turn ?? step.value.n
        this.#observe(step.value)
        yield
        continue
      }
      for (const item of step.value.items) {
        if (!this.#byHandle.has(item.handle)) this.#byHandle.set(item.handle, item)
      }
    }
    this.record = step.value
  }

  find(handle: string): Item | undefined {
    return this.#byHandle.get(handle)
  }

  handles(): readonly string[] {
    return [...this.#byHandle.keys()]
  }

  /** From the first request with the item to the last of the session, without gaps; empty when there was none. */
  spansOf(item: Item): readonly LifeSpan[] {
    return withoutGaps(this.#spans.get(item.index) ?? [], this.requests)
  }

  /** What replaced it, what replaced that, and so on. */
  replacements(item: Item): readonly Item[] {
    const chain: Item[] = []
    const seen = new Set([item])
    let at = this.#replacementOf(item)
    while (at !== undefined && !seen.has(at)) {
      seen.add(at)
      chain.push(at)
      at = this.#replacementOf(at)
    }
    return chain
  }

  /** The items that it replaced. */
  replaced(item: Item): readonly Item[] {
    return [...(this.#replacedItems.get(item.handle) ?? [])]
  }

  /** The last decision counts: what was shortened first may have been replaced later. */
  #replacementOf(item: Item): Item | undefined {
    const by = this.#spans.get(item.index)?.at(-1)?.decision?.by
    return by === null || by === undefined ? undefined : this.#byHandle.get(by)
  }

  #observe(step: ReplayedRequest): void {
    const shownByIndex = new Map(step.view.map((shown) => [shown.item.index, shown]))
    for (const { item } of step.unchanged) {
      const shown = shownByIndex.get(item.index)
      const handle = shown?.rendition?.handle
      // A result that the agent cleared in part of a message gets new handles there; both name it.
      if (handle !== undefined && !this.#byHandle.has(handle)) this.#byHandle.set(handle, item)
      this.#extend(item, shown, step)
    }
    // A model is not shown markers, so they appear only in decisions.
    for (const { decision } of step.turn?.changes ?? []) {
      const item = this.#byHandle.get(decision.handle)
      if (item?.kind === 'marker') this.#extend(item, undefined, step)
    }
  }

  #extend(item: Item, shown: Shown | undefined, step: ReplayedRequest): void {
    const life = this.#spans.get(item.index) ?? []
    this.#spans.set(item.index, life)
    const before = life.at(-1)
    const state = shown === undefined ? 'left out' : (shown.rendition?.how ?? 'full')
    const text = shown?.rendition == null ? null : textOf(shown.rendition)
    if (before?.to === step.n - 1 && before.shown === state && before.text === text) {
      life[life.length - 1] = { ...before, to: step.n }
      return
    }
    const decision = state === 'full' ? null : this.#decisionOf(item, shown, step)
    life.push({ from: step.n, to: step.n, shown: state, text, decision })
    if (decision === null || decision.by === null) return
    const replaced = this.#replacedItems.get(decision.by) ?? new Set()
    this.#replacedItems.set(decision.by, replaced.add(item))
  }

  #decisionOf(item: Item, shown: Shown | undefined, step: ReplayedRequest): LifeSpan['decision'] {
    const handle = shown === undefined ? item.handle : shown.rendition?.handle
    const change = step.turn?.changes.find(({ decision }) => decision.handle === handle)
    if (change === undefined) return null
    const { reason, strategy, by } = change.decision
    return {
      reason,
      strategy,
      by: by === null ? null : (this.#decided(by)?.handle ?? null),
    }
  }
}

/** The lives of the items of a recording. */
export function recordedLives(recording: Recording, session: Session): ItemLives {
  const lives = new ItemLives((index) => session.engine.record.items[index])
  finish(lives.follow(replay(recording, session)))
  return lives
}

function withoutGaps(spans: readonly LifeSpan[], requests: number): readonly LifeSpan[] {
  const whole: LifeSpan[] = []
  const absent = (from: number, to: number): LifeSpan => ({
    from,
    to,
    shown: 'absent',
    text: null,
    decision: null,
  })
  for (const span of spans) {
    const before = whole.at(-1)
    if (before !== undefined && before.to < span.from - 1) {
      whole.push(absent(before.to + 1, span.from - 1))
    }
    whole.push(span)
  }
  const last = whole.at(-1)
  return last === undefined || last.to === requests
    ? whole
    : [...whole, absent(last.to + 1, requests)]
}
