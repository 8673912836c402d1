import type { Coefficients } from './coefficients.ts'

/**
 * What the engine is told to do, resolved: presets applied, every key present. `src/config` makes it from files; the
 * names are those that the documents of the strategies use.
 */
export type FilePolicy =
  | 'one-view'
  | 'overwrite'
  | 'supersede-reads'
  | 'first-last'
  | 'current-view'
  /** Reads are not superseded at all. */
  | 'none'

export const schedules = [
  /** When it pays, prompt caching included. */
  'economic',
  /** At once, whatever it costs. */
  'eager',
  /** When the agent calls its prune tool. */
  'on-demand',
  /** Only where nothing is cached. */
  'cold-only',
  /** What was sent never changes. */
  'admission-only',
] as const

export type Schedule = (typeof schedules)[number]

/** How much of what is shown may be old, in tokens, before more goes than has to. */
export interface TriggerLimits {
  /** Historical context: old tool outputs go. */
  readonly historicalTokens: number
  /** Historical context: all that is disposable goes. */
  readonly aggressiveTokens: number
  readonly thinkingTokens: number
}

export interface Settings {
  readonly preset: string
  /** False changes nothing at all. */
  readonly enabled: boolean
  readonly schedule: Schedule
  readonly files: FilePolicy

  /** Same call again: `supersede` hides the older; `pointer` makes a repeated equal result point to the first. */
  readonly deduplication: {
    readonly enabled: boolean
    readonly mode: 'supersede' | 'pointer'
    readonly protectedTools: readonly string[]
  }
  readonly todoSupersede: boolean
  readonly contextSupersede: boolean
  readonly searchSupersede: boolean
  readonly pruneSourceUrls: boolean
  readonly stateQuerySupersede: boolean
  readonly pruneSnapshots: boolean
  readonly pruneRetryParts: boolean
  readonly pruneToolInputs: boolean
  readonly pruneStepMarkers: boolean
  readonly pruneFiles: boolean
  readonly pruneUserCodeBlocks: boolean
  readonly truncateOldErrors: { readonly enabled: boolean; readonly turns: number }
  readonly purgeErrors: {
    readonly enabled: boolean
    readonly turns: number
    readonly protectedTools: readonly string[]
  }
  /** A write whose file is read later: its input is in the read. */
  readonly supersedeWrites: boolean
  /** `allTools`: searches, fetched pages and other tools too, not only shell output. */
  readonly largeOutputs: {
    readonly enabled: boolean
    readonly bashTruncate: number
    readonly allTools: boolean
  }
  /** Outputs are cut to a digest before they are first sent. */
  readonly admission: { readonly enabled: boolean }
  /** What a successful edit took out of a file leaves its input. */
  readonly pruneReplacedText: boolean
  /** What will probably not be needed again leaves the page. */
  readonly retention: {
    readonly enabled: boolean
    /** Of what it saves, how much it may be expected to cost to fetch back what was needed after all: from 0 to 1. */
    readonly risk: number
    /** Take the place of those that come with the package; null is the rules alone. */
    readonly coefficients?: Coefficients | null
  }
  readonly pruneThinking: { readonly enabled: boolean; readonly turns: number }
  /** Smart tool history. */
  readonly history: {
    readonly maxFileReads: number
    readonly keepAllEdits: boolean
    readonly recentResults: number
    readonly budgetShare: number
    readonly compressEdits: boolean
    readonly recentOnly: boolean
  }

  /** Protected from everything. */
  readonly protectedTools: readonly string[]
  readonly protectedFilePatterns: readonly string[]
  /** What the agent cannot discard; newer truth may still supersede it. */
  readonly agentProtectedTools: readonly string[]
  /** How many of the newest turns are not touched; 0 for none but the current one. */
  readonly turnProtection: number
  readonly manualMode: { readonly enabled: boolean; readonly automaticStrategies: boolean }
  /** The context limit in tokens; null takes what is known of the model. */
  readonly contextLimit: number | null
  readonly triggers: TriggerLimits

  /** Edit tools offer an optional `intent`. */
  readonly editIntent: boolean
  /** The task list and the reflection that the agent is reminded of. */
  readonly todoReminder: {
    readonly enabled: boolean
    /** Turns without a change of the list before the first reminder, and between reminders. */
    readonly initialTurns: number
    readonly repeatTurns: number
    /** Turns in progress after which a task counts as stuck. */
    readonly stuckTaskTurns: number
    /** The context size that a reminder measures the pressure against. */
    readonly maxContextTokens: number
  }
  readonly automataMode: { readonly enabled: boolean; readonly initialTurns: number }
  /** What the user is told after a prune. */
  readonly pruneNotification: 'off' | 'minimal' | 'detailed'
}
