import type { Scenario } from '../../model/scenario.ts'
import type { PlannedFile } from '../plan.ts'

/** One thing that is asked of a running OpenCode. `{name}` in a path or body is what an earlier step saved under it. */
export type ServeStep =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | ServeCall
  /** The host's command line; the answer is what it printed, and its exit code is the status. */
  | { readonly kind: 'run'; readonly args: readonly string[] }
  /** The host's terminal interface; the answer is the screens that were taken, by name. */
  | { readonly kind: 'terminal'; readonly acts: readonly TerminalAct[] }
  /** All at once. */
  | { readonly kind: 'together'; readonly calls: readonly ServeCall[] }

/** What a person does at the terminal, and what they wait for. `{handle}` is the first one of the screen that was taken last. */
export type TerminalAct =
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'press'; readonly key: string }
  | { readonly kind: 'resize'; readonly columns: number; readonly rows: number }
  /** Until the screen holds this. */
  | { readonly kind: 'await'; readonly text: string }
  | { readonly kind: 'screen'; readonly name: string }

export interface ServeCall {
  readonly kind: 'call'
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Saves the answer's `id`, or that of its last element, under this name. */
  readonly saveAs?: string
  /** Saves the first handle in the answer under this name. */
  readonly saveHandleAs?: string
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
  /** A package that a registry of our own offers to the host, as `npm pack` made it. */
  readonly offers?: string
}

export interface ServeAnswer {
  readonly status: number
  readonly body: unknown
}
