/**
 * `usage`: the caller asked for something impossible. `absent`: an id that is well formed and names nothing. `unreadable`:
 * input that nothing here understands.
 */
export type ErrorCode = 'usage' | 'absent' | 'unreadable' | 'configuration' | StoreErrorCode

/** Why a store did not do what it was asked; whoever uses one can go on without it. */
export type StoreErrorCode =
  /** No room is left for what should be written. */
  | 'store-full'
  /** The file or its folder may be read and not written. */
  | 'store-read-only'
  /** Somebody else held it for longer than a caller waits. */
  | 'store-locked'
  /** It cannot be opened, or the connection to it was lost. */
  | 'store-unreachable'
  /** The package that drives it is not installed. */
  | 'store-driver'
  /** A newer version of Palimpsest wrote it, or an older one and it was not to be migrated. */
  | 'store-version'
  /** It is a database of another program. */
  | 'store-foreign'
  /** What it holds cannot be read any more. */
  | 'store-corrupt'
  /** The session was removed since it was opened. */
  | 'store-absent'
  /** The engine failed in another way; `cause` has its error. */
  | 'store-failed'

/**
 * The one error that Palimpsest throws on purpose. Its message says what was wrong, where, and what to do.
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
