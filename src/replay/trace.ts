import type { Item } from '../core/record/item.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'
import { replay, type Shown } from './replay.ts'

export interface TraceOptions {
  readonly file: string
  readonly policy: 'off'
  readonly regime: Regime['name']
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
  let items = 0
  let requests = 0
  for (const step of replay(recording)) {
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
    yield JSON.stringify({ type: 'request', n: step.n, at, view, epoch: 0 })
  }
  yield JSON.stringify({ type: 'end', requests, items })
}

/** Numbers each way in which an item is shown, once. */
function createRenditions(): { of(shown: Shown): { rendition: number; isNew: boolean } } {
  const numbers = new Map<string, number>()
  return {
    of({ item, masked }) {
      const key = masked === null ? `${item.index}` : `${item.index} masked`
      const known = numbers.get(key)
      if (known !== undefined) return { rendition: known, isNew: false }
      const rendition = numbers.size
      numbers.set(key, rendition)
      return { rendition, isNew: true }
    },
  }
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
    default:
      return JSON.stringify({ ...base, text })
  }
}

function renditionLine(rendition: number, { item, masked }: Shown): string {
  return JSON.stringify(
    masked === null
      ? { type: 'rendition', r: rendition, i: item.index, how: 'full' }
      : { type: 'rendition', r: rendition, i: item.index, how: 'masked', text: masked },
  )
}
