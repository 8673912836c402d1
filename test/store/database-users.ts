import type { PostgresServer } from './postgres.ts'

/** A way in which an installation may let a program use PostgreSQL. */
export interface DatabaseUser {
  readonly name: string
  /** Gives URLs of empty places: databases of their own, or schemas of one, which takes less time. */
  places(server: PostgresServer): () => Promise<string>
}

const guest = '"App-User with dash"'

/** Differently named users with different rights, and search paths that find nothing or the wrong thing. */
export const databaseUsers: readonly DatabaseUser[] = [
  {
    name: 'the superuser postgres',
    places: (server) => schemasIn(once(() => server.database())),
  },
  {
    name: 'gateway, the owner of the database, with an empty search_path',
    places: (server) => ownedPlaces(server, (url) => url),
  },
  {
    name: 'App-User with dash, who may create no schema and has some, with other tables in the way',
    places(server) {
      const database = once(async () => {
        await server.role(guest)
        const url = await server.database()
        await server.query(`revoke all on database ${nameOf(url)} from public`)
        await server.query(`grant connect on database ${nameOf(url)} to ${guest}`)
        await server.query(decoys, url)
        await server.query(`alter database ${nameOf(url)} set search_path = decoy, pg_catalog`)
        return url
      })
      let made = 0
      return async () => {
        const url = await database()
        const schema = `Team's "Store" ${++made}`
        const quoted = `"${schema.replaceAll('"', '""')}"`
        await server.query(`create schema ${quoted} authorization ${guest}`, url)
        return `${server.as('App-User with dash', url)}?schema=${encodeURIComponent(schema)}`
      }
    },
  },
]

/** Places of gateway, who makes the schemas. */
export function ownedPlaces(
  server: PostgresServer,
  through: (url: string) => string,
): () => Promise<string> {
  const database = once(async () => {
    await server.role('gateway')
    const url = await server.database('owner gateway')
    await server.query(`alter role gateway in database ${nameOf(url)} set search_path = ''`)
    return through(server.as('gateway', url))
  })
  return schemasIn(database)
}

/** The usual schema of a database first, then others by name. */
function schemasIn(database: () => Promise<string>): () => Promise<string> {
  let made = 0
  return async () => {
    const url = await database()
    return made++ === 0 ? url : `${url}?schema=store_${made}`
  }
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Tables and functions of our names in front of the real ones. */
const decoys = `
  create schema decoy;
  grant usage on schema decoy to public;
  ${[
    'palimpsest_schema',
    'sessions',
    'blocks',
    'originals',
    'items',
    'statistics',
    'memory_events',
    'memory_log',
    'pg_class',
    'pg_tables',
    'pg_namespace',
  ]
    .map((table) => `create table decoy.${table} (part text, version integer)`)
    .join(';')};
  create function decoy.length(bytea) returns integer language sql as 'select -1';
  create function decoy.pg_total_relation_size(oid) returns bigint language sql as 'select -1::bigint';
`

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}
