import type { Engine } from '../core/engine.ts'
import type { SessionRecord } from '../core/record/record.ts'
import type { How, Reason } from '../core/words/decision.ts'
import type { Item } from '../core/words/item.ts'
import type { Recording } from '../recordings/recording.ts'
import { type ReplayedRequest, replay, type Shown, textOf } from './replay.ts'

/** How an item was shown in a stretch of requests. */
export interface LifeSpan {
  /** The first and the last request of the stretch. */
  readonly from: number
  readonly to: number
  /** `absent`: it was no longer, or not yet again, part of what the agent sent. */
  readonly shown: 'full' | 'absent' | 'left out' | How
  /** What stood in its place; null when it was in full or not there. */
  readonly text: string | null
  /** Why, when it was a decision of ours. */
  readonly decision: {
    readonly reason: Reason
    readonly strategy: string
    /** Handle of the item that replaced it. */
    readonly by: string | null
  } | null
}

/** All items of a session with how they were shown, request by request. */
export interface ItemLives {
  readonly record: SessionRecord
  /** How many requests the session made. */
  readonly requests: number
  /** The last request as the engine counts: from the beginning of the history that it had then. */
  readonly engineTurn: number
  find(handle: string): Item | undefined
  handles(): readonly string[]
  /** From the first request that showed it to the last of the session, without gaps; empty when none ever did. */
  spansOf(item: Item): readonly LifeSpan[]
  /** What replaced it, what replaced that, and so on. */
  replacements(item: Item): readonly Item[]
  /** What it replaced at some time. */
  replaced(item: Item): readonly Item[]
}

export function itemLives(recording: Recording, engine: Engine): ItemLives {
  const spans = new Map<number, LifeSpan[]>()
  const byHandle = new Map<string, Item>()
  const replacedItems = new Map<string, Set<Item>>()
  let requests = 0
  let engineTurn = 0

  function observe(step: ReplayedRequest): void {
    const shownByIndex = new Map(step.view.map((shown) => [shown.item.index, shown]))
    for (const { item } of step.unchanged) {
      const shown = shownByIndex.get(item.index)
      const handle = shown?.rendition?.handle
      // A result that the agent cleared in part of a message gets new handles there; both name it.
      if (handle !== undefined && !byHandle.has(handle)) byHandle.set(handle, item)
      extend(item, shown, step)
    }
    // Markers are no part of what a model is shown, so that only decisions tell of them.
    for (const { decision } of step.engine?.changes ?? []) {
      const item = byHandle.get(decision.handle)
      if (item?.kind === 'marker') extend(item, undefined, step)
    }
  }

  function extend(item: Item, shown: Shown | undefined, step: ReplayedRequest): void {
    const life = spans.get(item.index) ?? []
    spans.set(item.index, life)
    const before = life.at(-1)
    const state = shown === undefined ? 'left out' : (shown.rendition?.how ?? 'full')
    const text = shown?.rendition == null ? null : textOf(shown.rendition)
    if (before?.to === step.n - 1 && before.shown === state && before.text === text) {
      life[life.length - 1] = { ...before, to: step.n }
      return
    }
    const decision = state === 'full' ? null : decisionOf(item, shown, step)
    life.push({ from: step.n, to: step.n, shown: state, text, decision })
    if (decision === null || decision.by === null) return
    const replaced = replacedItems.get(decision.by) ?? new Set()
    replacedItems.set(decision.by, replaced.add(item))
  }

  function decisionOf(
    item: Item,
    shown: Shown | undefined,
    step: ReplayedRequest,
  ): LifeSpan['decision'] {
    const handle = shown === undefined ? item.handle : shown.rendition?.handle
    const change = step.engine?.changes.find(({ decision }) => decision.handle === handle)
    if (change === undefined) return null
    const { reason, strategy, by } = change.decision
    return { reason, strategy, by: by === null ? null : (engine.record.items[by]?.handle ?? null) }
  }

  const steps = replay(recording, engine)
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    if (step.value.kind === 'request') {
      requests = step.value.n
      engineTurn = step.value.engine?.turn ?? requests
      observe(step.value)
      continue
    }
    for (const item of step.value.items) {
      if (!byHandle.has(item.handle)) byHandle.set(item.handle, item)
    }
  }
  const record = step.value

  return {
    record,
    requests,
    engineTurn,
    find: (handle) => byHandle.get(handle),
    handles: () => [...byHandle.keys()],
    spansOf: (item) => withoutGaps(spans.get(item.index) ?? [], requests),
    replacements(item) {
      const chain: Item[] = []
      const seen = new Set([item])
      let at = replacementOf(item)
      while (at !== undefined && !seen.has(at)) {
        seen.add(at)
        chain.push(at)
        at = replacementOf(at)
      }
      return chain
    },
    replaced: (item) => [...(replacedItems.get(item.handle) ?? [])],
  }

  /** The last word counts: what was shortened first may have been replaced later. */
  function replacementOf(item: Item): Item | undefined {
    const by = spans.get(item.index)?.at(-1)?.decision?.by
    return by === null || by === undefined ? undefined : byHandle.get(by)
  }
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
