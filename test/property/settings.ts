import * as fc from 'fast-check'
import { createUnderstanding } from '../../src/actions/understand.ts'
import type { PresetName } from '../../src/config/config.ts'
import { presets } from '../../src/config/presets.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine } from '../../src/core/engine.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import type { FilePolicy, Settings } from '../../src/core/words/settings.ts'
import { root } from './world.ts'

export const presetNames: readonly PresetName[] = Object.keys(presets) as PresetName[]

const policies: readonly FilePolicy[] = [
  'one-view',
  'overwrite',
  'supersede-reads',
  'first-last',
  'current-view',
  'none',
]

export const presetSettings: fc.Arbitrary<Settings> = fc
  .constantFrom(...presetNames)
  .map((preset) => resolveSettings({ preset }))

/** A preset, half of the time with a person's own keys over it. */
export const someSettings: fc.Arbitrary<Settings> = fc.oneof(
  presetSettings,
  fc
    .record({
      preset: fc.constantFrom(...presetNames),
      files: fc.constantFrom(...policies),
      turnProtection: fc.nat(3),
      protectedTools: fc.constant(['secret_tool']),
      protectedFilePatterns: fc.constantFrom([], ['**/.env', 'docs/**']),
      bashTruncate: fc.constantFrom(500, 10_000),
      contextLimit: fc.constantFrom(null, 2_000),
      recentResults: fc.constantFrom(3, 30),
      strategies: fc.record({
        deduplication: fc.record({
          enabled: fc.constant(true),
          mode: fc.constantFrom('supersede' as const, 'pointer' as const),
        }),
        supersedeWrites: fc.boolean(),
        pruneThinking: fc.boolean(),
      }),
    })
    .map((config) => resolveSettings(config)),
)

export function engineFor(settings: Settings, ledger: readonly LedgerEntry[] = []): Engine {
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    ledger,
    understanding: createUnderstanding({ cwd: root }),
    protection: createProtection(settings),
  })
}
