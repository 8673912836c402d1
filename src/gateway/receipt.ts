import type { EpochReason } from '../core/words/ledger.ts'

/** What became of a request on its way, for the header of its answer and for the store. */
export interface PassageReceipt {
  /** Why the original went out; null when the engine had its say. */
  readonly bypass: string | null
  /** Estimated tokens of the whole request as it came and as it went out; null when it was not read. */
  readonly tokens: { readonly before: number; readonly after: number } | null
  /** How many times bytes that had been sent were changed in this session so far; null when it was not looked up. */
  readonly epoch: number | null
  /** Why they were at this request. */
  readonly opened: EpochReason | null
  /** Dollars that this request cost less than without us, under the price table; null where nothing is booked. */
  readonly saved: number | null
  /** Estimated tokens of what is remembered that were put beside its messages; they are not in `tokens`. */
  readonly memory?: number
  /** True when the provider was told to clear old results by itself. */
  readonly isDelegated?: boolean
}

/** What is said of requests that are no business of the engine. */
export const passedOn = 'pass'
export const switchedOff = 'off'

const headerSafe = /[^\x20-\x3a\x3c-\x7e]+/g

/**
 * One line for people and programs.
 *
 * ```ts
 * receiptText({ bypass: null, tokens: { before: 41200, after: 28950 }, epoch: 1, opened: null, saved: 0.00123 })
 * // 'before=41200; after=28950; epoch=1; saved=$0.00123'
 * ```
 */
export function receiptText(receipt: PassageReceipt): string {
  const { bypass, tokens, epoch, opened, saved, memory = 0, isDelegated = false } = receipt
  const parts: string[] = []
  if (bypass !== null)
    parts.push('bypass', `reason=${bypass.replace(headerSafe, ' ').slice(0, 120)}`)
  if (tokens !== null) parts.push(`before=${tokens.before}`, `after=${tokens.after}`)
  if (epoch !== null) parts.push(`epoch=${epoch}`)
  if (opened !== null) parts.push(`opened=${opened}`)
  if (saved !== null) parts.push(`saved=$${dollars(saved)}`)
  if (isDelegated) parts.push('clears=provider')
  if (memory > 0) parts.push(`memory=${memory}`)
  return parts.join('; ')
}

/** Small sums keep three digits that say something. */
function dollars(amount: number): string {
  if (amount === 0) return '0'
  const digits = Math.abs(amount) < 1 ? Number(amount.toPrecision(3)) : Number(amount.toFixed(2))
  // Numbers below a millionth would be written with an exponent.
  return digits.toFixed(9).replace(/\.?0+$/, '')
}
