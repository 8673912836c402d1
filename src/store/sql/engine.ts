import type { Kysely } from 'kysely'
import type { PalimpsestError } from '../../core/words/errors.ts'
import type { StoreProblem } from '../store.ts'
import type { Steps } from './steps.ts'

/** An open SQL database. All differences between the engines are here; queries are the same for both. */
export interface SqlEngine<Tables> {
  readonly name: 'sqlite' | 'postgres'
  /** The schema of the tables, for hand-written SQL; null in SQLite. */
  readonly schema: string | null
  /** Builds queries; `read` and `write` run them. */
  readonly db: Kysely<Tables>
  /** A writing transaction. SQLite locks the file, PostgreSQL locks rows as they are read. */
  write<Result>(work: () => Steps<Result>): Promise<Result>
  /** A reading transaction on one snapshot. */
  read<Result>(work: () => Steps<Result>): Promise<Result>
  /** Within a transaction: takes a named lock until its end. `shared` locks do not exclude each other. */
  lock(name: string, mode: 'shared' | 'exclusive'): Steps<void>
  hasTable(name: string): Steps<boolean>
  /** The size of the store on disk, without free pages where the engine can tell. */
  bytes(): Promise<number>
  /** Returns free space to the file system, as far as that is possible while others use the store. */
  reclaim(rewritten?: readonly string[]): Promise<void>
  /** Problems that the engine finds in its files. */
  problems(): Promise<readonly StoreProblem[]>
  /** The engine's error as a `PalimpsestError`; null for other errors. */
  explain(error: unknown): PalimpsestError | null
  close(): Promise<void>
}
