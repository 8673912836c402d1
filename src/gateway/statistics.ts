import type { Receipt } from '../store/index.ts'
import type { Decided } from './decide.ts'
import type { Answered } from './forward.ts'
import type { ModelRoute } from './route.ts'

/** What is kept of a request once its answer is over. */
export interface Aftermath {
  readonly receipt: Receipt
  readonly statistics: Readonly<Record<string, number>>
}

export function aftermathOf(
  { format }: ModelRoute,
  { receipt, turn }: Pick<Decided, 'receipt' | 'turn'>,
  { status, usage, firstByteMs, error }: Answered,
  at: number,
): Aftermath {
  const { bypass, tokens, opened, saved } = receipt
  return {
    receipt: {
      kind: 'request',
      at,
      format,
      model: turn?.model ?? null,
      turn: turn?.turn ?? null,
      bypass,
      tokens,
      opened,
      saved,
      status,
      usage,
      firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
      ...(error === null ? {} : { error }),
    },
    statistics: {
      requests: 1,
      tokensBefore: tokens?.before ?? 0,
      tokensAfter: tokens?.after ?? 0,
      savedDollars: saved ?? 0,
      epochs: opened === null ? 0 : 1,
      bypasses: bypass === null ? 0 : 1,
      ...(usage === null
        ? {}
        : {
            inputTokens: usage.input,
            outputTokens: usage.output,
            cacheReadTokens: usage.cacheRead,
            cacheWriteTokens: usage.cacheWrite,
            ...(usage.cleared === undefined ? {} : { clearedTokens: usage.cleared }),
          }),
    },
  }
}

/** What the gateway has done since it started. */
export interface GatewayStatus {
  readonly startedAt: number
  readonly requests: number
  readonly changed: number
  readonly bypasses: Readonly<Record<string, number>>
  readonly tokens: { readonly before: number; readonly after: number }
  readonly savedDollars: number
  readonly sessions: number
  readonly faults: FaultCounts
}

/** What went wrong, besides the requests that were passed on as they came (`bypasses`). */
export interface FaultCounts {
  /** Connections that were reset, or that sent no HTTP; handshakes that an upstream did not answer. */
  readonly connections: number
  /** Errors of ours that would have ended a request, or the process. */
  readonly internal: number
}

export interface Tally {
  add(decided: Pick<Decided, 'receipt'>, isChanged: boolean): void
  fault(kind: keyof FaultCounts): void
  status(sessions: number): GatewayStatus
}

export function createTally(startedAt: number): Tally {
  const bypasses: Record<string, number> = Object.create(null)
  const tokens = { before: 0, after: 0 }
  let requests = 0
  let changed = 0
  let savedDollars = 0
  const faults = { connections: 0, internal: 0 }
  return {
    add({ receipt }, isChanged) {
      requests++
      if (isChanged) changed++
      if (receipt.bypass !== null) bypasses[receipt.bypass] = (bypasses[receipt.bypass] ?? 0) + 1
      tokens.before += receipt.tokens?.before ?? 0
      tokens.after += receipt.tokens?.after ?? 0
      savedDollars += receipt.saved ?? 0
    },
    fault(kind) {
      faults[kind]++
    },
    status: (sessions) => ({
      startedAt,
      requests,
      changed,
      bypasses: { ...bypasses },
      tokens: { ...tokens },
      savedDollars,
      sessions,
      faults: { ...faults },
    }),
  }
}
