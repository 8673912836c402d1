import type { Regime } from '../core/schedule/regimes.ts'
import { clientTextOf } from '../core/words/client-text.ts'
import type { Item } from '../core/words/item.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Session } from '../session/session.ts'
import { replay, type Shown, textOf } from './replay.ts'

export interface TraceOptions {
  readonly file: string
  /** The preset's name. */
  readonly policy: string
  readonly regime: Regime['name']
  /** Decides about the requests; without it nothing is changed. */
  readonly session?: Session
}

/** The lines of a replay trace, without their newlines, in the order in which the session ran. */
export function* traceLines(recording: Recording, options: TraceOptions): Generator<string> {
  yield JSON.stringify({
    type: 'session',
    file: options.file,
    format: recording.format,
    model: recording.model,
    policy: options.policy,
    regime: options.regime,
  })
  const renditions = createRenditions()
  const epochs = createEpochs()
  let items = 0
  let requests = 0
  for (const step of replay(recording, options.session)) {
    if (step.kind === 'items') {
      for (const item of step.items) yield itemLine(item)
      items += step.items.length
      continue
    }
    const view: number[] = []
    for (const shown of step.view) {
      const { rendition, isNew } = renditions.of(shown)
      if (isNew) yield renditionLine(rendition, shown)
      view.push(rendition)
    }
    requests = step.n
    const at = step.at === null ? null : new Date(step.at).toISOString()
    yield JSON.stringify({
      type: 'request',
      n: step.n,
      at,
      view,
      epoch: epochs.after(step.view, step.unchanged),
    })
  }
  yield JSON.stringify({ type: 'end', requests, items })
}

/** Gives each way of showing an item a number. */
function createRenditions(): { of(shown: Shown): { rendition: number; isNew: boolean } } {
  const numbers = new Map<string, number>()
  return {
    of(shown) {
      const key = keyOf(shown)
      const known = numbers.get(key)
      if (known !== undefined) return { rendition: known, isNew: false }
      const rendition = numbers.size
      numbers.set(key, rendition)
      return { rendition, isNew: true }
    },
  }
}

/** Counts the requests in which we changed bytes that had been sent; what the agent changed itself does not count. */
export function createEpochs(): {
  after(view: readonly Shown[], unchanged: readonly Shown[]): number
} {
  const sent = new Map<number, { shown: string; unchanged: string }>()
  let epoch = 0
  return {
    after(view, unchanged) {
      const shownNow = new Map(view.map((shown) => [shown.item.index, keyOf(shown)]))
      let changed = false
      for (const shown of unchanged) {
        const { index } = shown.item
        const before = sent.get(index)
        const now = { shown: shownNow.get(index) ?? '', unchanged: keyOf(shown) }
        if (
          before !== undefined &&
          before.shown !== now.shown &&
          before.unchanged === now.unchanged
        )
          changed = true
        sent.set(index, now)
      }
      if (changed) epoch++
      return epoch
    },
  }
}

function keyOf({ item, rendition }: Shown): string {
  return rendition === null
    ? `${item.index}`
    : `${item.index} ${rendition.how} ${textOf(rendition)}`
}

function itemLine(item: Item): string {
  const { index, message, role, kind, text } = item
  const base = { type: 'item', i: index, message, role, kind }
  switch (item.kind) {
    case 'call':
      return JSON.stringify({ ...base, tool: item.tool, call: item.call, text })
    case 'result':
      return JSON.stringify({
        ...base,
        tool: item.tool,
        call: item.call,
        status: item.status,
        text,
      })
    case 'attachment':
      return JSON.stringify({ ...base, media: item.media, call: item.call, text })
    case 'marker':
      return JSON.stringify({ ...base, marker: item.marker, text })
    default: {
      // What the client itself added to the user's turn is none of the user's words.
      const marker = item.kind === 'text' && role === 'user' ? clientTextOf(text) : null
      return JSON.stringify(
        marker === null ? { ...base, text } : { ...base, kind: 'marker', marker, text },
      )
    }
  }
}

function renditionLine(number: number, { item, rendition }: Shown): string {
  const { how = 'full', ...rest } = rendition ?? {}
  return JSON.stringify({ type: 'rendition', r: number, i: item.index, how, ...rest })
}
