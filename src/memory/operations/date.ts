import { PalimpsestError } from '../../core/words/errors.ts'

/**
 * Milliseconds since 1970.
 *
 * @throws PalimpsestError with code `usage` when the text is not a date.
 */
export function dateOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new PalimpsestError('usage', `'${text}' is not a date. Write it as 2026-03-31`)
  return time
}
