import type { Plan, StepResult } from '../plan.ts'

/** A plan whose client speaks to the model through the gateway. `{url}` becomes the gateway's address. */
export interface GatewayPlan extends Plan {
  /** The command line, as one file. */
  readonly palimpsest: string
  readonly store: string
  readonly home: string
  /** The gateway is killed and started again when the model has had so many requests. */
  readonly killAfter: number | null
  /** The gateway is started anew before every step but the first. */
  readonly restarts: boolean
}

export interface GatewayRun {
  readonly results: readonly StepResult[]
  /** How many times the gateway was killed. */
  readonly kills: number
  /** What the gateways said on standard error. */
  readonly complaints: string
}
