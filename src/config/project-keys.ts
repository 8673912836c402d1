import { isJsonObject } from '../core/words/json.ts'
import type { ConfigFile } from './config.ts'

/**
 * Whether a key in a project's file counts.
 *
 * - `project`: yes. It changes how the project's own conversation is shown, as any preset could; originals stay restorable.
 * - `joined`: a protecting list. It is added to what is protected already; patterns that begin with `!` are ignored.
 * - `stricter`: only when it is at least as careful as the configuration without it.
 * - `user`: only in a folder that the user trusts. It names a place, adds text to the prompt, states prices, or decides
 *   what the user is told.
 */
export type KeyRule = 'project' | 'joined' | 'stricter' | 'user'

/** The rule for every key of the schema. A key without a row of its own has that of the object around it. */
export const keyRules: Readonly<Record<string, KeyRule>> = {
  $schema: 'project',
  enabled: 'stricter',
  preset: 'stricter',
  files: 'project',
  schedule: 'project',
  regime: 'user',
  models: 'user',
  contextLimit: 'user',
  protectedTools: 'joined',
  protectedFilePatterns: 'joined',
  secretFilePatterns: 'joined',
  turnProtection: 'stricter',
  manualMode: 'stricter',
  pruneNotification: 'user',
  'strategies.deduplication': 'project',
  'strategies.deduplication.protectedTools': 'joined',
  'strategies.supersedeWrites': 'project',
  'strategies.supersedeReads': 'project',
  'strategies.todoSupersede': 'project',
  'strategies.contextSupersede': 'project',
  'strategies.searchSupersede': 'project',
  'strategies.purgeErrors': 'project',
  'strategies.purgeErrors.protectedTools': 'joined',
  'strategies.admission': 'project',
  'strategies.pruneReplacedText': 'project',
  'strategies.retention': 'project',
  'strategies.largeOutputs': 'project',
  'strategies.oldInputs': 'project',
  'strategies.pruneThinking': 'project',
  'strategies.planSupersede': 'project',
  'strategies.screenshotSupersede': 'project',
  'strategies.reminderSupersede': 'project',
  'strategies.skillListings': 'project',
  'strategies.skillTexts': 'project',
  'strategies.aggressivePruning': 'project',
  maxFileReads: 'project',
  keepAllEdits: 'project',
  bashTruncate: 'project',
  recentResults: 'project',
  recentOnly: 'project',
  compressEdits: 'project',
  budgetShare: 'project',
  editIntent: 'project',
  'tools.settings.protectedTools': 'joined',
  'tools.todoReminder': 'project',
  'tools.automataMode': 'project',
  triggers: 'project',
  subAgents: 'stricter',
  store: 'user',
  encryption: 'user',
  record: 'stricter',
  gc: 'user',
  log: 'user',
  memory: 'user',
  'memory.inject': 'stricter',
  'memory.learn': 'stricter',
  toolMappings: 'project',
  upstreams: 'user',
  allowedHosts: 'user',
  limits: 'user',
  delegateClears: 'user',
  verify: 'user',
}

/** The part of a project's configuration that counts, and what was refused, by the paths of the keys. */
export interface ProjectPart {
  readonly config: ConfigFile
  readonly refused: Readonly<Record<string, unknown>>
}

/**
 * The part of a project's file that counts without the user's consent. A project may come from anywhere: it may make
 * Palimpsest more careful, never more powerful.
 */
export function projectPart(file: ConfigFile, base: ConfigFile): ProjectPart {
  const refused: Record<string, unknown> = {}

  function taken(value: unknown, path: string, above: KeyRule): unknown {
    const rule = keyRules[path] ?? above
    const isSplit = Object.keys(keyRules).some((key) => key.startsWith(`${path}.`))
    if (isJsonObject(value) && (isSplit || rule === 'user')) {
      const part = takenKeys(value, `${path}.`, rule)
      return Object.keys(part).length === 0 ? undefined : part
    }
    if (rule === 'project') return value
    if (rule === 'joined' && Array.isArray(value)) return joinedList(value, path)
    if (rule === 'stricter' && isStricter(path, value, base)) return value
    refused[path] = value
    return undefined
  }

  function takenKeys(from: object, prefix: string, above: KeyRule): object {
    const entries = Object.entries(from)
      .map(([key, value]) => [key, taken(value, `${prefix}${key}`, above)] as const)
      .filter(([, value]) => value !== undefined)
    return Object.fromEntries(entries)
  }

  /** The last pattern that fits decides, so an exception would end a protection that the user asked for. */
  function joinedList(list: readonly unknown[], path: string): unknown {
    const exceptions = list.filter((each) => typeof each === 'string' && each.startsWith('!'))
    if (exceptions.length > 0) refused[path] = exceptions
    return list.filter((each) => !exceptions.includes(each))
  }

  return { config: takenKeys(file, '', 'user') as ConfigFile, refused }
}

/** Everything in a file that needs consent under some user's configuration, so that it does not depend on this user's. */
export function askedFor(file: ConfigFile): Readonly<Record<string, unknown>> {
  const strictest = { preset: 'off', enabled: false, subAgents: false, manualMode: true } as const
  return projectPart(file, { ...strictest, turnProtection: Number.MAX_SAFE_INTEGER }).refused
}

function isStricter(path: string, value: unknown, base: ConfigFile): boolean {
  switch (path) {
    case 'enabled':
    case 'subAgents':
      return value === false || base[path] !== false
    case 'memory.inject':
      return value === false || base.memory?.inject === true
    case 'memory.learn':
      return value === false || base.memory?.learn === true
    case 'preset':
      return base.preset !== 'off' || value === 'off'
    case 'record':
      return value === 'none' || base.record !== 'none'
    case 'turnProtection':
      return turnsOf(value, 4) >= turnsOf(base.turnProtection, 4)
    case 'manualMode':
      return base.manualMode === undefined || isManual(value)
    default:
      return false
  }
}

function isManual(value: unknown): boolean {
  if (!isJsonObject(value)) return value === true
  const { enabled, automaticStrategies } = value as Readonly<Record<string, unknown>>
  return enabled !== false && automaticStrategies !== true
}

function turnsOf(value: unknown, enabledTurns: number): number {
  if (typeof value === 'number') return value
  if (!isJsonObject(value)) return 0
  const { enabled, turns } = value as { enabled?: boolean; turns?: number }
  return enabled === false ? 0 : (turns ?? enabledTurns)
}
