/** Which program a configuration file was written for. */
export type Dialect = 'palimpsest' | 'acp' | 'dcp'

/**
 * Keys that a release of ACP or DCP documents and that have no effect here: Palimpsest has no `compress` tool, sends no
 * nudges and does not update itself. A name covers all keys below it.
 */
const foreignKeys = new Set([
  'allowSubAgents',
  'autoUpdate',
  'commands',
  'compress',
  'debug',
  'experimental',
  'gc',
  'iterationNudgeThreshold',
  'logLevel',
  'messageFilters',
  'nudgeForce',
  'nudgeFrequency',
  'pruneNotificationType',
  'pruningSummary',
  'qualityGate',
  'showModelErrorToasts',
  'showUpdateToasts',
  'strategies.discardTool',
  'strategies.extractTool',
  'strategies.onIdle',
  'strategies.pruneThinkingBlocks',
  'strategies.pruneTool',
  'tools.compress',
  'tools.discard',
  'tools.distill',
  'tools.extract',
  'tools.prune',
  'tools.settings.contextLimit',
  'tools.settings.enableAssistantMessagePruning',
  'tools.settings.enableReasoningPruning',
  'tools.settings.enableVisibleAssistantHashes',
  'tools.settings.modelLimits',
  'tools.settings.nudgeEnabled',
  'tools.settings.nudgeFrequency',
  'tools.squash',
])

export function isForeignKey(path: readonly string[]): boolean {
  return foreignKeys.has(path.join('.'))
}

/** Decided by the `$schema` of the file, or else by its name (`acp.jsonc`). */
export function dialectOf(fileName: string, schema: unknown): Dialect {
  if (typeof schema === 'string') {
    if (/\bpalimpsest\b/i.test(schema)) return 'palimpsest'
    if (/\bacp\b/i.test(schema)) return 'acp'
    if (/\bdcp\b/i.test(schema)) return 'dcp'
  }
  const words = fileName.toLowerCase().split(/[^a-z0-9]+/)
  if (words.includes('palimpsest')) return 'palimpsest'
  if (words.includes('acp')) return 'acp'
  return words.includes('dcp') ? 'dcp' : 'palimpsest'
}
