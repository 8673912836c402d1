import { createUnderstanding } from '../actions/understand.ts'
import { createEngine, type Engine, type EngineOptions } from '../core/engine.ts'
import type { Protection } from '../core/guard/guard.ts'
import { modelFacts } from '../core/schedule/models/model-facts.ts'
import { findRegime } from '../core/schedule/regimes.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Config } from './config.ts'
import { createProtection } from './protection.ts'
import { resolveSettings } from './resolve.ts'
import { type AsRecorded, createAsRecorded, usualSecretFiles } from './secret-files.ts'

/** What an engine needs to know about its agent. */
export interface EnginePlace {
  /** The folder that the agent works in. */
  readonly cwd: string | null
  readonly model: string | null
}

/** Makes engines for a configuration. */
export interface EngineMaker {
  readonly settings: Settings
  readonly protection: Protection
  readonly asRecorded: AsRecorded
  /** See `EngineOptions`. Sessions are only found again by handles of the same length. */
  readonly handleLength: EngineOptions['handleLength']
  /** `ledger` holds the decisions of an earlier process. */
  make(ledger: readonly LedgerEntry[], place: EnginePlace): Engine
}

/** What differs between gateway, plugin and replay, and why. */
export interface EngineMakerOptions {
  /**
   * Replaces the settings of the configuration. The plugin's settings change while it runs (manual mode), and the training
   * of `retention` tries values that no configuration has.
   */
  readonly settings?: Settings
  /**
   * Whether the reasoning of an unknown model counts as bound to what stands before it; true when left out. The gateway
   * cannot know which model an alias means, and a provider that checks would reject its requests. OpenCode names the model,
   * and a replay sends nothing.
   */
  readonly bindsUnknown?: boolean
  /** See `EngineOptions`. The gateway leaves it out, because there each request says how originals come back. */
  readonly restore?: EngineOptions['restore']
  /** See `EngineOptions`. The gateways that call `/v1/compress` recognise handles of 24 digits. */
  readonly handleLength?: EngineOptions['handleLength']
  /** Reads calls and results in another way than `createUnderstanding` does. Users of the library may have one. */
  readonly understanding?: EngineOptions['understanding']
}

/**
 * The only way from a configuration to an engine: gateway, OpenCode plugin, MCP server, replay and benchmark use the same
 * rules.
 */
export function createEngineMaker(config: Config, options: EngineMakerOptions = {}): EngineMaker {
  const { settings = resolveSettings(config), bindsUnknown = true } = options
  const protection = createProtection(settings)
  const named = config.regime === undefined ? undefined : findRegime(config.regime)
  const isBound = (model: string | null): boolean => {
    const { family, reasoning } = modelFacts(model, config.models)
    return reasoning === 'prefix-checked' && (bindsUnknown || family !== 'unknown')
  }
  return {
    settings,
    protection,
    handleLength: options.handleLength,
    asRecorded: createAsRecorded([...usualSecretFiles, ...(config.secretFilePatterns ?? [])], {
      mappings: config.toolMappings,
    }),
    make: (ledger, { cwd, model }) =>
      createEngine({
        settings: isBound(model) ? neverEager(settings) : settings,
        understanding:
          options.understanding ??
          (() => createUnderstanding({ cwd, mappings: config.toolMappings })),
        protection,
        ledger,
        regimes: named === undefined ? 'model' : [named],
        models: config.models,
        restore: options.restore,
        handleLength: options.handleLength,
      }),
  }
}

/** A provider that checks what stands before its reasoning allows no change at arbitrary times. */
function neverEager(settings: Settings): Settings {
  if (settings.schedule !== 'eager') return settings
  // Descriptors, because a copy of the values would miss later changes of the manual mode.
  return Object.defineProperties({} as Settings, {
    ...Object.getOwnPropertyDescriptors(settings),
    schedule: { value: 'economic', enumerable: true },
  })
}
