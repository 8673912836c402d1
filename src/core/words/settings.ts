import type { Coefficients } from './coefficients.ts'

/**
 * The resolved settings: presets applied, every key present. `src/config` builds them from files; the names are those of
 * the documentation.
 */
export type FilePolicy =
  | 'one-view'
  | 'overwrite'
  | 'supersede-reads'
  /** A write or an edit supersedes earlier reads, writes and edits; a read supersedes nothing. */
  | 'latest-change'
  | 'first-last'
  | 'current-view'
  /** Reads are not superseded at all. */
  | 'none'

export const schedules = [
  /** When it saves cost, prompt caching included. */
  'economic',
  /** Immediately, whatever it costs. */
  'eager',
  /** When the agent calls its prune tool. */
  'on-demand',
  /** Only when nothing is cached. */
  'cold-only',
  /** Never change anything that was sent. */
  'admission-only',
] as const

export type Schedule = (typeof schedules)[number]

/** Token thresholds of old context above which more is removed. */
export interface TriggerLimits {
  /** Above this, old tool outputs are removed. */
  readonly historicalTokens: number
  /** Above this, everything disposable is removed. */
  readonly aggressiveTokens: number
  readonly thinkingTokens: number
}

export interface Settings {
  readonly preset: string
  /** When false, every request is sent unchanged. */
  readonly enabled: boolean
  readonly schedule: Schedule
  readonly files: FilePolicy

  /** For a repeated call, `supersede` hides the older one; `pointer` makes an equal result point to the first. */
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
  /** Hides the input of a write whose file is read later. */
  readonly supersedeWrites: boolean
  /** `allTools` also cuts searches, fetched pages and other tools, not only shell output. */
  readonly largeOutputs: {
    readonly enabled: boolean
    readonly bashTruncate: number
    readonly allTools: boolean
  }
  /** Outputs larger than `wholeChars` are shown as a digest from the beginning. */
  readonly admission: { readonly enabled: boolean; readonly wholeChars: number }
  /** Removes the replaced text from the input of a successful edit. */
  readonly pruneReplacedText: boolean
  /** Strips the inputs of calls whose files were left alone for `turns` requests. */
  readonly oldInputs: { readonly enabled: boolean; readonly turns: number }
  /** Shortens results that are unlikely to be needed again. */
  readonly retention: {
    readonly enabled: boolean
    /** The accepted cost of fetching results back, as a share of the savings: from 0 to 1. */
    readonly risk: number
    /** Replaces the packaged coefficients; null uses the rules alone. */
    readonly coefficients?: Coefficients | null
  }
  readonly pruneThinking: { readonly enabled: boolean; readonly turns: number }
  /** An accepted plan replaces the earlier ones. */
  readonly planSupersede: boolean
  /** A screenshot replaces the earlier one of the same call. */
  readonly screenshotSupersede: boolean
  /** Of the lists of skills and the reminders of the task list that a client adds, the newest stays. */
  readonly reminderSupersede: boolean
  /** Lists of skills older than `turns` requests keep every name and the beginning of every description. */
  readonly skillListings: { readonly enabled: boolean; readonly turns: number }
  /** The text of a skill keeps its beginning and its headings after `turns` requests, once the user has spoken again. */
  readonly skillTexts: { readonly enabled: boolean; readonly turns: number }
  /** Smart tool history. */
  readonly history: {
    readonly maxFileReads: number
    readonly keepAllEdits: boolean
    readonly recentResults: number
    readonly budgetShare: number
    readonly compressEdits: boolean
    readonly recentOnly: boolean
  }

  /** Never changed by anything. */
  readonly protectedTools: readonly string[]
  readonly protectedFilePatterns: readonly string[]
  /** Results that the agent cannot discard; newer results may still supersede them. */
  readonly agentProtectedTools: readonly string[]
  /** How many of the newest turns are protected; with 0, only the current one. */
  readonly turnProtection: number
  readonly manualMode: { readonly enabled: boolean; readonly automaticStrategies: boolean }
  /** The context limit in tokens; null uses the model's known limit. */
  readonly contextLimit: number | null
  readonly triggers: TriggerLimits

  /** Adds an optional `intent` to edit tools. */
  readonly editIntent: boolean
  /** Reminds the agent of its task list and asks it to reflect. */
  readonly todoReminder: {
    readonly enabled: boolean
    /** Turns without a change of the list before the first reminder, then between reminders. */
    readonly initialTurns: number
    readonly repeatTurns: number
    /** A task in progress for this many turns counts as stuck. */
    readonly stuckTaskTurns: number
    /** The context size that a reminder compares the current size with. */
    readonly maxContextTokens: number
  }
  readonly automataMode: { readonly enabled: boolean; readonly initialTurns: number }
  /** The notification shown to the user after a prune. */
  readonly pruneNotification: 'off' | 'minimal' | 'detailed'
}
