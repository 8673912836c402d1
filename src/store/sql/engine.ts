import type { Kysely } from 'kysely'
import type { PalimpsestError } from '../../core/words/errors.ts'
import type { StoreProblem } from '../store.ts'
import type { Steps } from './steps.ts'

/**
 * One of the SQL engines, open. All that differs between them is here; queries are the same for both. Other parts that
 * keep tables beside the store's own use it with their own type of tables, and `migrate`.
 */
export interface SqlEngine<Tables> {
  readonly name: 'sqlite' | 'postgres'
  /** Where the tables stand, for statements that are written by hand; null where there is only one place. */
  readonly schema: string | null
  /** Builds queries; `read` and `write` run them. */
  readonly db: Kysely<Tables>
  /** A transaction that writes. In SQLite nobody else writes meanwhile; in PostgreSQL rows are locked as they are met. */
  write<Result>(work: () => Steps<Result>): Promise<Result>
  /** A transaction that sees one state of the store, whatever others write meanwhile. */
  read<Result>(work: () => Steps<Result>): Promise<Result>
  /** Within a transaction: holds a lock of this name until its end; `shared` ones do not exclude each other. */
  lock(name: string, mode: 'shared' | 'exclusive'): Steps<void>
  hasTable(name: string): Steps<boolean>
  /** What the store takes on disk, without room that it has already freed where the engine can tell. */
  bytes(): Promise<number>
  /** Gives freed room back to the file system, as far as the engine does that while others work. */
  reclaim(rewritten?: readonly string[]): Promise<void>
  /** What the engine itself finds wrong with its files. */
  problems(): Promise<readonly StoreProblem[]>
  /** The engine's error in our words; null for an error that is not the engine's. */
  explain(error: unknown): PalimpsestError | null
  close(): Promise<void>
}
