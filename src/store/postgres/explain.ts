import { PalimpsestError, type StoreErrorCode } from '../../core/errors.ts'

interface Explanation {
  readonly code: StoreErrorCode
  readonly says: string
}

const lost: Explanation = { code: 'store-unreachable', says: 'the connection failed' }

/** By SQLSTATE, the longest beginning that fits: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const byState: Readonly<Record<string, Explanation>> = {
  '08': lost,
  '25006': { code: 'store-read-only', says: 'the server takes no writes' },
  '28': { code: 'store-unreachable', says: 'the server refused the user or the password' },
  '3D': { code: 'store-unreachable', says: 'there is no such database' },
  '40': { code: 'store-locked', says: 'another process was in the way; try again' },
  '42501': { code: 'store-read-only', says: 'the user may not write there' },
  '53': { code: 'store-unreachable', says: 'the server has no resources left' },
  '53100': { code: 'store-full', says: 'no room is left on the server' },
  '55P03': { code: 'store-locked', says: 'another process has held it for too long; try again' },
  '57': { code: 'store-unreachable', says: 'the server is going down or starting' },
  XX: { code: 'store-corrupt', says: 'the server reports damage' },
}

const socketErrors = /^(E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|ENOTFOUND|ENOENT)/
const lostMessages = /connection terminated|timeout|connection ended|not queryable|socket/i

export function explainPostgresError(error: unknown, url: string): PalimpsestError | null {
  const cause = innermost(error)
  if (!(cause instanceof Error)) return null
  const { code } = cause as { code?: unknown }
  const found =
    typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !socketErrors.test(code)
      ? (byState[code] ?? byState[code.slice(0, 2)] ?? failed(cause))
      : isLost(cause, code)
        ? lost
        : null
  if (found === null) return null
  return new PalimpsestError(
    found.code,
    `the store ${withoutPassword(url)}: ${found.says} (${cause.message})`,
    { cause: error },
  )
}

/** A host with several addresses gives one error for each of them. */
function innermost(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error
}

function isLost(error: Error, code: unknown): boolean {
  return (typeof code === 'string' && socketErrors.test(code)) || lostMessages.test(error.message)
}

function failed(error: Error): Explanation {
  return { code: 'store-failed', says: `PostgreSQL failed: ${error.message}` }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '')
}

/** Deadlocks and failed serialisation: nothing was written, and nothing is wrong with the work. */
export function isWorthAnotherTry(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '40P01' || code === '40001'
}
