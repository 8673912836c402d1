import { createRecord, type SessionRecord } from '../core/record/record.ts'
import { noteOf, ownText } from '../core/render/input-note.ts'
import type { Place } from '../core/session/items.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Decision } from '../core/words/decision.ts'
import type { Item, Message } from '../core/words/item.ts'
import type { EpochEntry, LedgerEntry } from '../core/words/ledger.ts'
import { addToList } from '../core/words/lists.ts'
import { readReceipt, type StoredReceipt } from '../report/request-receipt.ts'
import { historiesOf, type LoadedSession, type Receipt } from '../store/index.ts'
import type { ReplayStep, Shown } from './replay.ts'
import { appendTo, type Work } from './work.ts'

/** A request of a stored session, as it was sent. */
export interface StoredRequest {
  /** From 1, over all histories of the session. */
  readonly n: number
  /** As the engine counts, from the beginning of its history. */
  readonly turn: number
  readonly at: number | null
  readonly model: string | null
  /** The decisions that were in effect, by the handle of their item. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** The epoch that it opened. */
  readonly epoch: EpochEntry | null
  /** The messages of its history. */
  readonly messages: readonly Message[]
  /** null when its answer has not ended, or when none was written. */
  readonly receipt: StoredReceipt | null
}

export interface StoredRequests {
  readonly record: SessionRecord
  readonly requests: readonly StoredRequest[]
  /** Every receipt of the session, in order, also of requests that are not in its ledger. */
  readonly receipts: readonly StoredReceipt[]
}

/** The requests of a stored session. The ledger says what was sent, even when the configuration has changed. */
export function* storedRequests(
  loaded: LoadedSession,
  stored: readonly Receipt[],
): Work<StoredRequests> {
  const record = createRecord()
  for (const history of historiesOf(loaded)) yield* appendTo(record, history)
  const receipts = stored.flatMap((each) => readReceipt(each) ?? [])
  const histories = historyFinder(record, loaded)
  const unused = new Set(receipts)
  const requests: StoredRequest[] = []
  for (const entries of [...loaded.earlierLedgers, loaded.ledger]) {
    for (const sent of sentIn(entries, receipts)) {
      yield
      const messages = histories.of(sent, requests.at(-1)?.messages ?? [])
      const last = requests.at(-1)
      // A ledger that another process continues begins with the last request of the one before.
      const isAgain = last?.messages.length === messages.length && last.at === sent.at
      if (messages.length === 0 || isAgain) continue
      const receipt = sent.receipt ?? nearest(unused, sent)
      if (receipt !== null) unused.delete(receipt)
      const { turn, at, model, decisions, epoch } = sent
      requests.push({
        n: requests.length + 1,
        turn,
        at,
        model,
        decisions,
        epoch,
        messages,
        receipt,
      })
    }
  }
  return { record, requests, receipts }
}

/** The steps of a stored session in the form that a replay has. */
export function* storedSteps({
  record,
  requests,
}: StoredRequests): Generator<ReplayStep, SessionRecord> {
  yield { kind: 'items', items: record.items }
  for (const request of requests) yield storedStep(request, record)
  return record
}

/** What one request of a stored session showed. */
export function storedStep(
  { n, at, model, messages, decisions, receipt, turn, epoch }: StoredRequest,
  record: SessionRecord,
): ReplayStep & { readonly kind: 'request' } {
  const unchanged = messages.flatMap(({ items }) =>
    items.flatMap((item): readonly Shown[] =>
      item.kind === 'marker' && item.opaque !== true ? [] : [{ item, rendition: null }],
    ),
  )
  const isBypassed = receipt !== null && receipt.bypass !== null
  const changes = isBypassed ? [] : changesIn(messages, decisions, record)
  const decided = new Map(changes.map((change) => [change.decision.handle, change]))
  const view = isBypassed
    ? unchanged
    : unchanged.flatMap(({ item }) => shownAs(item, decided.get(item.handle), record))
  return {
    kind: 'request',
    n,
    at,
    model,
    view,
    unchanged,
    turn: { changes, receipt: { turn, epoch, fault: null } },
  }
}

function shownAs(
  item: Item,
  change: ProjectedChange | undefined,
  record: SessionRecord,
): readonly Shown[] {
  if (change === undefined) return [{ item, rendition: null }]
  const { rendition, handle, reason, by } = change.decision
  const text = ownText(rendition)
  if (text === null) return []
  const note = noteOf(rendition)
  const replacing = by === null ? undefined : record.items[by]
  const shown = {
    how: rendition.how,
    text,
    ...(note === null ? {} : { note }),
    handle,
    reason,
    ...(replacing === undefined ? {} : { by: replacing.index }),
  }
  return [{ item, rendition: shown }]
}

function changesIn(
  messages: readonly Message[],
  decisions: ReadonlyMap<string, Decision>,
  record: SessionRecord,
): readonly ProjectedChange[] {
  const places = new Map<number, Place>()
  messages.forEach(({ items }, message) => {
    for (const [item, { index }] of items.entries()) places.set(index, { message, item })
  })
  return messages.flatMap(({ items }, message) =>
    items.flatMap((each, item): readonly ProjectedChange[] => {
      const decision = decisions.get(each.handle)
      if (decision === undefined) return []
      const replacing = decision.by === null ? undefined : record.items[decision.by]
      const by = replacing === undefined ? null : (places.get(replacing.index) ?? null)
      return [{ message, item, text: ownText(decision.rendition), decision, by }]
    }),
  )
}

interface LedgerRequest extends Omit<StoredRequest, 'n' | 'messages'> {
  /** How many messages it had, and the handle of its last item; null when only the turn is known. */
  readonly end: { readonly messages: number; readonly newest: string } | null
}

/** The requests in a ledger. Under `eager` it has no entries for them, so that receipts say which there were. */
function* sentIn(
  entries: readonly LedgerEntry[],
  receipts: readonly StoredReceipt[],
): Generator<LedgerRequest> {
  const decisions = new Map<string, Decision>()
  let last: LedgerRequest | null = null
  let epoch: EpochEntry | null = null
  for (const entry of entries) {
    if (entry.kind === 'decision') decisions.set(entry.handle, entry)
    else if (entry.kind === 'revert') decisions.delete(entry.handle)
    else if (entry.kind === 'epoch') epoch = entry
    else if (entry.kind === 'request') {
      const { turn, at, model, messages, newest } = entry
      const end = { messages, newest }
      const opened = epoch?.turn === turn ? epoch : null
      const sent = { turn, at, model, end, epoch: opened, receipt: null }
      // Usage adds the same entry once more.
      const isAgain: boolean =
        last?.end?.newest === newest && last.end.messages === messages && last.at === at
      if (isAgain) continue
      last = { ...sent, decisions: new Map(decisions) }
      yield last
    }
  }
  if (last !== null || decisions.size === 0) return
  for (const receipt of receipts) {
    const { turn, at, model } = receipt
    if (turn === null) continue
    const until = decisionsUntil(entries, turn)
    yield { turn, at, model, end: null, epoch: null, decisions: until, receipt }
  }
}

function decisionsUntil(
  entries: readonly LedgerEntry[],
  turn: number,
): ReadonlyMap<string, Decision> {
  const decisions = new Map<string, Decision>()
  for (const entry of entries) {
    if (entry.turn > turn) continue
    if (entry.kind === 'decision') decisions.set(entry.handle, entry)
    if (entry.kind === 'revert') decisions.delete(entry.handle)
  }
  return decisions
}

function nearest(
  unused: ReadonlySet<StoredReceipt>,
  { turn, at }: LedgerRequest,
): StoredReceipt | null {
  let best: StoredReceipt | null = null
  for (const receipt of unused) {
    if (receipt.turn !== turn) continue
    if (best === null || distance(receipt, at) < distance(best, at)) best = receipt
  }
  return best
}

function distance(receipt: StoredReceipt, at: number | null): number {
  return receipt.at === null || at === null ? 0 : Math.abs(receipt.at - at)
}

interface HistoryFinder {
  /**
   * The messages of a request; empty when they are not in the record. Histories may have equal ends: that which continues
   * the request before is meant, or else the first that was recorded after it.
   */
  of(sent: LedgerRequest, before: readonly Message[]): readonly Message[]
}

function historyFinder(record: SessionRecord, { messages, head }: LoadedSession): HistoryFinder {
  const depths: number[] = []
  messages.forEach(({ previous }, at) => {
    depths[at] = previous === null ? 1 : (depths[previous] ?? 0) + 1
  })
  const byEnd = new Map<string, number[]>()
  messages.forEach(({ handles }, at) => {
    addToList(byEnd, `${depths[at]} ${handles.at(-1) ?? ''}`, at)
  })
  const pathTo = (end: number): readonly Message[] => {
    const path: Message[] = []
    for (let at: number | null = end; at !== null; at = messages[at]?.previous ?? null) {
      const message = record.messages[at]
      if (message === undefined) return []
      path.push(message)
    }
    return path.reverse()
  }
  const newest = head === null ? [] : pathTo(head)
  return {
    of({ end, turn }, before) {
      if (end !== null) {
        const paths = (byEnd.get(`${end.messages} ${end.newest}`) ?? []).map(pathTo)
        const last = before.at(-1)
        const isNext = (path: readonly Message[]): boolean =>
          last === undefined || path[before.length - 1] === last
        const isLater = (path: readonly Message[]): boolean =>
          (path.at(-1)?.index ?? -1) > (last?.index ?? -1)
        return paths.find(isNext) ?? paths.find(isLater) ?? paths[0] ?? []
      }
      let answers = 0
      const stop = newest.findIndex(({ role }) => role === 'assistant' && ++answers === turn)
      return stop < 0 ? newest : newest.slice(0, stop)
    },
  }
}
