import { errorMessage, PalimpsestError, type StoreErrorCode } from '../../core/words/errors.ts'

/** The store's address and user, for messages. */
export interface PostgresPlace {
  /** Without a password. */
  readonly url: string
  readonly schema: string
  readonly user: string
}

interface Explanation {
  readonly code: StoreErrorCode
  readonly says: string
}

const lost: Explanation = {
  code: 'store-unreachable',
  says: 'the connection failed; check host and port, and that the server runs',
}

/** By SQLSTATE or its class: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const byState: Readonly<Record<string, Explanation>> = {
  '08': lost,
  '25006': { code: 'store-read-only', says: 'the server is read-only' },
  '28': {
    code: 'store-unreachable',
    says: 'the server refused the user; check user and password, and add ?sslmode=require if the server requires encryption',
  },
  '3D': { code: 'store-unreachable', says: 'the database does not exist; create it first' },
  '40': { code: 'store-locked', says: 'it conflicted with another process; try again' },
  '53': { code: 'store-unreachable', says: 'the server has no resources left; try again' },
  '53100': { code: 'store-full', says: 'the disk of the server is full' },
  '55P03': { code: 'store-locked', says: 'another process held the lock for too long; try again' },
  '57': { code: 'store-unreachable', says: 'the server is starting or shutting down; try again' },
  XX: { code: 'store-corrupt', says: 'the server reports that its data is damaged' },
}

const mayNotWrite = '42501'
const lostMessages = /connection terminated|timeout|connection ended|not queryable|socket/i

export function explainPostgresError(error: unknown, place: PostgresPlace): PalimpsestError | null {
  if (PalimpsestError.is(error)) return error
  const cause = innermost(error)
  if (!(cause instanceof Error)) return null
  const state = stateOf(cause)
  const found =
    state === null
      ? isLost(cause)
        ? lost
        : null
      : state === mayNotWrite
        ? refused(place)
        : (byState[state] ?? byState[state.slice(0, 2)] ?? failed)
  if (found === null) return null
  return new PalimpsestError(
    found.code,
    `the store ${place.url}: ${found.says} (${cause.message})`,
    { cause: error },
  )
}

/** An error before the connection is open is a connection error. */
export function explainConnectError(error: unknown, place: PostgresPlace): PalimpsestError {
  const explained = explainPostgresError(error, place)
  if (explained !== null && explained.code !== 'store-failed') return explained
  const cause = innermost(error)
  const reason = errorMessage(cause)
  return new PalimpsestError(
    'store-unreachable',
    `the store ${place.url}: ${lost.says} (${reason})`,
    {
      cause: error,
    },
  )
}

export function isRefused(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === mayNotWrite
}

/** For a user who does not own the table. */
export function rewriteRefused(
  place: PostgresPlace,
  table: string,
  cause: unknown,
): PalimpsestError {
  return new PalimpsestError(
    'store-read-only',
    `the store ${place.url}: the content is deleted, but the server's files still contain it; have the owner of the table run \`vacuum full ${quoted(place.schema)}.${quoted(table)}\``,
    { cause },
  )
}

/** For a user who may not create the schema. */
export function schemaRefused(
  { url, schema, user }: PostgresPlace,
  cause: unknown,
): PalimpsestError {
  return new PalimpsestError(
    'store-read-only',
    `the store ${url}: ${quoted(user)} may not create the schema ${quoted(schema)}; have an administrator run \`create schema ${quoted(schema)} authorization ${quoted(user)}\`, or name one of your own schemas with ?schema=NAME`,
    { cause },
  )
}

function refused({ schema, user }: PostgresPlace): Explanation {
  const [name, to] = [quoted(schema), quoted(user)]
  return {
    code: 'store-read-only',
    says: `${to} lacks rights in the schema ${name}; have its owner run \`grant usage, create on schema ${name} to ${to}; grant select, insert, update, delete on all tables in schema ${name} to ${to}\``,
  }
}

const failed: Explanation = { code: 'store-failed', says: 'PostgreSQL failed' }

/** Quotes an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A host with several addresses gives one error for each address. */
function innermost(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error
}

/** Server errors have a severity; socket errors may have a code of the same length. */
function stateOf(error: Error): string | null {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  return isState && syscall === undefined && !/^E[A-Z]{4}$/.test(code) ? code : null
}

function isLost(error: Error): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  const isSocket = typeof code === 'string' && /^E(?!RR_)[A-Z]/.test(code)
  return isSocket || syscall !== undefined || lostMessages.test(error.message)
}

/** Deadlocks and serialisation failures: nothing was written, so a retry is safe. */
export function canRetry(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '40P01' || code === '40001'
}
