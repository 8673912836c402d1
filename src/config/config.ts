import type { ToolMapping } from '../actions/index.ts'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import type { RegimeName } from '../core/schedule/regimes.ts'
import type { FilePolicy, Schedule, Settings } from '../core/words/settings.ts'
import type { TrustRequest } from './trusted-folders.ts'

export const presetNames = [
  'balanced',
  'compact',
  'verbose',
  'acp',
  'dcp',
  'history',
  'off',
] as const

export type PresetName = (typeof presetNames)[number]

/** The presets that ACP documents for its ten keys. */
export const aggressivePresetNames = ['compact', 'balanced', 'verbose'] as const

/** On or off. ACP and DCP write it as an object. */
export type Switch = boolean | { readonly enabled?: boolean | undefined }

export type AgedSwitch =
  | boolean
  | { readonly enabled?: boolean | undefined; readonly turns?: number | undefined }

type Optional<Type> = { readonly [Key in keyof Type]?: Type[Key] | undefined }

export interface AggressivePruning {
  readonly preset?: (typeof aggressivePresetNames)[number] | undefined
  readonly pruneToolInputs?: boolean | undefined
  readonly pruneStepMarkers?: boolean | undefined
  readonly pruneSourceUrls?: boolean | undefined
  readonly pruneFiles?: boolean | undefined
  readonly pruneSnapshots?: boolean | undefined
  readonly pruneRetryParts?: boolean | undefined
  readonly pruneUserCodeBlocks?: boolean | undefined
  readonly truncateOldErrors?: AgedSwitch | undefined
  readonly aggressiveFilePrune?: boolean | undefined
  readonly stateQuerySupersede?: boolean | undefined
}

export interface Strategies {
  readonly deduplication?: boolean | Optional<Settings['deduplication']> | undefined
  readonly supersedeWrites?: Switch | undefined
  readonly supersedeReads?: Switch | undefined
  readonly todoSupersede?: Switch | undefined
  readonly contextSupersede?: Switch | undefined
  readonly searchSupersede?: Switch | undefined
  readonly purgeErrors?: boolean | Optional<Settings['purgeErrors']> | undefined
  readonly admission?:
    | boolean
    | { readonly enabled?: boolean | undefined; readonly wholeChars?: number | undefined }
    | undefined
  readonly pruneReplacedText?: Switch | undefined
  readonly retention?:
    | boolean
    | { readonly enabled?: boolean | undefined; readonly risk?: number | undefined }
    | undefined
  readonly largeOutputs?:
    | boolean
    | { readonly enabled?: boolean | undefined; readonly allTools?: boolean | undefined }
    | undefined
  readonly oldInputs?: AgedSwitch | undefined
  readonly pruneThinking?: AgedSwitch | undefined
  readonly planSupersede?: Switch | undefined
  readonly screenshotSupersede?: Switch | undefined
  readonly reminderSupersede?: Switch | undefined
  readonly skillListings?: AgedSwitch | undefined
  readonly skillTexts?: AgedSwitch | undefined
  readonly aggressivePruning?: AggressivePruning | undefined
}

export interface AgentTools {
  readonly settings?: { readonly protectedTools?: readonly string[] | undefined } | undefined
  readonly todoReminder?: Optional<Settings['todoReminder']> | undefined
  readonly automataMode?: Optional<Settings['automataMode']> | undefined
}

/** How the store is encrypted. */
export interface EncryptionConfig {
  readonly keyFile?: string | undefined
}

/** Settings of the memory. */
export interface MemoryConfig {
  readonly inject?: boolean | undefined
  readonly learn?: boolean | undefined
  readonly budgetTokens?: number | undefined
  readonly extractor?: ExtractorConfig | undefined
}

/** Limits such as `30d` and `5GB`. */
export interface GcConfig {
  readonly olderThan?: string | undefined
  readonly largerThan?: string | undefined
}

/** A model that proposes what to remember. */
export interface ExtractorConfig {
  readonly url: string
  readonly model: string
  readonly keyVariable?: string | undefined
}

/** How much the gateway accepts. Requests beyond it get 408, 429 or 503, or are sent unchanged. */
export interface GatewayLimits {
  readonly connections?: number | undefined
  readonly connectionsPerClient?: number | undefined
  readonly requestsPerClient?: number | undefined
  readonly idleSeconds?: number | undefined
  readonly bodyMegabytes?: number | undefined
}

/** The keys of a configuration file, all optional. Each has the name that the documentation of its strategy uses. */
export interface ConfigFile extends Optional<Settings['history']> {
  readonly $schema?: string | undefined
  readonly enabled?: boolean | undefined
  readonly preset?: PresetName | undefined
  readonly files?: FilePolicy | undefined
  readonly schedule?: Schedule | undefined
  readonly regime?: RegimeName | undefined
  readonly models?: readonly ModelOverride[] | undefined
  readonly contextLimit?: number | null | undefined
  readonly protectedTools?: readonly string[] | undefined
  readonly protectedFilePatterns?: readonly string[] | undefined
  /** Files whose contents are recorded as hashes only. */
  readonly secretFilePatterns?: readonly string[] | undefined
  readonly turnProtection?: number | Exclude<AgedSwitch, boolean> | undefined
  readonly manualMode?: boolean | Optional<Settings['manualMode']> | undefined
  readonly pruneNotification?: Settings['pruneNotification'] | undefined
  readonly strategies?: Strategies | undefined
  readonly bashTruncate?: number | undefined
  readonly editIntent?: boolean | undefined
  readonly tools?: AgentTools | undefined
  readonly triggers?: Optional<Settings['triggers']> | undefined
  readonly subAgents?: boolean | undefined
  readonly store?: string | undefined
  readonly encryption?: EncryptionConfig | undefined
  /** `none` keeps no text of a conversation anywhere, and only points to what is still visible. */
  readonly record?: 'full' | 'none' | undefined
  /** When the gateway removes sessions by itself. */
  readonly gc?: GcConfig | undefined
  /** A file to which `serve` appends a line of JSON for each request. */
  readonly log?: string | undefined
  readonly memory?: MemoryConfig | undefined
  readonly toolMappings?: readonly ToolMapping[] | undefined
  /** Where the gateway sends requests: addresses by name. */
  readonly upstreams?: Readonly<Record<string, string>> | undefined
  /** Host names besides loopback that requests may be addressed to, and whose web pages may send requests. */
  readonly allowedHosts?: readonly string[] | undefined
  /** How much the gateway accepts, from all clients and from one. */
  readonly limits?: GatewayLimits | undefined
  /** Whether the gateway lets providers clear old results themselves where they can. */
  readonly delegateClears?: boolean | undefined
  /** Whether the gateway checks a sample of the requests against what is promised, after they were sent. */
  readonly verify?: boolean | undefined
}

/** The configuration that holds, merged from all files. */
export interface Config extends ConfigFile {
  /** How the user's own tools are read; see `actionOf`. */
  readonly toolMappings: readonly ToolMapping[]
  /** Messages for the user: files and keys that were ignored, and where they are. */
  readonly warnings: readonly string[]
  /** What project files asked for and the user has not allowed; see `untrustedWarning`. */
  readonly untrusted?: readonly TrustRequest[]
}
