import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import type { Engine } from '../core/engine.ts'
import type { Recording } from '../recordings/recording.ts'

export interface EngineForOptions {
  readonly config: Config
  /** What placeholders name; `context_restore` when left out, because a recording does not say what the agent had. */
  readonly restore?: string
  /** Told of every error inside the engine; the request in question went through unchanged. */
  readonly onFault?: (fault: unknown) => void
}

/** The engine that would have run beside a recorded session. */
export function engineFor(
  recording: Recording,
  { config, restore = 'context_restore', onFault }: EngineForOptions,
): Engine {
  const { cwd, model } = recording
  const engine = createEngineMaker(config, {
    bindsUnknown: false,
    restore: { tool: restore },
  }).make([], { cwd, model })
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
