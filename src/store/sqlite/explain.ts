import { PalimpsestError, type StoreErrorCode } from '../../core/words/errors.ts'

interface Explanation {
  readonly code: StoreErrorCode
  readonly says: string
}

/** By SQLite's primary result codes: https://sqlite.org/rescode.html */
const byResultCode: Readonly<Record<number, Explanation>> = {
  5: { code: 'store-locked', says: 'another process has held it for too long; try again' },
  6: { code: 'store-locked', says: 'another connection has held it for too long; try again' },
  8: { code: 'store-read-only', says: 'it may not be written; look at the permissions' },
  10: { code: 'store-unreachable', says: 'the file system reported an error' },
  11: {
    code: 'store-corrupt',
    says: 'the file is damaged; `palimpsest store check` says more; move it away, and a new one is made',
  },
  13: { code: 'store-full', says: 'no room is left on the disk' },
  14: {
    code: 'store-unreachable',
    says: 'the file cannot be opened; look at path and permissions',
  },
  26: {
    code: 'store-corrupt',
    says: 'the file is not a SQLite database; name another with --store, or move it away, and a new one is made',
  },
}

/** @photostructure/sqlite gives no result code with errors of a statement, only SQLite's own text. */
const byMessage: readonly (readonly [RegExp, number])[] = [
  [/database (table )?is locked/, 5],
  [/readonly database/, 8],
  [/disk I\/O error/, 10],
  [/malformed/, 11],
  [/database or disk is full/, 13],
  [/unable to open database/, 14],
  [/not a database/, 26],
]

export function explainSqliteError(error: unknown, path: string): PalimpsestError | null {
  if (!(error instanceof Error)) return null
  const resultCode = resultCodeOf(error)
  if (resultCode === null) return null
  const { code, says } = byResultCode[resultCode] ?? {
    code: 'store-failed',
    says: `SQLite failed: ${error.message}`,
  }
  return new PalimpsestError(code, `the store ${path}: ${says}`, { cause: error })
}

function resultCodeOf(error: Error): number | null {
  const fields = error as { errcode?: unknown; errno?: unknown; code?: unknown }
  const extended = [fields.errcode, fields.errno].find((value) => typeof value === 'number')
  const isSqlite = fields.code === 'ERR_SQLITE_ERROR' || error.name === 'SQLiteError'
  if (!isSqlite) return null
  if (typeof extended === 'number' && extended > 0) return extended & 0xff
  return byMessage.find(([pattern]) => pattern.test(error.message))?.[1] ?? 1
}
