import type { Engine, EngineRequest } from '../core/engine.ts'
import type { Anchor } from '../core/record/branches.ts'
import { createRecord, type SessionRecord } from '../core/record/record.ts'
import { noteOf, ownText, withNote } from '../core/render/input-note.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { How, Reason } from '../core/words/decision.ts'
import type { Item, MessageDraft } from '../core/words/item.ts'
import type { RequestMoment } from '../core/words/request-moment.ts'
import type { Recording } from '../recordings/recording.ts'

/** What OpenCode and Claude Code put in the place of a result that they cleared themselves. */
export const clearedText = '[Old tool result content cleared]'

/** A way of showing an item other than in full. */
export interface ShownRendition {
  readonly how: How
  readonly text: string
  /** What is said of a call at the end of its result, when its input was shortened. */
  readonly note?: string
  /** Present when something of ours was left out: it gives the original back. */
  readonly handle?: string
  /** The item that replaced it. */
  readonly by?: number
  readonly reason?: Reason
}

/** All that a rendition shows, wherever it stands. */
export function textOf({ text, note }: ShownRendition): string {
  return note === undefined ? text : withNote(text, note)
}

/** How an item is shown in a request. */
export interface Shown {
  readonly item: Item
  /** null: in full. */
  readonly rendition: ShownRendition | null
}

export type ReplayStep =
  /** Items became known, in order. */
  { readonly kind: 'items'; readonly items: readonly Item[] } | ReplayedRequest

/** A call to the model with what it showed. Its turn is `n`. */
export interface ReplayedRequest {
  readonly kind: 'request'
  readonly n: number
  /** Time of the newest input, in milliseconds since 1970. */
  readonly at: number | null
  readonly model: string | null
  readonly view: readonly Shown[]
  /** What the request would have shown without us. */
  readonly unchanged: readonly Shown[]
  /** What the engine did to the request, when there is one. */
  readonly engine: EngineRequest | null
}

/**
 * Runs a recorded session again, request by request. The agent's own compactions and clearings are applied; with an
 * engine, each request goes through it as if it had been in place, and the view is what it would have let through.
 */
export function* replay(
  recording: Recording,
  engine?: Engine,
): Generator<ReplayStep, SessionRecord> {
  const record = createRecord()
  const drafts: MessageDraft[] = []
  let anchor: Anchor = { branch: 0, length: 0 }
  let visible: number[] = []
  let requests = 0
  let newest: number | null = null
  const cleared = new Set<number>()
  const through = engine === undefined ? null : createPassage(engine)

  for (const event of recording.events) {
    switch (event.kind) {
      case 'message': {
        const { message } = event
        if (message.role === 'assistant') {
          requests++
          const unchanged = [...showAll(visible, record, cleared)]
          const moment = {
            at: newest ?? message.at ?? null,
            model: message.model ?? recording.model,
          }
          const passed = through?.pass({ visible, drafts, record, cleared, moment }) ?? null
          yield {
            kind: 'request',
            n: requests,
            ...moment,
            view: passed === null ? unchanged : passed.show(unchanged),
            unchanged,
            engine: passed?.request ?? null,
          }
          // As the gateway does with each answer: it shows how long the provider keeps what it caches.
          if (message.usage !== undefined) engine?.usage(message.usage, moment.model)
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
        through?.historyChanged()
        break
      }
      case 'cleared':
        for (const { message, item } of event.results) {
          const result = record.messages[message]?.items[item]
          // A mask longer than the result would be no clearing; agents leave such results in practice too.
          if (result !== undefined && result.text.length > clearedText.length)
            cleared.add(result.index)
        }
        through?.historyChanged()
        break
    }
  }
  return record
}

/** What the agent itself shows. Markers are for its own use, unless a provider wrote them. */
function* showAll(
  visible: readonly number[],
  record: SessionRecord,
  cleared: ReadonlySet<number>,
): Generator<Shown> {
  for (const position of visible) {
    for (const item of record.messages[position]?.items ?? []) {
      if (item.kind === 'marker' && item.opaque !== true) continue
      yield {
        item,
        rendition: cleared.has(item.index) ? { how: 'masked', text: clearedText } : null,
      }
    }
  }
}

interface Passed {
  readonly request: EngineRequest
  show(unchanged: readonly Shown[]): readonly Shown[]
}

/** A request as the agent would make it. */
interface Sending {
  readonly visible: readonly number[]
  readonly drafts: readonly MessageDraft[]
  readonly record: SessionRecord
  readonly cleared: ReadonlySet<number>
  readonly moment: RequestMoment
}

interface Passage {
  pass(sending: Sending): Passed
  /** What was sent last is not simply continued. */
  historyChanged(): void
}

/** Sends requests through the engine as a client would: the whole history each time, as the agent shows it. */
function createPassage(engine: Engine): Passage {
  let sent: MessageDraft[] = []
  let since: Anchor | undefined
  return {
    historyChanged() {
      sent = []
      since = undefined
    },
    pass({ visible, drafts, record, cleared, moment }) {
      for (let position = sent.length; position < visible.length; position++) {
        const message = visible[position] as number
        sent.push(
          asCleared(
            drafts[message] as MessageDraft,
            record.messages[message]?.items ?? [],
            cleared,
          ),
        )
      }
      const request = engine.request(sent, since, moment)
      since = request.anchor
      const itemAt = (place: { message: number; item: number }): Item | undefined =>
        record.messages[visible[place.message] as number]?.items[place.item]
      return { request, show: (unchanged) => [...showChanged(unchanged, request, itemAt)] }
    },
  }
}

function* showChanged(
  unchanged: readonly Shown[],
  request: EngineRequest,
  itemAt: (place: { message: number; item: number }) => Item | undefined,
): Generator<Shown> {
  const changes = new Map(request.changes.map((change) => [itemAt(change)?.index, change]))
  for (const shown of unchanged) {
    const change = changes.get(shown.item.index)
    // What is said of a call in its result is shown with the call.
    if (change === undefined || isNoteAlone(change, shown)) {
      yield shown
      continue
    }
    const { rendition, handle, reason } = change.decision
    const text = ownText(rendition)
    if (text === null) continue
    const note = noteOf(rendition)
    const by = change.by === null ? undefined : itemAt(change.by)?.index
    yield {
      item: shown.item,
      rendition: {
        how: rendition.how,
        text,
        ...(note === null ? {} : { note }),
        handle,
        reason,
        ...(by === undefined ? {} : { by }),
      },
    }
  }
}

function isNoteAlone({ decision }: ProjectedChange, { item }: Shown): boolean {
  return item.kind === 'result' && noteOf(decision.rendition) !== null
}

function asCleared(
  draft: MessageDraft,
  items: readonly Item[],
  cleared: ReadonlySet<number>,
): MessageDraft {
  if (!items.some((item) => cleared.has(item.index))) return draft
  return {
    ...draft,
    items: draft.items.map((item, ordinal) =>
      cleared.has(items[ordinal]?.index ?? -1) ? { ...item, text: clearedText } : item,
    ),
  }
}
