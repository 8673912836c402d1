import { createEngineMaker } from '../../src/config/engine-maker.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { Coefficients } from '../../src/core/words/coefficients.ts'
import { traceLines } from '../../src/replay/trace.ts'
import { openSession } from '../../src/session/session.ts'
import { type PolicyScore, poolScores, type ScoredPair } from '../score/pool.ts'
import { readTrace } from '../score/read-trace.ts'
import { scoreSession } from '../score/score.ts'
import type { TracedSession } from '../score/session.ts'
import type { BenchSession } from '../score/sources.ts'

/** A setting of `retention`; null switches it off. */
export interface RetentionRun {
  readonly risk: number | null
  /** What each session is judged by; null is the rules. */
  coefficientsFor(session: BenchSession): Coefficients | null
}

/** Replays and scores every session by the scorer of the benchmark. */
export function scoreRetention(sessions: readonly BenchSession[], run: RetentionRun): PolicyScore {
  const pairs = sessions.map((session): ScoredPair => {
    const { unpruned, needs, name } = session
    const traced = { ...replayWith(session, run), file: name }
    return {
      score: scoreSession(unpruned, traced, needs),
      none: scoreSession(unpruned, unpruned, needs),
    }
  })
  return poolScores(pairs)
}

function replayWith(session: BenchSession, { risk, coefficientsFor }: RetentionRun): TracedSession {
  const { recording, file } = session
  const config = { toolMappings: [], warnings: [] }
  const settings = {
    ...resolveSettings(config),
    retention: {
      enabled: risk !== null,
      risk: risk ?? 0,
      coefficients: coefficientsFor(session),
    },
  }
  const { cwd, model } = recording
  const restore = { tool: 'context_restore' }
  const maker = createEngineMaker(config, { settings, bindsUnknown: false, restore })
  const pruned = openSession({ id: file, maker, place: { cwd, model }, stored: null })
  const policy = `risk ${risk ?? 'off'}`
  const options = { file, policy, regime: 'anthropic-5m' as const, session: pruned }
  const [traced] = readTrace(traceLines(recording, options))
  if (traced === undefined) throw new Error(`${file} gives no trace`)
  return traced
}
