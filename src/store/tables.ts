import type { Generated } from 'kysely'

export interface SessionsTable {
  readonly number: Generated<number>
  readonly id: string
  readonly credential: string
  readonly parent: string | null
  readonly origin: string
  readonly folder: string | null
  readonly created_at: number
  readonly used_at: number
  /** Counts, so that an append reads one row only. */
  readonly messages: Generated<number>
  readonly ledger: Generated<number>
  readonly entries: Generated<number>
  readonly receipts: Generated<number>
  readonly head: number | null
  /** The newest block. A process may continue its chain only from this block. */
  readonly last_block: number | null
}

/** The content of one append. */
export interface BlocksTable {
  readonly id: Generated<number>
  readonly session: number
  /** The first block of its chain; null for the first block itself. */
  readonly chain: number | null
  /** Where the JSON of messages, entries and receipts starts, after the texts. */
  readonly body_start: number
  /** The session's extent after this block. */
  readonly messages: number
  readonly ledger: number
  readonly entries: number
  readonly data: Uint8Array
}

/** A text, stored once: its position in a block. */
export interface OriginalsTable {
  readonly id: Generated<number>
  readonly hash: Uint8Array
  readonly block: number
  readonly start: number
  readonly bytes: number
  /** 0: UTF-8, 1: UTF-16. */
  readonly form: number
  readonly characters: number
}

export interface ItemsTable {
  readonly session: number
  readonly message: number
  readonly ordinal: number
  readonly handle: string
  readonly original: number
}

export interface StatisticsTable {
  readonly session: number
  readonly name: string
  readonly value: number
}

/** The memory events as JSON, in order. */
export interface MemoryEventsTable {
  readonly sequence: Generated<number>
  readonly body: string
}

/** One row: how often the events were rewritten. */
export interface MemoryLogTable {
  readonly only: number
  readonly generation: number
}

/** The same for those who have a named token. */
export interface OwnMemoryEventsTable extends MemoryEventsTable {
  readonly owner: string
}

/** No row: the events of the owner were never rewritten. */
export interface OwnMemoryLogTable {
  readonly owner: string
  readonly generation: number
}

export interface MemoryTables {
  readonly memory_events: MemoryEventsTable
  readonly memory_log: MemoryLogTable
  readonly own_memory_events: OwnMemoryEventsTable
  readonly own_memory_log: OwnMemoryLogTable
}

/** The newest schema. The migrations to it are in `schema/`. */
export interface StoreTables {
  readonly sessions: SessionsTable
  readonly blocks: BlocksTable
  readonly originals: OriginalsTable
  readonly items: ItemsTable
  readonly statistics: StatisticsTable
  readonly tokens: TokensTable
  readonly owners: OwnersTable
  readonly claims: ClaimsTable
}

export interface TokensTable {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
}

export interface OwnersTable {
  readonly session: number
  readonly owner: string
}

export interface ClaimsTable {
  readonly job: string
  readonly until: number
}
