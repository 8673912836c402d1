import type { Item, MessageDraft } from '../core/record/item.ts'
import { createRecord, type SessionRecord } from '../core/record/record.ts'
import type { Recording } from '../recordings/recording.ts'

/** What OpenCode and Claude Code put in the place of a result that they cleared themselves. */
export const clearedText = '[Old tool result content cleared]'

/** How an item is shown in a request. */
export interface Shown {
  readonly item: Item
  /** null: in full. */
  readonly masked: string | null
}

export type ReplayStep =
  /** Items became known, in order. */
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** A call to the model with what it showed. Its turn is `n`. */
  | {
      readonly kind: 'request'
      readonly n: number
      /** Time of the newest input, in milliseconds since 1970. */
      readonly at: number | null
      readonly model: string | null
      readonly view: readonly Shown[]
    }

/**
 * Runs a recorded session again, request by request, as the agent itself ran it: its own compactions and clearings are
 * applied, nothing else. Gives the record at the end.
 */
export function* replay(recording: Recording): Generator<ReplayStep, SessionRecord> {
  const record = createRecord()
  const drafts: MessageDraft[] = []
  let anchor = { branch: 0, length: 0 }
  let visible: number[] = []
  let requests = 0
  let newest: number | null = null
  const masks = new Map<number, string>()

  for (const event of recording.events) {
    switch (event.kind) {
      case 'message': {
        const { message } = event
        if (message.role === 'assistant') {
          requests++
          const at = newest ?? message.at ?? null
          const view = [...show(visible, record, masks)]
          yield { kind: 'request', n: requests, at, model: message.model ?? recording.model, view }
        }
        newest = message.at ?? newest
        visible.push(drafts.length)
        drafts.push(message)
        const appended = record.append(drafts, anchor)
        anchor = appended.anchor
        yield { kind: 'items', items: appended.added.flatMap((added) => added.items) }
        break
      }
      case 'compaction': {
        // A rewind may bring back what an earlier compaction had taken out of view.
        const inView = new Set(event.rewind === true ? event.keeps : visible)
        visible = event.keeps.filter((position) => inView.has(position))
        break
      }
      case 'cleared':
        for (const { message, item } of event.results) {
          const cleared = record.messages[message]?.items[item]
          // A mask longer than the result would be no clearing; agents leave such results in practice too.
          if (cleared !== undefined && cleared.text.length > clearedText.length) {
            masks.set(cleared.index, clearedText)
          }
        }
        break
    }
  }
  return record
}

function* show(
  visible: readonly number[],
  record: SessionRecord,
  masks: ReadonlyMap<number, string>,
): Generator<Shown> {
  for (const position of visible) {
    for (const item of record.messages[position]?.items ?? []) {
      if (item.kind === 'marker' && item.opaque !== true) continue
      yield { item, masked: masks.get(item.index) ?? null }
    }
  }
}
