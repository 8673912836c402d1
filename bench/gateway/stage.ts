import type { StartedProcess } from './processes.ts'

/** One line of the result. Only rows about growth have a limit. */
export interface Row {
  readonly what: string
  readonly value: string
  readonly limit?: string
  readonly isMissed?: boolean
}

/** The processes and settings that every part of the benchmark uses. */
export interface Stage {
  readonly isQuick: boolean
  /** How long to measure the heap, and the gateway under load. */
  readonly minutes: number
  /** How many sessions stream at the same time under load. */
  readonly sessions: number
  readonly upstream: StartedProcess
  /** Starts a gateway with a store, or with a file of its own. */
  startGateway(store?: string): Promise<StartedProcess>
  startProxy(): Promise<StartedProcess>
}
