/**
 * `usage`: the caller asked for something impossible. `absent`: a well-formed id that does not exist. `unreadable`: input
 * in no known format.
 */
export type ErrorCode = 'usage' | 'absent' | 'unreadable' | 'configuration' | StoreErrorCode

/** Why a store operation failed. Callers can continue without the store. */
export type StoreErrorCode =
  /** The disk or the quota is full. */
  | 'store-full'
  /** The file or its folder is read-only. */
  | 'store-read-only'
  /** Another process held the lock for longer than the timeout. */
  | 'store-locked'
  /** It cannot be opened, or the connection was lost. */
  | 'store-unreachable'
  /** The database driver is not installed. */
  | 'store-driver'
  /** A newer version of Palimpsest wrote it, or an older one and migration is off. */
  | 'store-version'
  /** It is encrypted, and the key is missing or another one. */
  | 'store-key'
  /** The database belongs to another program. */
  | 'store-foreign'
  /** Its content is damaged. */
  | 'store-corrupt'
  /** The session was removed after it was opened. */
  | 'store-absent'
  /** The database failed in another way; see `cause`. */
  | 'store-failed'

/**
 * The only error that Palimpsest throws on purpose. Its message says what was wrong, where, and what to do.
 * Use `PalimpsestError.is` instead of `instanceof`: two copies of the package may be loaded.
 */
export class PalimpsestError extends Error {
  readonly code: ErrorCode
  readonly isPalimpsestError: true = true

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PalimpsestError'
    this.code = code
  }

  static is(value: unknown): value is PalimpsestError {
    return typeof value === 'object' && value !== null && 'isPalimpsestError' in value
  }
}

/** What a caught value says; errors of other programs' code may be anything. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
