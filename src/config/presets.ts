import type { Settings } from '../core/words/settings.ts'
import type { PresetName } from './config.ts'

/** Protected from the agent, not from supersession. */
export const builtInProtectedTools: readonly string[] = [
  'task',
  'todowrite',
  'todoread',
  'context_info',
  'context_prune',
  'batch',
  'write',
  'edit',
  'plan_enter',
  'plan_exit',
]

/** The tools that DCP documents as protected from its strategies. */
const dcpProtectedTools: readonly string[] = ['task', 'skill', 'todowrite', 'todoread']

/** Every strategy off. The numbers apply once a key turns one on. */
const nothing: Settings = {
  preset: 'off',
  enabled: true,
  schedule: 'eager',
  files: 'none',
  deduplication: { enabled: false, mode: 'supersede', protectedTools: [] },
  todoSupersede: false,
  contextSupersede: false,
  searchSupersede: false,
  pruneSourceUrls: false,
  stateQuerySupersede: false,
  pruneSnapshots: false,
  pruneRetryParts: false,
  pruneToolInputs: false,
  pruneStepMarkers: false,
  pruneFiles: false,
  pruneUserCodeBlocks: false,
  truncateOldErrors: { enabled: false, turns: 3 },
  purgeErrors: { enabled: false, turns: 4, protectedTools: [] },
  supersedeWrites: false,
  largeOutputs: { enabled: false, bashTruncate: 10_000, allTools: false },
  admission: { enabled: false, wholeChars: 8000 },
  pruneReplacedText: false,
  oldInputs: { enabled: false, turns: 40 },
  retention: { enabled: false, risk: 0.3 },
  pruneThinking: { enabled: false, turns: 3 },
  planSupersede: false,
  screenshotSupersede: false,
  reminderSupersede: false,
  skillListings: { enabled: false, turns: 20 },
  skillTexts: { enabled: false, turns: 20 },
  history: {
    maxFileReads: 5,
    keepAllEdits: true,
    recentResults: 30,
    budgetShare: 0.7,
    compressEdits: false,
    recentOnly: false,
  },
  protectedTools: [],
  protectedFilePatterns: [],
  agentProtectedTools: builtInProtectedTools,
  turnProtection: 0,
  manualMode: { enabled: false, automaticStrategies: true },
  contextLimit: null,
  triggers: { historicalTokens: 80_000, aggressiveTokens: 100_000, thinkingTokens: 20_000 },
  editIntent: false,
  todoReminder: {
    enabled: false,
    initialTurns: 8,
    repeatTurns: 4,
    stuckTaskTurns: 12,
    maxContextTokens: 100_000,
  },
  automataMode: { enabled: false, initialTurns: 8 },
  pruneNotification: 'minimal',
}

/** Every kind of result that a newer one replaces, and what a host stores and a model does not need. */
const replaced = {
  todoSupersede: true,
  contextSupersede: true,
  searchSupersede: true,
  pruneSourceUrls: true,
  stateQuerySupersede: true,
  pruneSnapshots: true,
  pruneRetryParts: true,
  pruneToolInputs: true,
  pruneStepMarkers: true,
} as const

/** Removes what newer results have replaced, and shortens large outputs and old errors. */
const balanced: Settings = {
  ...nothing,
  preset: 'balanced',
  schedule: 'economic',
  files: 'current-view',
  deduplication: { enabled: true, mode: 'pointer', protectedTools: [] },
  ...replaced,
  admission: { enabled: true, wholeChars: 8000 },
  largeOutputs: { ...nothing.largeOutputs, allTools: true },
  pruneReplacedText: true,
  oldInputs: { enabled: true, turns: 40 },
  pruneThinking: { enabled: true, turns: 10 },
  planSupersede: true,
  screenshotSupersede: true,
  reminderSupersede: true,
  skillListings: { enabled: true, turns: 20 },
  skillTexts: { enabled: true, turns: 20 },
  retention: { enabled: true, risk: 0.45 },
  truncateOldErrors: { enabled: true, turns: 3 },
  turnProtection: 1,
}

const acp: Settings = {
  ...nothing,
  preset: 'acp',
  files: 'one-view',
  deduplication: { enabled: true, mode: 'supersede', protectedTools: [] },
  ...replaced,
  pruneFiles: true,
  pruneUserCodeBlocks: true,
  truncateOldErrors: { enabled: true, turns: 3 },
  purgeErrors: { enabled: true, turns: 3, protectedTools: [] },
  largeOutputs: { ...nothing.largeOutputs, enabled: true, allTools: true },
  pruneThinking: { enabled: true, turns: 3 },
  todoReminder: { ...nothing.todoReminder, enabled: true },
  automataMode: { enabled: true, initialTurns: 8 },
}

const dcp: Settings = {
  ...nothing,
  preset: 'dcp',
  schedule: 'on-demand',
  files: 'supersede-reads',
  deduplication: { enabled: true, mode: 'supersede', protectedTools: dcpProtectedTools },
  purgeErrors: { enabled: true, turns: 4, protectedTools: dcpProtectedTools },
  pruneNotification: 'detailed',
}

const history: Settings = {
  ...nothing,
  preset: 'history',
  files: 'first-last',
  largeOutputs: { ...nothing.largeOutputs, enabled: true },
  history: { ...nothing.history, recentOnly: true },
  editIntent: true,
}

export const presets: Readonly<Record<PresetName, Settings>> = {
  balanced,
  compact: {
    ...balanced,
    preset: 'compact',
    admission: { enabled: true, wholeChars: 2000 },
    pruneUserCodeBlocks: true,
    retention: { enabled: true, risk: 0.6 },
  },
  verbose: {
    ...balanced,
    preset: 'verbose',
    turnProtection: 8,
    // Nothing is shortened before the protected turns are over, however large it is.
    admission: nothing.admission,
    pruneToolInputs: false,
    pruneReplacedText: false,
    oldInputs: nothing.oldInputs,
    pruneThinking: nothing.pruneThinking,
    skillListings: nothing.skillListings,
    skillTexts: nothing.skillTexts,
    pruneRetryParts: false,
    retention: { enabled: true, risk: 0.15 },
    truncateOldErrors: nothing.truncateOldErrors,
  },
  acp,
  dcp,
  history,
  off: { ...nothing, enabled: false },
}
