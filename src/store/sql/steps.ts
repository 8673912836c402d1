import {
  type Compilable,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * Work on a database: a generator that yields statements and receives their rows. It runs synchronously on SQLite and
 * awaits each statement on PostgreSQL.
 */
export type Steps<Result> = Generator<Statement, Result, readonly unknown[]>

/** One statement, and its rows. */
export function* rowsOf<Row>(query: Compilable<Row>): Steps<readonly Row[]> {
  return (yield query.compile()) as readonly Row[]
}

export function* firstOf<Row>(query: Compilable<Row>): Steps<Row | undefined> {
  return (yield* rowsOf(query))[0]
}

export function runNow<Result>(
  steps: Steps<Result>,
  execute: (statement: Statement) => readonly unknown[],
): Result {
  let step = steps.next()
  while (step.done !== true) {
    let rows: readonly unknown[]
    try {
      rows = execute(step.value)
    } catch (error) {
      step = steps.throw(error)
      continue
    }
    step = steps.next(rows)
  }
  return step.value
}

export async function runWaiting<Result>(
  steps: Steps<Result>,
  execute: (statement: Statement) => Promise<readonly unknown[]>,
): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    let rows: readonly unknown[]
    try {
      rows = await execute(step.value)
    } catch (error) {
      step = steps.throw(error)
      continue
    }
    step = steps.next(rows)
  }
  return step.value
}

/** Builds the queries of one engine and runs none. `schema` is where PostgreSQL has the tables. */
export function queriesFor<Tables>(
  engine: 'sqlite' | 'postgres',
  schema: string | null = null,
): Kysely<Tables> {
  const createDriver = (): DummyDriver => new DummyDriver()
  const dialect: Dialect =
    engine === 'sqlite'
      ? {
          createDriver,
          createAdapter: () => new SqliteAdapter(),
          createIntrospector: (db) => new SqliteIntrospector(db),
          createQueryCompiler: () => new SqliteQueryCompiler(),
        }
      : {
          createDriver,
          createAdapter: () => new PostgresAdapter(),
          createIntrospector: (db) => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        }
  const db = new Kysely<Tables>({ dialect })
  return schema === null ? db : db.withSchema(schema)
}
