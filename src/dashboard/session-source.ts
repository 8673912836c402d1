import type { SessionRecord } from '../core/record/record.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { Item } from '../core/words/item.ts'
import type { Recording } from '../recordings/recording.ts'
import { type ReplayStep, type Shown, textOf } from '../replay/replay.ts'
import { storedRecording } from '../replay/stored-recording.ts'
import { storedRequests, storedSteps } from '../replay/stored-steps.ts'
import type { Work } from '../replay/work.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import type { LoadedSession, Receipt } from '../store/index.ts'

/** A session for display, with its requests as they were sent. */
export interface SessionSource {
  /** Identifies it in addresses. */
  readonly key: string
  readonly id: string
  readonly parent: string | null
  /** `gateway`, `opencode`, or `recording` with the format of a recording that was loaded. */
  readonly origin: string
  readonly folder: string | null
  readonly createdAt: number
  readonly usedAt: number
  /** As its agent sent it, with the originals. */
  readonly recording: Recording
  /** In order; those of a recording that was loaded have no usage. */
  readonly receipts: readonly StoredReceipt[]
  /** Handles of the items that a person or the agent wants in full. */
  readonly reverted: ReadonlySet<string>
  /** All messages. */
  record(): SessionRecord
  /** The receipt of a request, from 1. */
  receiptOf(request: number): StoredReceipt | null
  /** Its requests, as they were sent. */
  open(): OpenedSource
}

export interface OpenedSource {
  readonly steps: Generator<ReplayStep, SessionRecord>
  /** The item that a decision names by its index. */
  decided(index: number): Item | undefined
}

/** A session of the store, as its requests were sent. */
export function* storedSource(
  loaded: LoadedSession,
  stored: readonly Receipt[],
): Work<SessionSource> {
  const { session } = loaded
  const found = yield* storedRequests(loaded, stored)
  const recording = yield* storedRecording(found, session)
  const { id, parent, origin, folder, createdAt, usedAt, number } = session
  const reverts = loaded.ledger.flatMap((each) =>
    each.kind === 'revert' && each.again !== true ? [each.handle] : [],
  )
  return {
    ...{ key: String(number), id, parent, origin, folder, createdAt, usedAt },
    recording,
    receipts: found.receipts,
    reverted: new Set(reverts),
    record: () => found.record,
    receiptOf: (request) => found.requests[request - 1]?.receipt ?? null,
    open: () => ({ steps: storedSteps(found), decided: (index) => found.record.items[index] }),
  }
}

/** True for a recording that was loaded into the store: nothing of it was sent. */
export function isRecorded({ origin }: Pick<SessionSource, 'origin'>): boolean {
  return origin.startsWith('recording')
}

/** Passes each step to `look`. */
export function* watched(
  steps: Generator<ReplayStep, SessionRecord>,
  look: (step: ReplayStep) => void,
): Generator<ReplayStep, SessionRecord> {
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    look(step.value)
    yield step.value
  }
  return step.value
}

/** Estimated tokens of an item as a request shows it. */
export function shownTokens({ item, rendition }: Shown): number {
  return rendition === null ? item.tokens : estimateTokens(textOf(rendition))
}
