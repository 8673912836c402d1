import type { ItemDraft, MessageDraft } from '../core/words/item.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'

/** Who a session is: the same id under another credential is another session. */
export interface SessionKey {
  readonly id: string
  /** The session that this one was forked from or started by. */
  readonly parent?: string | null
  /** The door through which it came: `gateway`, `opencode`, … */
  readonly origin: string
  /** The folder that its agent works in, where that is known. */
  readonly folder?: string | null
  /** A salted hash of the credential that it was opened with; never the credential. */
  readonly credential?: string
}

export interface StoredSession {
  /** Names the session in this store; other stores number theirs differently. */
  readonly number: number
  readonly id: string
  readonly parent: string | null
  readonly origin: string
  /** null when nobody said it. */
  readonly folder: string | null
  readonly credential: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly usedAt: number
}

/** A message of the record with its place in the tree of histories. */
export interface StoredMessage {
  /** The message before it in its history; null at the beginning of one. */
  readonly previous: number | null
  readonly draft: MessageDraft
  /** The handles of its items, in their order. */
  readonly handles: readonly string[]
}

/** A JSON object that the store keeps as it is: what was sent, counted, paid. */
export type Receipt = Readonly<Record<string, unknown>>

/**
 * How much of a session somebody knows. A history that was edited or forked starts a ledger anew, so that a session has
 * one or more of them; only the newest grows.
 */
export interface Extent {
  /** Messages in the record, of all its histories. */
  readonly messages: number
  /** Which ledger, from 0. */
  readonly ledger: number
  /** Entries in that ledger. */
  readonly entries: number
}

/** What one turn adds to a session. All of it is written, or nothing. */
export interface Addition {
  /** What the caller knew of the session when it decided. `ledger` may be one more than what is stored. */
  readonly expected: Extent
  readonly messages?: readonly StoredMessage[]
  readonly entries?: readonly LedgerEntry[]
  readonly receipts?: readonly Receipt[]
  /** Added to the session's figures of the same names. */
  readonly statistics?: Readonly<Record<string, number>>
  /** The last message of the newest request's history; without it, the last of `messages`. */
  readonly head?: number
}

export type AppendOutcome =
  | { readonly kind: 'done'; readonly extent: Extent }
  /** Another process was first, and nothing was written: here is what the caller has not seen. */
  | {
      readonly kind: 'behind'
      readonly extent: Extent
      /** The messages after those that the caller expected. */
      readonly messages: readonly StoredMessage[]
      /** The entries after those that the caller expected, or all of a ledger that it did not know. */
      readonly entries: readonly LedgerEntry[]
    }
  /** The session was removed since it was opened, or holds less than the caller expected: open and append it anew. */
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
  /** Sessions that were last used before this moment go, in milliseconds since 1970. */
  readonly usedBefore?: number
  /** The longest unused sessions go until the store is not larger. */
  readonly largestBytes?: number
  /** Only says what would go. */
  readonly dryRun?: boolean
}

export interface GcOutcome {
  readonly removed: readonly StoredSession[]
  /** Originals that only the removed sessions had. */
  readonly originals: number
  readonly bytesBefore: number
  /** After a dry run an estimate. */
  readonly bytesAfter: number
}

/** Something in the store that should not be. */
export interface StoreProblem {
  readonly where: string
  readonly message: string
}

export interface ImportOutcome {
  readonly imported: number
  /** Sessions that the store had already; they stay as they are. */
  readonly skipped: readonly string[]
}

/** Where a text of the record stands. */
export interface RecordedPlace {
  readonly message: MessageDraft
  readonly item: ItemDraft
}

/** What becomes of a text. What was decided and noted about a session stands at no place of its record. */
export type TextEdit = (text: string, place?: RecordedPlace) => string

/**
 * Sessions that outlive the process. Every method rejects with a `PalimpsestError` whose code starts with `store-` when
 * the engine below fails; whoever uses it can go on without. What `append` has acknowledged survives a killed process.
 *
 * @example
 * const store = await openStore({ kind: 'sqlite', path })
 * const session = await store.openSession({ id, origin: 'gateway' })
 * const { ledger } = await store.load(session)
 */
export interface Store {
  readonly engine: 'memory' | 'sqlite' | 'postgres'
  /** Finds or makes a session, and marks it as used. */
  openSession(key: SessionKey): Promise<StoredSession>
  /** Finds a session, makes none and marks none as used; null when it is not there. Reads alone. */
  findSession(key: Pick<SessionKey, 'id' | 'credential'>): Promise<StoredSession | null>
  /** The sessions that have items of these handles: those with the most first, then the last used. At most `most`. */
  sessionsWith(handles: readonly string[], most: number): Promise<readonly StoredSession[]>
  append(session: StoredSession, addition: Addition): Promise<AppendOutcome>
  /** Rejects with `store-absent` when the session was removed. */
  load(session: StoredSession): Promise<LoadedSession>
  receipts(session: StoredSession): Promise<readonly Receipt[]>
  /** The text that a handle names, in one session, in some, or in any. */
  original(handle: string, among?: StoredSession | readonly StoredSession[]): Promise<FoundOriginal>
  /** All sessions, the last used first. */
  sessions(): Promise<readonly SessionSummary[]>
  /** Removes a session and what only it had; false when it is not there. */
  forget(session: StoredSession): Promise<boolean>
  /**
   * Edits every text of a session, in its record, in the order in which it was said, and in what was decided and noted
   * about it; false when none changes.
   */
  redact(session: StoredSession, edit: TextEdit): Promise<boolean>
  gc(limits: GcLimits): Promise<GcOutcome>
  /** Everything that is wrong with what is stored; reads all of it. */
  check(): Promise<readonly StoreProblem[]>
  /** All sessions as lines of JSON, for another store or another engine. */
  exportLines(): AsyncIterable<string>
  /** Takes what `exportLines` gave. Rejects with `unreadable` at the first line that is not that; sessions before it stay. */
  importLines(lines: AsyncIterable<string> | Iterable<string>): Promise<ImportOutcome>
  close(): Promise<void>
}
