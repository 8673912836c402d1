import type { Scenario } from '../model/scenario.ts'

/**
 * One run of a client against the scripted model, for a process that may live in a network namespace of its own.
 * `{url}` in a file, a variable or an argument becomes the model's address.
 */
export interface Plan {
  readonly scenario: Scenario
  readonly folder: string
  readonly log: string
  readonly files: readonly PlannedFile[]
  readonly environment: Readonly<Record<string, string>>
  /** Run one after the other, until one fails. */
  readonly steps: readonly PlannedStep[]
  readonly timeoutMs: number
  readonly seed: number
}

export interface PlannedFile {
  readonly path: string
  readonly text: string
}

export interface PlannedStep {
  readonly command: string
  readonly args: readonly string[]
  /** Where its standard output goes. Some clients cut what they write into a pipe. */
  readonly output: string
}

/** How a step ended. */
export interface StepResult {
  readonly code: number | null
  readonly errors: string
}
