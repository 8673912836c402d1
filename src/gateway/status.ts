import type { RequestReceipt } from './receipt.ts'
import type { Breach, PromiseName } from './verify/sample.ts'

/** What the gateway has done since it started. */
export interface GatewayStatus {
  readonly startedAt: number
  readonly requests: number
  readonly changed: number
  readonly bypasses: Readonly<Record<string, number>>
  readonly tokens: { readonly before: number; readonly after: number }
  readonly savedDollars: number
  /** Originals that agents restored, by kind of rendition. */
  readonly restores: Readonly<Record<string, number>>
  readonly sessions: number
  readonly faults: FaultCounts
  /** Why the store did not work at the last request that needed it; null when it did. */
  readonly storeProblem: string | null
  /** Null unless the configuration has `verify`. */
  readonly verified: Verified | null
  /** How often the store's file was lost while it was in use, and begun again. */
  readonly storeRenewals: number
}

/** Errors, besides requests that were forwarded unchanged (`bypasses`). */
export interface FaultCounts {
  /** Connections that were reset or sent no HTTP, and handshakes that an upstream did not answer. */
  readonly connections: number
  /** Errors of the gateway that would have ended a request or the process. */
  readonly internal: number
}

/** Requests that were checked after they were sent, and the promises that did not hold. */
export interface Verified {
  readonly requests: number
  readonly breaches: Readonly<Partial<Record<PromiseName, number>>>
  /** The newest breach; null when there is none. */
  readonly last: string | null
}

export interface StatusCounter {
  countVerified(breaches: readonly Breach[]): void
  countRequest(receipt: RequestReceipt, isChanged: boolean): void
  countFault(kind: keyof FaultCounts): void
  status(
    now: Pick<GatewayStatus, 'sessions' | 'storeRenewals'> & { readonly verifies: boolean },
  ): GatewayStatus
}

export function createStatusCounter(startedAt: number): StatusCounter {
  const bypasses: Record<string, number> = Object.create(null)
  const restores: Record<string, number> = Object.create(null)
  const tokens = { before: 0, after: 0 }
  const faults = { connections: 0, internal: 0 }
  let requests = 0
  let changed = 0
  let savedDollars = 0
  let storeProblem: string | null = null
  const breaches: Partial<Record<PromiseName, number>> = {}
  let verified = 0
  let last: string | null = null
  return {
    countRequest(receipt, isChanged) {
      requests++
      if (isChanged) changed++
      if (receipt.bypass !== null) bypasses[receipt.bypass] = (bypasses[receipt.bypass] ?? 0) + 1
      const problem = receipt.unsaved ?? receipt.bypass
      if (problem?.startsWith('store-')) storeProblem = problem
      else if (receipt.epoch !== null) storeProblem = null
      tokens.before += receipt.tokens?.before ?? 0
      tokens.after += receipt.tokens?.after ?? 0
      savedDollars += receipt.saved ?? 0
      for (const [how, count] of Object.entries(receipt.restored ?? {}))
        restores[how] = (restores[how] ?? 0) + count
    },
    countFault(kind) {
      faults[kind]++
    },
    countVerified(found) {
      verified++
      for (const { promise, message } of found) {
        breaches[promise] = (breaches[promise] ?? 0) + 1
        last = `${promise}: ${message}`
      }
    },
    status: ({ verifies, ...now }) => ({
      startedAt,
      requests,
      changed,
      bypasses: { ...bypasses },
      tokens: { ...tokens },
      savedDollars,
      restores: { ...restores },
      faults: { ...faults },
      storeProblem,
      verified: verifies ? { requests: verified, breaches: { ...breaches }, last } : null,
      ...now,
    }),
  }
}
