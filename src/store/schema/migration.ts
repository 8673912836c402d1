import { type Kysely, sql } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import type { Steps } from '../sql/steps.ts'

/** Tables that one opener needs. A file or a database may have those of one part or of both. */
export type SchemaPart = 'sessions' | 'memory'

/** One step from the schema before it. Never change a step that was released. */
export interface Migration {
  readonly part: SchemaPart
  readonly version: number
  up(db: Kysely<SchemaTable>, engine: Pick<SqlEngine<unknown>, 'name' | 'schema'>): Steps<void>
}

export interface SchemaTable {
  readonly palimpsest_schema: { readonly part: string; readonly version: number }
}

/** The types that the engines spell differently. */
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
  /** A number that is not given to another row when its own is deleted. */
  readonly onceOnlyId: ReturnType<typeof sql>
  /** Ends a table that is only looked up by its primary key. */
  readonly keyOnly: ReturnType<typeof sql>
}
