import type { GatewayLimits } from '../config/config.ts'

/** How much one gateway accepts. */
export interface Limits {
  /** Open connections, of all clients and of one address. */
  readonly connections: number
  readonly connectionsPerClient: number
  /** Requests at the same time from one address with one credential. */
  readonly requestsPerClient: number
  /** How long a client may send nothing while its request is expected. */
  readonly idleMs: number
  /** Bodies in memory that are not decided about yet. Above it, requests are forwarded as they arrive. */
  readonly bodyBytes: number
}

/** The largest body that is read. No provider accepts more. */
export const largestBodyBytes: number = 64 * 1024 * 1024

export function limitsFrom(limits: GatewayLimits = {}): Limits {
  return {
    connections: limits.connections ?? 2_000,
    connectionsPerClient: limits.connectionsPerClient ?? 1_000,
    requestsPerClient: limits.requestsPerClient ?? 500,
    idleMs: (limits.idleSeconds ?? 30) * 1_000,
    bodyBytes: (limits.bodyMegabytes ?? 128) * 1024 * 1024,
  }
}
