import type { Scenario } from '../../model/scenario.ts'
import type { PlannedFile, PlannedStep, StepResult } from '../plan.ts'

/** Several clients at once, through three gateways behind nginx with one PostgreSQL. */
export interface TeamPlan {
  readonly clients: readonly PlannedClient[]
  /** The command line, as one file. */
  readonly palimpsest: string
  /** The gateways' folder. */
  readonly home: string
  /** After so many requests at the provider, one gateway is killed and started again; again after as many more. */
  readonly killEvery: number
  /** Once the provider has had so many requests of every client, PostgreSQL is stopped for a while. */
  readonly stopDatabaseAfter: number
  readonly timeoutMs: number
  /** Where the report goes, as JSON. */
  readonly report: string
}

export interface PlannedClient {
  readonly name: string
  readonly scenario: Scenario
  readonly folder: string
  readonly files: readonly PlannedFile[]
  readonly environment: Readonly<Record<string, string>>
  readonly step: PlannedStep
}

export interface TeamReport {
  readonly clients: readonly {
    readonly result: StepResult
    readonly requests: readonly Exchange[]
  }[]
  readonly kills: number
  readonly databaseStops: number
  /** What `store check` finds afterwards. */
  readonly problems: readonly string[]
  /** Handles in what the models got, and whose original the store does not have. */
  readonly lost: readonly string[]
}

/** One request of a client. */
export interface Exchange {
  readonly path: string
  /** As the client sent it. */
  readonly body: string
  /** The status that the client got, and what the gateway said that it did; null when nobody answered. */
  readonly answer: { readonly status: number; readonly receipt: string } | null
  /** As it arrived at the provider; null when it did not. */
  readonly arrived: string | null
  /** True when it arrived without the database, or so soon after that a gateway may not have tried it again. */
  readonly inOutage: boolean
  /** As it arrives there through one gateway that is left alone, with a store of its own. */
  alone: string | null
}
