import { describe, expect, it } from 'vitest'
import type { Settings } from '../core/words/settings.ts'
import type { ConfigFile } from './config.ts'
import { parseConfig } from './parse.ts'
import { resolveSettings } from './resolve.ts'
import { allKeys } from './schema-keys.ts'

interface Row {
  /** What else must be said for the key to be seen. */
  readonly with?: ConfigFile
  /** Values, and the part of the settings that each must give. */
  readonly gives: readonly (readonly [value: unknown, settings: unknown])[]
}

const flag = (setting: keyof Settings, preset: ConfigFile['preset'] = 'balanced'): Row => ({
  with: { preset },
  gives: [
    [true, { [setting]: true }],
    [false, { [setting]: false }],
  ],
})

const object = (setting: keyof Settings, member: string, values: readonly unknown[]): Row => ({
  gives: values.map((value) => [value, { [setting]: { [member]: value } }]),
})

const onOff = (setting: keyof Settings): Row => object(setting, 'enabled', [true, false])

const short = (setting: keyof Settings): Row => ({
  gives: [true, false].map((value) => [value, { [setting]: { enabled: value } }]),
})

const plain = (setting: keyof Settings, values: readonly unknown[]): Row => ({
  gives: values.map((value) => [value, { [setting]: value }]),
})

const historyKey = (member: string, values: readonly unknown[]): Row =>
  object('history', member, values)

const list = (setting: keyof Settings): Row => ({
  gives: [[['one', 'two*'], { [setting]: ['one', 'two*'] }]],
})

const rows: Readonly<Record<string, Row>> = {
  record: { gives: [['none', { schedule: 'admission-only', retention: { enabled: false } }]] },
  enabled: plain('enabled', [false, true]),
  preset: plain('preset', ['acp', 'verbose']),
  files: plain('files', ['overwrite', 'first-last', 'none']),
  schedule: plain('schedule', ['eager', 'on-demand']),
  contextLimit: plain('contextLimit', [200_000, null]),
  protectedTools: list('protectedTools'),
  protectedFilePatterns: list('protectedFilePatterns'),
  turnProtection: plain('turnProtection', [0, 7]),
  'turnProtection.enabled': {
    gives: [
      [true, { turnProtection: 1 }],
      [false, { turnProtection: 0 }],
    ],
  },
  'turnProtection.turns': { gives: [[9, { turnProtection: 9 }]] },
  manualMode: short('manualMode'),
  'manualMode.enabled': onOff('manualMode'),
  'manualMode.automaticStrategies': object('manualMode', 'automaticStrategies', [false, true]),
  pruneNotification: plain('pruneNotification', ['off', 'detailed']),
  'strategies.deduplication': short('deduplication'),
  'strategies.deduplication.enabled': onOff('deduplication'),
  'strategies.deduplication.mode': object('deduplication', 'mode', ['supersede', 'pointer']),
  'strategies.deduplication.protectedTools': object('deduplication', 'protectedTools', [['one']]),
  'strategies.supersedeWrites': flag('supersedeWrites'),
  'strategies.supersedeWrites.enabled': flag('supersedeWrites'),
  'strategies.supersedeReads': {
    with: { preset: 'dcp' },
    gives: [
      [true, { files: 'supersede-reads' }],
      [false, { files: 'none' }],
    ],
  },
  'strategies.supersedeReads.enabled': {
    with: { preset: 'history' },
    gives: [
      [true, { files: 'supersede-reads' }],
      [false, { files: 'first-last' }],
    ],
  },
  'strategies.todoSupersede': flag('todoSupersede'),
  'strategies.todoSupersede.enabled': flag('todoSupersede'),
  'strategies.contextSupersede': flag('contextSupersede'),
  'strategies.contextSupersede.enabled': flag('contextSupersede'),
  'strategies.searchSupersede': flag('searchSupersede'),
  'strategies.searchSupersede.enabled': flag('searchSupersede'),
  'strategies.purgeErrors': short('purgeErrors'),
  'strategies.purgeErrors.enabled': onOff('purgeErrors'),
  'strategies.purgeErrors.turns': object('purgeErrors', 'turns', [2, 6]),
  'strategies.purgeErrors.protectedTools': object('purgeErrors', 'protectedTools', [['one']]),
  'strategies.admission': short('admission'),
  'strategies.admission.enabled': onOff('admission'),
  'strategies.admission.wholeChars': object('admission', 'wholeChars', [500, 20_000]),
  'strategies.pruneReplacedText': flag('pruneReplacedText'),
  'strategies.pruneReplacedText.enabled': flag('pruneReplacedText'),
  'strategies.retention': short('retention'),
  'strategies.retention.enabled': onOff('retention'),
  'strategies.retention.risk': object('retention', 'risk', [0, 0.5]),
  'strategies.largeOutputs': short('largeOutputs'),
  'strategies.largeOutputs.enabled': onOff('largeOutputs'),
  'strategies.largeOutputs.allTools': object('largeOutputs', 'allTools', [true, false]),
  'strategies.oldInputs': short('oldInputs'),
  'strategies.oldInputs.enabled': onOff('oldInputs'),
  'strategies.oldInputs.turns': object('oldInputs', 'turns', [1, 5]),
  'strategies.pruneThinking': short('pruneThinking'),
  'strategies.pruneThinking.enabled': onOff('pruneThinking'),
  'strategies.pruneThinking.turns': object('pruneThinking', 'turns', [1, 5]),
  'strategies.planSupersede': flag('planSupersede'),
  'strategies.planSupersede.enabled': flag('planSupersede'),
  'strategies.screenshotSupersede': flag('screenshotSupersede'),
  'strategies.screenshotSupersede.enabled': flag('screenshotSupersede'),
  'strategies.reminderSupersede': flag('reminderSupersede'),
  'strategies.reminderSupersede.enabled': flag('reminderSupersede'),
  'strategies.skillListings': short('skillListings'),
  'strategies.skillListings.enabled': onOff('skillListings'),
  'strategies.skillListings.turns': object('skillListings', 'turns', [1, 5]),
  'strategies.skillTexts': short('skillTexts'),
  'strategies.skillTexts.enabled': onOff('skillTexts'),
  'strategies.skillTexts.turns': object('skillTexts', 'turns', [1, 5]),
  'strategies.aggressivePruning.preset': {
    with: { preset: 'acp' },
    gives: [
      ['compact', { pruneUserCodeBlocks: true, pruneFiles: false }],
      ['balanced', { pruneUserCodeBlocks: false, pruneToolInputs: true }],
      ['verbose', { pruneUserCodeBlocks: false, pruneToolInputs: false }],
    ],
  },
  'strategies.aggressivePruning.pruneToolInputs': flag('pruneToolInputs', 'acp'),
  'strategies.aggressivePruning.pruneStepMarkers': flag('pruneStepMarkers', 'acp'),
  'strategies.aggressivePruning.pruneSourceUrls': flag('pruneSourceUrls', 'acp'),
  'strategies.aggressivePruning.pruneFiles': flag('pruneFiles', 'acp'),
  'strategies.aggressivePruning.pruneSnapshots': flag('pruneSnapshots', 'acp'),
  'strategies.aggressivePruning.pruneRetryParts': flag('pruneRetryParts', 'acp'),
  'strategies.aggressivePruning.pruneUserCodeBlocks': flag('pruneUserCodeBlocks', 'acp'),
  'strategies.aggressivePruning.truncateOldErrors': short('truncateOldErrors'),
  'strategies.aggressivePruning.truncateOldErrors.enabled': onOff('truncateOldErrors'),
  'strategies.aggressivePruning.truncateOldErrors.turns': object('truncateOldErrors', 'turns', [5]),
  'strategies.aggressivePruning.aggressiveFilePrune': {
    with: { preset: 'acp' },
    gives: [
      [true, { files: 'one-view' }],
      [false, { files: 'latest-change' }],
    ],
  },
  'strategies.aggressivePruning.stateQuerySupersede': flag('stateQuerySupersede', 'acp'),
  maxFileReads: historyKey('maxFileReads', [2, 9]),
  keepAllEdits: historyKey('keepAllEdits', [false, true]),
  recentResults: historyKey('recentResults', [0, 12]),
  recentOnly: historyKey('recentOnly', [true, false]),
  compressEdits: historyKey('compressEdits', [true, false]),
  budgetShare: historyKey('budgetShare', [0.5]),
  bashTruncate: {
    gives: [[5000, { largeOutputs: { enabled: true, bashTruncate: 5000, allTools: true } }]],
  },
  editIntent: plain('editIntent', [true, false]),
  'tools.settings.protectedTools': {
    gives: [[['skill'], { protectedTools: ['skill'] }]],
  },
  'tools.todoReminder.enabled': onOff('todoReminder'),
  'tools.todoReminder.initialTurns': object('todoReminder', 'initialTurns', [5]),
  'tools.todoReminder.repeatTurns': object('todoReminder', 'repeatTurns', [7]),
  'tools.todoReminder.stuckTaskTurns': object('todoReminder', 'stuckTaskTurns', [20]),
  'tools.todoReminder.maxContextTokens': object('todoReminder', 'maxContextTokens', [50_000]),
  'triggers.historicalTokens': object('triggers', 'historicalTokens', [9_000]),
  'triggers.aggressiveTokens': object('triggers', 'aggressiveTokens', [12_000]),
  'triggers.thinkingTokens': object('triggers', 'thinkingTokens', [3_000]),
  'tools.automataMode.enabled': onOff('automataMode'),
  'tools.automataMode.initialTurns': object('automataMode', 'initialTurns', [3]),
}

/** Keys that only group others, or that are no setting: their effect is tested where they are read. */
const noSetting = [
  '$schema',
  'toolMappings',
  'regime',
  'models',
  'upstreams',
  'allowedHosts',
  'delegateClears',
  'verify',
  'secretFilePatterns',
  'limits.connections',
  'limits.connectionsPerClient',
  'limits.requestsPerClient',
  'limits.idleSeconds',
  'limits.bodyMegabytes',
  'store',
  'encryption.keyFile',
  'gc.olderThan',
  'gc.largerThan',
  'log',
  'subAgents',
  'memory.inject',
  'memory.learn',
  'memory.budgetTokens',
  'memory.extractor.url',
  'memory.extractor.model',
  'memory.extractor.keyVariable',
]
const groups = [
  'encryption',
  'strategies',
  'strategies.aggressivePruning',
  'tools',
  'tools.settings',
  'tools.todoReminder',
  'tools.automataMode',
  'triggers',
  'limits',
  'memory',
  'memory.extractor',
  'gc',
]

const textWith = (row: Row, key: string, value: unknown): string => {
  const steps = key.split('.')
  const nested = steps.reduceRight<unknown>((inside, step) => ({ [step]: inside }), value)
  return JSON.stringify({ ...row.with, ...(nested as object) })
}

const resolved = (text: string): Settings =>
  resolveSettings(parseConfig({ text, where: 'x', fileName: 'x' }).config)

describe('every key of the configuration', () => {
  it('has a row here', () => {
    const keys = allKeys().map((path) => path.join('.'))
    const expected = [...Object.keys(rows), ...noSetting, ...groups].sort()
    expect([...keys].sort()).toEqual(expected)
  })

  it.each(Object.entries(rows))('%s changes the settings', (key, row) => {
    const without = resolved(JSON.stringify(row.with ?? {}))
    const found = row.gives.map(([value, settings]) => {
      const changed = resolved(textWith(row, key, value))
      expect(changed).toMatchObject(settings as object)
      return changed
    })
    expect(found.some((settings) => JSON.stringify(settings) !== JSON.stringify(without))).toBe(
      true,
    )
  })
})

describe('every setting', () => {
  it('is reached by some key', () => {
    const leaves = (value: unknown, path: string): readonly string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
        : [path]
    const at = (settings: Settings, path: string): string =>
      JSON.stringify(
        path
          .split('.')
          .slice(1)
          .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], settings),
      )
    const changes = Object.entries(rows).flatMap(([key, row]) =>
      row.gives.map(([value]) => ({
        before: resolved(JSON.stringify(row.with ?? {})),
        after: resolved(textWith(row, key, value)),
      })),
    )
    const unreached = leaves(resolved('{}'), '').filter((path) =>
      changes.every(({ before, after }) => at(before, path) === at(after, path)),
    )
    expect(unreached).toEqual([])
  })
})
