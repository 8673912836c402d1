/** Whose configuration a file is. */
export type Dialect = 'palimpsest' | 'acp' | 'dcp'

/**
 * Keys that ACP or DCP document, in any of their releases, and that mean nothing here: Palimpsest has no `compress` tool, no
 * nudges and no update of itself. A name stands for all below it.
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

/** By the schema that it names, whatever the file is called by now, or else by the name that both document (`acp.jsonc`). */
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
