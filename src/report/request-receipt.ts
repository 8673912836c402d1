import type { How } from '../core/words/decision.ts'
import type { Usage } from '../core/words/item.ts'
import { arrayOf, isJsonObject, objectOf } from '../core/words/json.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import type { AgentCut } from './agent-cut.ts'

/** How the user of a request pays: for each token, or with a subscription that has a limit. */
export type Billing = 'tokens' | 'subscription'

/** What the store keeps about a request and its answer. Receipts of earlier versions have fewer fields. */
export interface StoredReceipt {
  readonly kind: 'request'
  /** `hook`: one output that was shortened before its agent sent it. Its tokens are those of the output alone. */
  readonly door: 'hook' | null
  /** Milliseconds since 1970. */
  readonly at: number | null
  readonly agent: string | null
  readonly billing: Billing | null
  readonly model: string | null
  /** The call to the model, as the engine counts them. */
  readonly turn: number | null
  /** Why the original was sent; null when the engine decided. */
  readonly bypass: string | null
  /** Estimated tokens of the request as it came and as it was sent. */
  readonly tokens: { readonly before: number; readonly after: number } | null
  /** The part of both that is the system prompt and the tool definitions; null when not known. */
  readonly prefix: { readonly system: number; readonly tools: number } | null
  /** Why this request changed bytes that had been sent; null when it did not. */
  readonly opened: EpochReason | string | null
  /** Dollars saved, as estimated before the answer. */
  readonly saved: number | null
  /** Originals that the agent restored since its last request, by kind of rendition. */
  readonly restored: Readonly<Record<string, number>>
  /** How its history relates to that of the request before. */
  readonly relation: string | null
  /** Results that the agent itself removed from its history. */
  readonly agentCut: AgentCut | null
  /** True when system prompt or tools differ from the request before. */
  readonly isPrefixChanged: boolean
  readonly isPaused: boolean
  readonly status: number | null
  readonly usage: (Usage & { readonly cleared?: number }) | null
  /** How much of a subscription's limits was used, by window. */
  readonly limits: Readonly<Record<string, number>> | null
  readonly error: string | null
}

/** A receipt of the store; null for anything else that may be kept there. */
export function readReceipt(receipt: Readonly<Record<string, unknown>>): StoredReceipt | null {
  if (receipt.kind !== 'request') return null
  const { tokens, restored, usage, limits, billing } = receipt
  return {
    kind: 'request',
    door: receipt.door === 'hook' ? 'hook' : null,
    at: numberOf(receipt.at),
    agent: textOf(receipt.agent),
    billing: billing === 'tokens' || billing === 'subscription' ? billing : null,
    model: textOf(receipt.model),
    turn: numberOf(receipt.turn),
    bypass: textOf(receipt.bypass),
    tokens: isSize(tokens) ? { before: tokens.before, after: tokens.after } : null,
    prefix: prefixOf(receipt.prefix),
    opened: textOf(receipt.opened),
    saved: numberOf(receipt.saved),
    restored: countsOf(restored),
    relation: textOf(receipt.relation),
    agentCut: agentCutIn(receipt.agentCut),
    isPrefixChanged: receipt.isPrefixChanged === true,
    isPaused: receipt.isPaused === true,
    status: numberOf(receipt.status),
    usage: usageOf(usage),
    limits: isJsonObject(limits) ? countsOf(limits) : null,
    error: textOf(receipt.error),
  }
}

/** How often each kind of rendition was restored. */
export function restoredCounts(restored: readonly How[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const how of restored) counts[how] = (counts[how] ?? 0) + 1
  return counts
}

function isSize(value: unknown): value is { readonly before: number; readonly after: number } {
  const { before, after } = objectOf(value)
  return typeof before === 'number' && typeof after === 'number'
}

function prefixOf(value: unknown): StoredReceipt['prefix'] {
  const { system, tools } = objectOf(value)
  return typeof system === 'number' && typeof tools === 'number' ? { system, tools } : null
}

function agentCutIn(value: unknown): AgentCut | null {
  const { kind, results, handles } = objectOf(value)
  if ((kind !== 'cleared' && kind !== 'compacted') || typeof results !== 'number') return null
  return { kind, results, handles: arrayOf(handles).filter((each) => typeof each === 'string') }
}

function usageOf(value: unknown): StoredReceipt['usage'] {
  const { input, output, cacheRead, cacheWrite, cacheWriteLong, cleared } = objectOf(value)
  if (typeof input !== 'number') return null
  return {
    input,
    output: numberOf(output) ?? 0,
    cacheRead: numberOf(cacheRead) ?? 0,
    cacheWrite: numberOf(cacheWrite) ?? 0,
    ...(typeof cacheWriteLong === 'number' ? { cacheWriteLong } : {}),
    ...(typeof cleared === 'number' ? { cleared } : {}),
  }
}

function countsOf(value: unknown): Readonly<Record<string, number>> {
  const entries = Object.entries(objectOf(value))
  return Object.fromEntries(
    entries.filter((each): each is [string, number] => typeof each[1] === 'number'),
  )
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
