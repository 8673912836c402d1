import { createUnderstanding } from '../actions/understand.ts'
import type { Config, PresetName } from '../config/config.ts'
import { createProtection } from '../config/protection.ts'
import { resolveSettings } from '../config/resolve.ts'
import { createEngine, type Engine } from '../core/engine.ts'
import type { Recording } from '../recordings/recording.ts'

export interface EngineForOptions {
  readonly config: Config
  /** Takes the place of the configuration's own preset. */
  readonly preset?: PresetName | undefined
}

/** The engine that would have run beside a recorded session. */
export function engineFor(recording: Recording, { config, preset }: EngineForOptions): Engine {
  const settings = resolveSettings(preset === undefined ? config : { ...config, preset })
  return createEngine({
    settings,
    understanding: () => createUnderstanding({ cwd: recording.cwd, mappings: config.toolMappings }),
    protection: createProtection(settings),
  })
}
