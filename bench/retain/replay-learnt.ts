import { createEngineMaker } from '../../src/config/engine-maker.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { Coefficients } from '../../src/core/words/coefficients.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { traceLines } from '../../src/replay/trace.ts'
import { openSession } from '../../src/session/session.ts'
import { readTrace } from '../score/read-trace.ts'
import type { RegimeName } from '../score/regimes.ts'
import type { TracedSession } from '../score/session.ts'
import type { BenchSession } from '../score/sources.ts'

export interface LearntReplay {
  /** What retention judges by; null is the rules alone. */
  readonly coefficients: Coefficients | null
  /** The price model that the engine is told; it follows the recorded model and usage when left out. */
  readonly regime?: RegimeName | undefined
  /** Changes the default preset. */
  readonly change?: (settings: Settings) => Settings
  /** The engine is told no usage, so nothing confirms or corrects the lifetime of the cache. */
  readonly hidesUsage?: boolean
}

/** The session under the default preset, with given coefficients. */
export function replayLearnt(
  { recording: recorded, file }: BenchSession,
  { coefficients, regime, change = (settings) => settings, hidesUsage = false }: LearntReplay,
): TracedSession {
  const recording = hidesUsage ? withoutUsage(recorded) : recorded
  const config = { toolMappings: [], warnings: [], regime }
  const changed = change(resolveSettings(config))
  const settings = { ...changed, retention: { ...changed.retention, coefficients } }
  const { cwd, model } = recording
  const restore = { tool: 'context_restore' }
  const maker = createEngineMaker(config, { settings, bindsUnknown: false, restore })
  const session = openSession({ id: file, maker, place: { cwd, model }, stored: null })
  const options = { file, policy: 'learnt', regime: regime ?? ('anthropic-5m' as const), session }
  const [traced] = readTrace(traceLines(recording, options))
  if (traced === undefined) throw new Error(`${file} gives no trace`)
  return traced
}

function withoutUsage(recording: Recording): Recording {
  const events = recording.events.map((event) => {
    if (event.kind !== 'message') return event
    const { usage: _, ...message } = event.message
    return { ...event, message }
  })
  return { ...recording, events }
}
