import type { StartedProcess } from './processes.ts'

/** One line of the result. Only rows about growth have a limit. */
export interface Row {
  readonly what: string
  readonly value: string
  readonly limit?: string
  readonly isMissed?: boolean
}

/** What each part of the benchmark works with. */
export interface Stage {
  readonly isQuick: boolean
  /** How long the heap is watched. */
  readonly minutes: number
  readonly upstream: StartedProcess
  /** Starts a gateway with a store of its own. */
  startGateway(): Promise<StartedProcess>
  startProxy(): Promise<StartedProcess>
}
