import type { ItemDraft, MessageDraft } from '../core/words/item.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { Work } from '../core/words/work.ts'
import type { Team } from './team.ts'

/** Identifies a session. The same id with another credential is another session. */
export interface SessionKey {
  readonly id: string
  /** The session that this one was forked from or started by. */
  readonly parent?: string | null
  /** Where it came from: `gateway`, `opencode`, … */
  readonly origin: string
  /** The folder its agent works in, when known. */
  readonly folder?: string | null
  /** A salted hash of the credential that it was opened with; never the credential. */
  readonly credential?: string
  /** The name of the token that it is opened with first. It belongs to the holders of tokens of that name. */
  readonly owner?: string
}

export interface StoredSession {
  /** The session's number in this store only. */
  readonly number: number
  readonly id: string
  readonly parent: string | null
  readonly origin: string
  /** null when unknown. */
  readonly folder: string | null
  readonly credential: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly usedAt: number
}

/** A message of the record with its position in the tree of histories. */
export interface StoredMessage {
  /** The message before it in its history; null for the first. */
  readonly previous: number | null
  readonly draft: MessageDraft
  /** The handles of its items, in their order. */
  readonly handles: readonly string[]
}

/** A JSON object about a request: what was sent, its tokens, its cost. */
export type Receipt = Readonly<Record<string, unknown>>

/** How much of a session is known. An edited or forked history starts a new ledger; only the newest ledger grows. */
export interface Extent {
  /** Messages in the record, of all its histories. */
  readonly messages: number
  /** Which ledger, from 0. */
  readonly ledger: number
  /** Entries in that ledger. */
  readonly entries: number
}

/** The additions of one turn to a session, written in one transaction. */
export interface Addition {
  /** The extent that the caller knew when it decided. `ledger` may be one more than in the store. */
  readonly expected: Extent
  readonly messages?: readonly StoredMessage[]
  readonly entries?: readonly LedgerEntry[]
  readonly receipts?: readonly Receipt[]
  /** Added to the session's statistics of the same names. */
  readonly statistics?: Readonly<Record<string, number>>
  /** The last message of the newest request's history; without it, the last of `messages`. */
  readonly head?: number
}

export type AppendOutcome =
  | { readonly kind: 'done'; readonly extent: Extent }
  /** Another process wrote first, so nothing was written. Returns what the caller has not seen. */
  | {
      readonly kind: 'behind'
      readonly extent: Extent
      /** The messages after those that the caller expected. */
      readonly messages: readonly StoredMessage[]
      /** The entries after those that the caller expected, or all of a ledger that it did not know. */
      readonly entries: readonly LedgerEntry[]
    }
  /** The session was removed, or has less than the caller expected: open and append it again. */
  | { readonly kind: 'gone' }

export interface LoadedSession {
  readonly session: StoredSession
  readonly extent: Extent
  /** In the order in which they were recorded; a message's position is its index in the record. */
  readonly messages: readonly StoredMessage[]
  /** The newest ledger: the decisions about the history of the last request. */
  readonly ledger: readonly LedgerEntry[]
  readonly earlierLedgers: readonly (readonly LedgerEntry[])[]
  /** The last message of the last request's history. */
  readonly head: number | null
  readonly statistics: Readonly<Record<string, number>>
}

export type FoundOriginal =
  | { readonly kind: 'found'; readonly text: string; readonly session: StoredSession }
  | { readonly kind: 'absent' }
  /** The handle names different texts in these sessions. */
  | { readonly kind: 'ambiguous'; readonly sessions: readonly StoredSession[] }

export interface SessionSummary extends StoredSession {
  readonly messages: number
  readonly items: number
  /** Length of all its texts. */
  readonly characters: number
}

export interface GcLimits {
  /** Removes sessions last used before this time, in milliseconds since 1970. */
  readonly usedBefore?: number
  /** Removes the least recently used sessions until the store is not larger than this. */
  readonly largestBytes?: number
  /** Removes nothing. */
  readonly dryRun?: boolean
}

export interface GcOutcome {
  readonly removed: readonly StoredSession[]
  /** Originals that only the removed sessions had. */
  readonly originals: number
  readonly bytesBefore: number
  /** An estimate after a dry run. */
  readonly bytesAfter: number
}

/** The sessions of an owner; null: those without one. */
export interface SessionsOf {
  readonly owner: string | null
}

/** A problem found in the store. */
export interface StoreProblem {
  readonly where: string
  readonly message: string
}

export interface ImportOutcome {
  readonly imported: number
  /** Sessions that exist already; they are not changed. */
  readonly skipped: readonly string[]
}

/** The position of a text in the record. */
export interface RecordedPlace {
  readonly message: MessageDraft
  readonly item: ItemDraft
}

/** Edits a text. Texts in the ledger and in receipts have no position. */
export type TextEdit = (text: string, place?: RecordedPlace) => string

/**
 * Persistent sessions. Every method rejects with a `PalimpsestError` whose code starts with `store-` when the database
 * fails. An acknowledged `append` survives a killed process.
 *
 * @example
 * const store = await openStore({ kind: 'sqlite', path })
 * const session = await store.openSession({ id, origin: 'gateway' })
 * const { ledger } = await store.load(session)
 */
export interface Store {
  readonly engine: 'memory' | 'sqlite' | 'postgres'
  /** How often its file was lost while it was open, and another one took its place; undefined where that cannot happen. */
  readonly renewals?: () => number
  /** Finds or creates a session and marks it as used. */
  openSession(key: SessionKey): Promise<StoredSession>
  /** Finds a session without writing; null when there is none. */
  findSession(key: Pick<SessionKey, 'id' | 'credential'>): Promise<StoredSession | null>
  /**
   * The sessions with items of these handles: most items first, then last used. At most `most`, of all sessions or of those of
   * an owner (null: those without one).
   */
  sessionsWith(
    handles: readonly string[],
    most: number,
    of?: SessionsOf,
  ): Promise<readonly StoredSession[]>
  append(session: StoredSession, addition: Addition): Promise<AppendOutcome>
  /** Rejects with `store-absent` when the session was removed. */
  load(session: StoredSession): Promise<LoadedSession>
  receipts(session: StoredSession): Promise<readonly Receipt[]>
  /** The same, for a process that serves others: the long part of reading a large session can wait at each step. */
  readonly inSteps: {
    load(session: StoredSession): Promise<Work<LoadedSession>>
    receipts(session: StoredSession): Promise<Work<readonly Receipt[]>>
  }
  /** The text of a handle, in one session, in some, or in any. */
  original(handle: string, among?: StoredSession | readonly StoredSession[]): Promise<FoundOriginal>
  /** All sessions, or those of an owner, the last used first. */
  sessions(of?: SessionsOf): Promise<readonly SessionSummary[]>
  /** Removes a session and its unshared texts; false when there is none. */
  forget(session: StoredSession): Promise<boolean>
  /** Edits every text of a session: in its record, in order, and in its ledger and receipts. False when none changes. */
  redact(session: StoredSession, edit: TextEdit): Promise<boolean>
  gc(limits: GcLimits): Promise<GcOutcome>
  /** Reads the whole store and returns every problem. */
  check(): Promise<readonly StoreProblem[]>
  /** All sessions as JSON Lines, for another store. */
  exportLines(): AsyncIterable<string>
  /** Imports the lines of `exportLines`. Rejects with `unreadable` at the first bad line; earlier sessions stay. */
  importLines(lines: AsyncIterable<string> | Iterable<string>): Promise<ImportOutcome>
  /** What gateways of one store share besides sessions. */
  readonly team: Team
  close(): Promise<void>
}
