import type { Scenario } from '../../model/scenario.ts'
import type { PlannedFile } from '../plan.ts'

/** A user's way: try it, keep it, check it, leave. `{url}` becomes the model's address. */
export interface SetupPlan {
  readonly scenario: Scenario
  /** The project. */
  readonly folder: string
  readonly home: string
  readonly log: string
  readonly files: readonly PlannedFile[]
  readonly environment: Readonly<Record<string, string>>
  /** Commands of a shell, one after the other. All are run, whatever becomes of those before. */
  readonly steps: readonly SetupStep[]
  readonly timeoutMs: number
}

export interface SetupStep {
  readonly name: string
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** Looks at all files of the home folder afterwards. */
  readonly isPictured?: true
}

export interface SetupResult {
  readonly name: string
  readonly code: number | null
  readonly out: string
  readonly errors: string
  readonly ms: number
  /** Requests that the model had until then. */
  readonly requests: number
  /** The files of the home folder, by their path in it. */
  readonly picture: Readonly<Record<string, string>> | null
}
