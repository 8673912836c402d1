import { createUnderstanding } from '../actions/understand.ts'
import type { Config, PresetName } from '../config/config.ts'
import { createProtection } from '../config/protection.ts'
import { resolveSettings } from '../config/resolve.ts'
import { createEngine, type Engine } from '../core/engine.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'

export interface EngineForOptions {
  readonly config: Config
  /** Takes the place of the configuration's own preset. */
  readonly preset?: PresetName | undefined
  /** The prices and cache to follow; without it no bill may be higher under any of the named ones. */
  readonly regime?: Regime | undefined
  /** Told of every error inside the engine; the request in question went through unchanged. */
  readonly onFault?: (fault: unknown) => void
}

/** The engine that would have run beside a recorded session. */
export function engineFor(
  recording: Recording,
  { config, preset, regime, onFault }: EngineForOptions,
): Engine {
  const settings = resolveSettings(preset === undefined ? config : { ...config, preset })
  const engine = createEngine({
    settings,
    understanding: () => createUnderstanding({ cwd: recording.cwd, mappings: config.toolMappings }),
    protection: createProtection(settings),
    models: config.models,
    // A recording does not say which tools the agent had; the texts are those of an agent with this one.
    restore: { tool: 'context_restore' },
    ...(regime === undefined ? {} : { regimes: [regime] }),
  })
  if (onFault === undefined) return engine
  return watched(engine, onFault)
}

/** The same engine, with somebody told when it failed open. */
function watched(engine: Engine, onFault: (fault: unknown) => void): Engine {
  return Object.create(engine, {
    request: {
      value: (...args: Parameters<Engine['request']>): ReturnType<Engine['request']> => {
        const request = engine.request(...args)
        if (request.fault !== null) onFault(request.fault)
        return request
      },
    },
  })
}
