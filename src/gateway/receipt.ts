import type { Relation } from '../core/record/relation.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import type { AgentCut } from '../report/agent-cut.ts'
import type { PrefixTokens } from '../session/branch.ts'

/** What the gateway did with a request, for the header of its answer and for the store. */
export interface RequestReceipt {
  /** Why the original was sent; null when the engine decided. */
  readonly bypass: string | null
  /** Estimated tokens of the request as it came and as it was sent; null when it was not read. */
  readonly tokens: { readonly before: number; readonly after: number } | null
  /** How many times this session has changed bytes that were sent before; null when it was not looked up. */
  readonly epoch: number | null
  /** Why this request changed them; null when it did not. */
  readonly opened: EpochReason | null
  /** Dollars that this request cost less than without us, by the price table; null when unknown. */
  readonly saved: number | null
  /** How many originals the agent restored since its last request, by kind of rendition. */
  readonly restored?: Readonly<Record<string, number>>
  /** Estimated tokens of injected memory. They are not in `tokens`. */
  readonly memory?: number
  /** True when the provider was told to clear old results by itself. */
  readonly isDelegated?: boolean
  /** True while pruning is paused. */
  readonly isPaused?: boolean
  /** Why the store did not take it. What was decided before was sent again. */
  readonly unsaved?: string
  /** Estimated tokens of system prompt and tools, which are in `tokens`. */
  readonly prefix?: PrefixTokens
  /** How its history relates to that of the request before. */
  readonly relation?: Relation
  /** Results that the agent itself took out of its history. */
  readonly agentCut?: AgentCut
  /** True when its system prompt or tools differ from those of the request before. */
  readonly isPrefixChanged?: boolean
}

/** Receipts of requests that the engine does not see. */
export const forwardedReceipt = 'pass'
export const switchedOffReceipt = 'off'

const headerSafe = /[^\x20-\x3a\x3c-\x7e]+/g

/**
 * The value of the receipt header.
 *
 * ```ts
 * receiptText({ bypass: null, tokens: { before: 41200, after: 28950 }, epoch: 1, opened: null, saved: 0.00123 })
 * // 'before=41200; after=28950; epoch=1; saved=$0.00123'
 * ```
 */
export function receiptText(receipt: RequestReceipt): string {
  const { bypass, tokens, epoch, opened, saved, memory = 0, isDelegated = false } = receipt
  const restored = Object.entries(receipt.restored ?? {})
  const parts: string[] = []
  if (bypass !== null)
    parts.push('bypass', `reason=${bypass.replace(headerSafe, ' ').slice(0, 120)}`)
  if (tokens !== null) parts.push(`before=${tokens.before}`, `after=${tokens.after}`)
  if (epoch !== null) parts.push(`epoch=${epoch}`)
  if (opened !== null) parts.push(`opened=${opened}`)
  if (saved !== null) parts.push(`saved=$${dollars(saved)}`)
  if (restored.length > 0)
    parts.push(`restored=${restored.map(([how, count]) => `${how}:${count}`).join(',')}`)
  if (receipt.agentCut !== undefined)
    parts.push(`agent-${receipt.agentCut.kind}=${receipt.agentCut.results}`)
  if (isDelegated) parts.push('clears=provider')
  if (receipt.isPaused === true) parts.push('paused')
  if (receipt.unsaved !== undefined) parts.push(`unsaved=${receipt.unsaved}`)
  if (memory > 0) parts.push(`memory=${memory}`)
  return parts.join('; ')
}

/** Amounts below a dollar keep three significant digits. */
function dollars(amount: number): string {
  if (amount === 0) return '0'
  const digits = Math.abs(amount) < 1 ? Number(amount.toPrecision(3)) : Number(amount.toFixed(2))
  // `String` writes numbers below a millionth with an exponent.
  return digits.toFixed(9).replace(/\.?0+$/, '')
}
