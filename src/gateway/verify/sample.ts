import type { ProjectedChange } from '../../core/session/project.ts'
import type { LedgerEntry } from '../../core/words/ledger.ts'
import type { Body, BodyFormatName, RequestRead } from '../../formats/format.ts'
import { lastRequestIn } from '../../session/session.ts'
import type { StoredSession } from '../../store/store.ts'
import type { IncomingRequest } from '../decide.ts'
import type { Decided } from '../decided.ts'

/** The promises that can be checked while requests are served; docs/reliability.md says how. */
export const promiseNames = [
  'record',
  'same-bytes',
  'append-only',
  'valid',
  'restorable',
  'only-decided',
  'never-larger',
  'never-more-expensive',
  'first-sight',
  'pointers',
] as const

export type PromiseName = (typeof promiseNames)[number]

export interface Breach {
  readonly promise: PromiseName
  /** What was found, without any text of the conversation. */
  readonly message: string
}

/** A request as it came and as it was sent, with what was decided about its session. */
export interface Sample {
  readonly format: BodyFormatName
  readonly model: string | null
  readonly original: RequestRead<Body>
  /** Before memory was added. */
  readonly sent: Body
  /** The changes that were applied. */
  readonly changes: readonly ProjectedChange[]
  readonly session: StoredSession
  readonly cwd: string | null
  /** The ledger that the request was decided with. */
  readonly ledger: readonly LedgerEntry[]
  /** False when the store does not have what was decided, or pruning is paused. */
  readonly isStored: boolean
}

/** null for a request that is not a turn, that was sent unchanged, or whose session has continued since. */
export function sampleOf({ route, body }: IncomingRequest, decided: Decided): Sample | null {
  const { turn, receipt } = decided
  const branch = turn?.branch
  if (turn == null || branch == null || receipt.bypass !== null) return null
  const { forwarded, stored, engine } = branch
  if (forwarded === null || stored === null || forwarded.original.source !== body) return null
  const ledger = branch.earlier ?? engine.ledger.entries
  if (lastRequestIn(ledger)?.turn !== turn.turn) return null
  return {
    format: route.format,
    model: turn.model,
    original: forwarded.original,
    sent: forwarded.sent.source,
    changes: forwarded.changes.filter((change) => !forwarded.refused.has(change)),
    session: stored,
    cwd: branch.cwd,
    ledger: ledger.slice(),
    isStored: receipt.unsaved === undefined && receipt.isPaused !== true,
  }
}
