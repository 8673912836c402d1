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

/** What an engine has to know of the agent that it works for. */
export interface EnginePlace {
  /** The folder that the agent works in. */
  readonly cwd: string | null
  readonly model: string | null
}

/** Makes engines as the configuration says. */
export interface EngineMaker {
  readonly settings: Settings
  readonly protection: Protection
  /** `ledger` holds the decisions of an earlier process. */
  make(ledger: readonly LedgerEntry[], place: EnginePlace): Engine
}

/** An epoch on a warm cache removes at least this share of the context, so a session has few of them. */
const leastEpochShare = 0.25

/** Where doors differ, and why. */
export interface EngineMakerOptions {
  /**
   * Replaces what the configuration says. The plugin's settings change while it runs (manual mode), and the training of
   * `retention` tries values that no configuration has.
   */
  readonly settings?: Settings
  /**
   * Whether the reasoning of an unknown model counts as bound to what stands before it; true when left out. The gateway
   * cannot know what an alias stands for, and a provider that checks would refuse its requests. OpenCode names the model,
   * and a replay sends nothing.
   */
  readonly bindsUnknown?: boolean
  /** See `EngineOptions`. Left out where each request says how originals come back, as it does in the gateway. */
  readonly restore?: EngineOptions['restore']
}

/**
 * The one way from a configuration to an engine. Gateway, OpenCode plugin, MCP server, replay and benchmark all use it, so
 * a recording is measured under the rules that hold live.
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
    make: (ledger, { cwd, model }) =>
      createEngine({
        settings: isBound(model) ? neverEager(settings) : settings,
        understanding: () => createUnderstanding({ cwd, mappings: config.toolMappings }),
        protection,
        ledger,
        regimes: named === undefined ? 'model' : [named],
        models: config.models,
        leastShare: leastEpochShare,
        restore: options.restore,
      }),
  }
}

/** Where a provider checks what stands before its reasoning, nothing that was sent can change at any time. */
function neverEager(settings: Settings): Settings {
  if (settings.schedule !== 'eager') return settings
  // A copy of the values would miss a manual mode that is switched later.
  return Object.defineProperties({} as Settings, {
    ...Object.getOwnPropertyDescriptors(settings),
    schedule: { value: 'economic', enumerable: true },
  })
}
