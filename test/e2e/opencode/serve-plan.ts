import type { Scenario } from '../../model/scenario.ts'
import type { PlannedFile } from '../plan.ts'

/** One thing that is asked of a running OpenCode. `{name}` in a path or body is what an earlier step saved under it. */
export type ServeStep =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | ServeCall
  /** All at once. */
  | { readonly kind: 'together'; readonly calls: readonly ServeCall[] }

export interface ServeCall {
  readonly kind: 'call'
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Saves the answer's `id`, or that of its last element, under this name. */
  readonly saveAs?: string
}

export interface ServePlan {
  readonly scenario: Scenario
  readonly command: string
  readonly folder: string
  readonly log: string
  /** The file that gets the answers. */
  readonly answers: string
  readonly files: readonly PlannedFile[]
  readonly environment: Readonly<Record<string, string>>
  readonly steps: readonly ServeStep[]
  readonly timeoutMs: number
}

export interface ServeAnswer {
  readonly status: number
  readonly body: unknown
}
