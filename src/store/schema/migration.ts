import { type Kysely, sql } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import type { Steps } from '../sql/steps.ts'

/** A group of tables with its own version. `team` refers to `sessions`. */
export type SchemaPart = 'sessions' | 'memory' | 'team' | 'own memory'

/** One step to the next schema version. Never change a released step. */
export interface Migration {
  readonly part: SchemaPart
  readonly version: number
  /**
   * The oldest version whose programs may open the store after this step, or continue to use it; `version` when left out. With it,
   * gateways of two versions serve together during an upgrade.
   */
  readonly worksFrom?: number
  up(db: Kysely<SchemaTable>, engine: Pick<SqlEngine<unknown>, 'name' | 'schema'>): Steps<void>
}

export interface SchemaTable {
  readonly palimpsest_schema: { readonly part: string; readonly version: number }
}

/** Column types that differ between the engines. */
export function columnTypes(engine: 'sqlite' | 'postgres'): ColumnTypes {
  return engine === 'sqlite'
    ? {
        bytes: 'blob',
        key: sql`integer`,
        id: sql`integer primary key`,
        onceOnlyId: sql`integer primary key autoincrement`,
        keyOnly: sql`without rowid`,
      }
    : {
        bytes: 'bytea',
        key: sql`bigint`,
        id: sql`bigint generated always as identity primary key`,
        onceOnlyId: sql`bigint generated always as identity primary key`,
        keyOnly: sql``,
      }
}

export interface ColumnTypes {
  readonly bytes: 'blob' | 'bytea'
  readonly key: ReturnType<typeof sql>
  readonly id: ReturnType<typeof sql>
  /** A number that is never reused after its row is deleted. */
  readonly onceOnlyId: ReturnType<typeof sql>
  /** The end of `create table` for a table that is only looked up by its primary key. */
  readonly keyOnly: ReturnType<typeof sql>
}
