/** `usage`: the caller asked for something impossible. `unreadable`: input that nothing here understands. */
export type ErrorCode = 'usage' | 'unreadable' | 'configuration'

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
