import { PalimpsestError, type StoreErrorCode } from '../../core/words/errors.ts'

interface Explanation {
  readonly code: StoreErrorCode
  readonly says: string
}

/** By SQLite's primary result codes: https://sqlite.org/rescode.html */
const byResultCode: Readonly<Record<number, Explanation>> = {
  5: { code: 'store-locked', says: 'another process held the lock for too long; try again' },
  6: { code: 'store-locked', says: 'another connection held the lock for too long; try again' },
  8: { code: 'store-read-only', says: 'the file is read-only; check its permissions' },
  10: { code: 'store-unreachable', says: 'the file system reported an error' },
  11: {
    code: 'store-corrupt',
    says: 'the file is damaged; run `palimpsest store check` for details, or move the file away to start with a new one',
  },
  13: { code: 'store-full', says: 'the disk is full' },
  14: {
    code: 'store-unreachable',
    says: 'the file cannot be opened; check the path and its permissions',
  },
  26: {
    code: 'store-corrupt',
    says: 'the file is not a SQLite database; name another with --store, or move it away to start with a new one',
  },
}

/** Statement errors of @photostructure/sqlite have SQLite's text but no result code. */
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
