import { PalimpsestError } from '../core/words/errors.ts'
import type { FilePolicy, Settings } from '../core/words/settings.ts'
import { type ConfigFile, presetNames, type Strategies, type Switch } from './config.ts'
import { nearest } from './nearest.ts'
import { builtInProtectedTools, presets } from './presets.ts'

type Resolved<Key extends keyof Settings> = Pick<Settings, Key>

/**
 * The settings of the preset, overridden by every key of the configuration.
 *
 * @throws PalimpsestError with code `configuration` for an unknown preset.
 */
export function resolveSettings(config: ConfigFile = {}): Settings {
  const preset = presetNamed(config.preset ?? 'balanced')
  const settings = allSettings(config, preset)
  return config.record === 'none' ? withPointersOnly(settings) : settings
}

/** Nothing is kept that could bring an original back, so it has to stay visible. */
function withPointersOnly(settings: Settings): Settings {
  const { deduplication, protectedTools, protectedFilePatterns, turnProtection } = settings
  return {
    ...presets.off,
    preset: settings.preset,
    enabled: settings.enabled && settings.preset !== 'off',
    schedule: 'admission-only',
    files: 'current-view',
    deduplication: { ...deduplication, enabled: true, mode: 'pointer' },
    protectedTools,
    protectedFilePatterns,
    turnProtection,
    manualMode: settings.manualMode,
    contextLimit: settings.contextLimit,
  }
}

function allSettings(config: ConfigFile, preset: Settings): Settings {
  return {
    preset: preset.preset,
    // No key of another file turns the preset `off` on again.
    enabled: preset.enabled && (config.enabled ?? true),
    schedule: config.schedule ?? preset.schedule,
    files: filePolicy(config, preset.files),
    ...strategies(config.strategies ?? {}, preset),
    ...tenKeys(config.strategies ?? {}, preset),
    largeOutputs: largeOutputs(config, preset),
    retention: over(preset.retention, config.strategies?.retention),
    pruneReplacedText: isOn(config.strategies?.pruneReplacedText, preset.pruneReplacedText),
    admission: over(preset.admission, config.strategies?.admission),
    history: {
      maxFileReads: config.maxFileReads ?? preset.history.maxFileReads,
      keepAllEdits: config.keepAllEdits ?? preset.history.keepAllEdits,
      recentResults: config.recentResults ?? preset.history.recentResults,
      budgetShare: config.budgetShare ?? preset.history.budgetShare,
      compressEdits: config.compressEdits ?? preset.history.compressEdits,
      recentOnly: config.recentOnly ?? preset.history.recentOnly,
    },
    ...protection(config, preset),
    turnProtection: protectedTurns(config.turnProtection, preset.turnProtection),
    manualMode: over(preset.manualMode, config.manualMode),
    contextLimit: config.contextLimit === undefined ? preset.contextLimit : config.contextLimit,
    triggers: { ...preset.triggers, ...named(config.triggers ?? {}) },
    editIntent: config.editIntent ?? preset.editIntent,
    todoReminder: over(preset.todoReminder, config.tools?.todoReminder),
    automataMode: over(preset.automataMode, config.tools?.automataMode),
    pruneNotification: config.pruneNotification ?? preset.pruneNotification,
  }
}

function presetNamed(name: string): Settings {
  if (Object.hasOwn(presets, name)) return presets[name as keyof typeof presets]
  const guess = nearest(name, presetNames)
  const advice =
    guess === null ? `Use one of: ${presetNames.join(', ')}.` : `Did you mean '${guess}'?`
  throw new PalimpsestError('configuration', `there is no preset '${name}'. ${advice}`)
}

/** An explicit `files` beats `aggressiveFilePrune`, which beats `supersedeReads`, which beats the preset. */
function filePolicy({ files, strategies = {} }: ConfigFile, preset: FilePolicy): FilePolicy {
  if (files !== undefined) return files
  const oneView = strategies.aggressivePruning?.aggressiveFilePrune ?? preset === 'one-view'
  if (oneView) return 'one-view'
  // As ACP documents, writes and edits still clear earlier reads, writes and edits without it.
  if (preset === 'one-view') return isOn(strategies.supersedeReads, true) ? 'latest-change' : 'none'
  const reads = isOn(strategies.supersedeReads, preset === 'supersede-reads')
  if (reads) return 'supersede-reads'
  return preset === 'supersede-reads' ? 'none' : preset
}

type StrategyKey =
  | 'deduplication'
  | 'supersedeWrites'
  | 'todoSupersede'
  | 'contextSupersede'
  | 'searchSupersede'
  | 'purgeErrors'
  | 'oldInputs'
  | 'pruneThinking'
  | 'planSupersede'
  | 'screenshotSupersede'
  | 'reminderSupersede'
  | 'skillListings'
  | 'skillTexts'

function strategies(keys: Strategies, preset: Settings): Resolved<StrategyKey> {
  const { deduplication, purgeErrors } = preset
  return {
    deduplication: {
      ...over(deduplication, keys.deduplication),
      protectedTools: joined(deduplication.protectedTools, toolsOf(keys.deduplication)),
    },
    supersedeWrites: isOn(keys.supersedeWrites, preset.supersedeWrites),
    todoSupersede: isOn(keys.todoSupersede, preset.todoSupersede),
    contextSupersede: isOn(keys.contextSupersede, preset.contextSupersede),
    searchSupersede: isOn(keys.searchSupersede, preset.searchSupersede),
    purgeErrors: {
      ...over(purgeErrors, keys.purgeErrors),
      protectedTools: joined(purgeErrors.protectedTools, toolsOf(keys.purgeErrors)),
    },
    oldInputs: over(preset.oldInputs, keys.oldInputs),
    pruneThinking: over(preset.pruneThinking, keys.pruneThinking),
    planSupersede: isOn(keys.planSupersede, preset.planSupersede),
    screenshotSupersede: isOn(keys.screenshotSupersede, preset.screenshotSupersede),
    reminderSupersede: isOn(keys.reminderSupersede, preset.reminderSupersede),
    skillListings: over(preset.skillListings, keys.skillListings),
    skillTexts: over(preset.skillTexts, keys.skillTexts),
  }
}

type TenKey =
  | 'pruneToolInputs'
  | 'pruneStepMarkers'
  | 'pruneSourceUrls'
  | 'pruneFiles'
  | 'pruneSnapshots'
  | 'pruneRetryParts'
  | 'pruneUserCodeBlocks'
  | 'truncateOldErrors'
  | 'stateQuerySupersede'

/** The tenth, `aggressiveFilePrune`, is a file policy. */
function tenKeys({ aggressivePruning = {} }: Strategies, preset: Settings): Resolved<TenKey> {
  const named = aggressivePruning.preset
  const base = named === undefined ? preset : presets[named]
  return {
    pruneToolInputs: aggressivePruning.pruneToolInputs ?? base.pruneToolInputs,
    pruneStepMarkers: aggressivePruning.pruneStepMarkers ?? base.pruneStepMarkers,
    pruneSourceUrls: aggressivePruning.pruneSourceUrls ?? base.pruneSourceUrls,
    pruneFiles: aggressivePruning.pruneFiles ?? base.pruneFiles,
    pruneSnapshots: aggressivePruning.pruneSnapshots ?? base.pruneSnapshots,
    pruneRetryParts: aggressivePruning.pruneRetryParts ?? base.pruneRetryParts,
    pruneUserCodeBlocks: aggressivePruning.pruneUserCodeBlocks ?? base.pruneUserCodeBlocks,
    truncateOldErrors: over(base.truncateOldErrors, aggressivePruning.truncateOldErrors),
    stateQuerySupersede: aggressivePruning.stateQuerySupersede ?? base.stateQuerySupersede,
  }
}

/** Setting the size from which output is cut turns cutting on. */
function largeOutputs(config: ConfigFile, preset: Settings): Settings['largeOutputs'] {
  const { bashTruncate } = config
  const own = config.strategies?.largeOutputs
  const fallback = preset.largeOutputs.enabled || bashTruncate !== undefined
  return {
    enabled: isOn(own, fallback),
    bashTruncate: bashTruncate ?? preset.largeOutputs.bashTruncate,
    allTools: (typeof own === 'object' ? own.allTools : undefined) ?? preset.largeOutputs.allTools,
  }
}

type ProtectionKey = 'protectedTools' | 'protectedFilePatterns' | 'agentProtectedTools'

/**
 * ACP has one list for both protections, and documents that `todowrite`, which is on it, is still superseded. So the
 * built-in list protects from the agent, and what the user added is protected from everything.
 */
function protection(config: ConfigFile, preset: Settings): Resolved<ProtectionKey> {
  const listed = config.tools?.settings?.protectedTools ?? []
  const added = listed.filter((tool) => !builtInProtectedTools.includes(tool.toLowerCase()))
  const protectedTools = joined(preset.protectedTools, config.protectedTools ?? [], added)
  return {
    protectedTools,
    protectedFilePatterns: joined(preset.protectedFilePatterns, config.protectedFilePatterns ?? []),
    agentProtectedTools: joined(preset.agentProtectedTools, protectedTools),
  }
}

/** `turns` without `enabled` turns protection on; `enabled` without `turns` means 4, as DCP documents. */
function protectedTurns(value: ConfigFile['turnProtection'], preset: number): number {
  if (value === undefined) return preset
  if (typeof value === 'number') return value
  if (value.enabled === false) return 0
  return value.turns ?? (value.enabled === true ? preset || 4 : preset)
}

function isOn(value: Switch | undefined, fallback: boolean): boolean {
  return typeof value === 'object' ? (value.enabled ?? fallback) : (value ?? fallback)
}

/** The preset, overridden by the members that are set. A boolean sets `enabled`. */
function over<Type extends { readonly enabled: boolean }>(
  preset: Type,
  value: boolean | { readonly [Key in keyof Type]?: Type[Key] | undefined } | undefined,
): Type {
  if (value === undefined) return preset
  if (typeof value === 'boolean') return { ...preset, enabled: value }
  return { ...preset, ...named(value) }
}

function named<Keys extends object>(
  value: Keys,
): { [Key in keyof Keys]?: Exclude<Keys[Key], undefined> } {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries) as { [Key in keyof Keys]?: Exclude<Keys[Key], undefined> }
}

function toolsOf(
  value: Strategies['deduplication'] | Strategies['purgeErrors'],
): readonly string[] {
  return typeof value === 'object' ? (value.protectedTools ?? []) : []
}

function joined(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())]
}
