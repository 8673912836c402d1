import { describe, expect, it } from 'vitest'
import type { Settings } from '../core/words/settings.ts'
import { type ConfigFile, presetNames } from './config.ts'
import { builtInProtectedTools, presets } from './presets.ts'
import { resolveSettings } from './resolve.ts'

const ten = {
  pruneToolInputs: true,
  pruneStepMarkers: true,
  pruneSourceUrls: true,
  pruneFiles: true,
  pruneSnapshots: true,
  pruneRetryParts: true,
  pruneUserCodeBlocks: true,
  truncateOldErrors: true,
  aggressiveFilePrune: true,
  stateQuerySupersede: true,
}

describe('a preset', () => {
  it.each(presetNames)('%s resolves to itself when no key is given', (preset) => {
    expect(resolveSettings({ preset })).toEqual(presets[preset])
  })

  it('is balanced when none is named', () => {
    expect(resolveSettings({})).toEqual(presets.balanced)
    expect(presets.balanced).toMatchObject({ files: 'current-view', schedule: 'economic' })
  })

  it('balanced hides nothing but old reasoning, old inputs and texts about skills for its age alone', () => {
    expect(presets.balanced).toMatchObject({
      pruneUserCodeBlocks: false,
      pruneFiles: false,
      truncateOldErrors: { enabled: true },
      purgeErrors: { enabled: false },
      largeOutputs: { enabled: false },
      pruneThinking: { enabled: true, turns: 10 },
      oldInputs: { enabled: true, turns: 40 },
      skillListings: { enabled: true, turns: 20 },
      skillTexts: { enabled: true, turns: 20 },
      history: { compressEdits: false, recentOnly: false },
      todoReminder: { enabled: false },
      automataMode: { enabled: false },
    })
  })

  it('compact and verbose differ from balanced in what they are for', () => {
    const { balanced, compact, verbose } = presets
    expect(compact).toEqual({
      ...balanced,
      preset: 'compact',
      admission: { enabled: true, wholeChars: 2000 },
      pruneUserCodeBlocks: true,
      retention: { enabled: true, risk: 0.6 },
    })
    expect(verbose).toEqual({
      ...balanced,
      preset: 'verbose',
      turnProtection: 8,
      admission: { enabled: false, wholeChars: 8000 },
      pruneToolInputs: false,
      pruneReplacedText: false,
      oldInputs: { enabled: false, turns: 40 },
      pruneThinking: { enabled: false, turns: 3 },
      skillListings: { enabled: false, turns: 20 },
      skillTexts: { enabled: false, turns: 20 },
      pruneRetryParts: false,
      retention: { enabled: true, risk: 0.15 },
      truncateOldErrors: { enabled: false, turns: 3 },
    })
  })

  it('acp has the ten keys, three turns, the reminders, and protects its list from the agent only', () => {
    const { aggressiveFilePrune, truncateOldErrors, ...flags } = ten
    expect(presets.acp).toMatchObject({
      ...flags,
      files: 'one-view',
      schedule: 'eager',
      truncateOldErrors: { enabled: truncateOldErrors, turns: 3 },
      purgeErrors: { enabled: true, turns: 3 },
      todoReminder: { enabled: true, initialTurns: 8, repeatTurns: 4, stuckTaskTurns: 12 },
      agentProtectedTools: builtInProtectedTools,
      protectedTools: [],
    })
    expect(resolveSettings({ preset: 'acp', strategies: { aggressivePruning: ten } })).toEqual(
      presets.acp,
    )
  })

  it('off stays off, whatever another file says', () => {
    expect(resolveSettings({ preset: 'off', enabled: true }).enabled).toBe(false)
  })
})

describe('the file policy', () => {
  const policy = (config: ConfigFile): Settings['files'] => resolveSettings(config).files
  const aggressive = (aggressiveFilePrune: boolean): ConfigFile['strategies'] => ({
    aggressivePruning: { aggressiveFilePrune },
  })
  const reads = (supersedeReads: boolean): ConfigFile['strategies'] => ({ supersedeReads })

  it('is what `files` says before anything else', () => {
    const strategies = { ...aggressive(true), ...reads(true) }
    expect(policy({ files: 'overwrite', preset: 'acp', strategies })).toBe('overwrite')
  })

  it('is one-view with aggressiveFilePrune, which beats supersedeReads', () => {
    expect(policy({ strategies: aggressive(true) })).toBe('one-view')
    expect(policy({ strategies: { ...aggressive(true), ...reads(true) } })).toBe('one-view')
    expect(policy({ preset: 'acp', strategies: reads(true) })).toBe('one-view')
  })

  it('is supersede-reads with supersedeReads', () => {
    expect(policy({ strategies: reads(true) })).toBe('supersede-reads')
    expect(policy({ strategies: { ...aggressive(false), ...reads(true) } })).toBe('supersede-reads')
  })

  it('falls back step by step when a key takes the policy of the preset away', () => {
    expect(policy({ preset: 'acp', strategies: aggressive(false) })).toBe('latest-change')
    expect(policy({ preset: 'acp', strategies: { ...aggressive(false), ...reads(false) } })).toBe(
      'none',
    )
    expect(policy({ preset: 'dcp', strategies: reads(false) })).toBe('none')
    expect(policy({ strategies: { ...aggressive(false), ...reads(false) } })).toBe('current-view')
  })
})

describe('protection', () => {
  it("of ACP's list reaches supersession only for tools beyond the built-in ones", () => {
    const tools = { settings: { protectedTools: ['TodoWrite', 'write', 'deploy'] } }
    const settings = resolveSettings({ preset: 'acp', tools })
    expect(settings.protectedTools).toEqual(['deploy'])
    expect(settings.agentProtectedTools).toEqual([...builtInProtectedTools, 'deploy'])
  })

  it('by `protectedTools` is from everything, built-in or not', () => {
    const settings = resolveSettings({ protectedTools: ['todowrite', 'deploy'] })
    expect(settings.protectedTools).toEqual(['todowrite', 'deploy'])
    expect(settings.agentProtectedTools).toEqual([...builtInProtectedTools, 'deploy'])
  })

  it('of a single strategy adds to what its preset protects', () => {
    const strategies = { deduplication: { protectedTools: ['lookup'] } }
    expect(resolveSettings({ preset: 'dcp', strategies }).deduplication).toEqual({
      enabled: true,
      mode: 'supersede',
      protectedTools: ['task', 'skill', 'todowrite', 'todoread', 'lookup'],
    })
  })

  it.each([
    [{ enabled: false, turns: 4 }, 0],
    [{ enabled: true, turns: 6 }, 6],
    [{ enabled: true }, 4],
    [{ turns: 2 }, 2],
    [{}, 0],
    [3, 3],
  ])('of turns, given as %o under dcp, is of %i', (turnProtection, turns) => {
    expect(resolveSettings({ preset: 'dcp', turnProtection }).turnProtection).toBe(turns)
  })
})

describe('large outputs', () => {
  it('are cut when a size is named, unless they are switched off', () => {
    expect(resolveSettings({ bashTruncate: 500 }).largeOutputs).toEqual({
      enabled: true,
      bashTruncate: 500,
      allTools: true,
    })
    const strategies = { largeOutputs: false }
    expect(resolveSettings({ bashTruncate: 500, strategies }).largeOutputs.enabled).toBe(false)
  })
})
