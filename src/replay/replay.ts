import type { Anchor } from '../core/record/branches.ts'
import { createRecord, type SessionRecord } from '../core/record/record.ts'
import { noteOf, ownText, withNote } from '../core/render/input-note.ts'
import { clearedByAgent } from '../core/render/marks.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { How, Reason } from '../core/words/decision.ts'
import type { Item, MessageDraft } from '../core/words/item.ts'
import type { RequestMoment } from '../core/words/request-moment.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Session, Turn } from '../session/session.ts'

/** A way of showing an item other than in full. */
export interface ShownRendition {
  readonly how: How
  readonly text: string
  /** The note about a call at the end of its result, when its input was shortened. */
  readonly note?: string
  /** Brings back the original, where we left something out. */
  readonly handle?: string
  /** The item that replaced it. */
  readonly by?: number
  readonly reason?: Reason
}

/** All that a rendition shows, its note included. */
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
  /** New items, in order. */
  { readonly kind: 'items'; readonly items: readonly Item[] } | ReplayedRequest

/** A call to the model and what it showed. `n` is its turn. */
export interface ReplayedRequest {
  readonly kind: 'request'
  readonly n: number
  /** Time of the newest input, in milliseconds since 1970. */
  readonly at: number | null
  readonly model: string | null
  readonly view: readonly Shown[]
  /** What the request would have shown without us. */
  readonly unchanged: readonly Shown[]
  /** What the session decided about the request; null without a session. */
  readonly turn: ReplayedTurn | null
}

export interface ReplayedTurn extends Pick<Turn, 'changes'> {
  readonly receipt: Pick<Turn['receipt'], 'turn' | 'epoch' | 'fault'>
}

/**
 * Runs a recorded session again, request by request. The agent's own compactions and clearings are applied. With a
 * `session`, each request is a turn of it, and the view is what the model would have seen.
 */
export function* replay(
  recording: Recording,
  session?: Session,
): Generator<ReplayStep, SessionRecord> {
  const record = createRecord()
  const drafts: MessageDraft[] = []
  let anchor: Anchor = { branch: 0, length: 0 }
  let visible: number[] = []
  let requests = 0
  let newest: number | null = null
  const cleared = new Set<number>()
  const sender = session === undefined ? null : createSender(session)

  for (const event of recording.events) {
    switch (event.kind) {
      case 'message': {
        const { message } = event
        if (message.role === 'assistant') {
          const at = newest ?? message.at ?? null
          const moment = { at, model: message.model ?? recording.model }
          const request = { visible, drafts, record, cleared, moment }
          yield requestStep(++requests, request, sender)
          // As in the gateway: usage shows how long the provider keeps its cache.
          if (message.usage !== undefined) session?.engine.usage(message.usage, moment.model)
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
        // A rewind may bring back what an earlier compaction removed.
        const inView = new Set(event.rewind === true ? event.keeps : visible)
        visible = event.keeps.filter((position) => inView.has(position))
        sender?.historyChanged()
        break
      }
      case 'cleared':
        for (const { message, item } of event.results) {
          const result = record.messages[message]?.items[item]
          // Agents leave results alone that are shorter than the mask.
          if (result !== undefined && result.text.length > clearedByAgent.length)
            cleared.add(result.index)
        }
        sender?.historyChanged()
        break
    }
  }
  return record
}

function requestStep(n: number, request: AgentRequest, sender: Sender | null): ReplayedRequest {
  const { visible, record, cleared, moment } = request
  const unchanged = [...showAll(visible, record, cleared)]
  const sent = sender?.send(request) ?? null
  const view = sent === null ? unchanged : sent.show(unchanged)
  return { kind: 'request', n, ...moment, view, unchanged, turn: sent?.turn ?? null }
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
        rendition: cleared.has(item.index) ? { how: 'masked', text: clearedByAgent } : null,
      }
    }
  }
}

interface Sent {
  readonly turn: Turn
  show(unchanged: readonly Shown[]): readonly Shown[]
}

/** A request as the agent would make it. */
interface AgentRequest {
  readonly visible: readonly number[]
  readonly drafts: readonly MessageDraft[]
  readonly record: SessionRecord
  readonly cleared: ReadonlySet<number>
  readonly moment: RequestMoment
}

interface Sender {
  send(request: AgentRequest): Sent
  /** The next request does not simply continue the last one. */
  historyChanged(): void
}

/** Sends requests as a client would: the whole history each time, as the agent shows it. */
function createSender(session: Session): Sender {
  let messages: MessageDraft[] = []
  return {
    historyChanged() {
      messages = []
    },
    send({ visible, drafts, record, cleared, moment }) {
      const since = session.anchorAt(messages.length)
      for (const position of visible.slice(messages.length)) {
        const items = record.messages[position]?.items ?? []
        messages.push(asCleared(drafts[position] as MessageDraft, items, cleared))
      }
      const turn = session.turn({ messages, since }, moment)
      const itemAt = (place: { message: number; item: number }): Item | undefined =>
        record.messages[visible[place.message] as number]?.items[place.item]
      return { turn, show: (unchanged) => [...showChanged(unchanged, turn, itemAt)] }
    },
  }
}

function* showChanged(
  unchanged: readonly Shown[],
  turn: Turn,
  itemAt: (place: { message: number; item: number }) => Item | undefined,
): Generator<Shown> {
  const changes = new Map(turn.changes.map((change) => [itemAt(change)?.index, change]))
  for (const shown of unchanged) {
    const change = changes.get(shown.item.index)
    // A note about a call stands in its result and is shown with the call.
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
      cleared.has(items[ordinal]?.index ?? -1) ? { ...item, text: clearedByAgent } : item,
    ),
  }
}
