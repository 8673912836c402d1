import type { Coefficients } from '../../src/core/words/coefficients.ts'
import { type PolicyScore, poolScores, type ScoredPair } from '../score/pool.ts'
import { scoreSession } from '../score/score.ts'
import type { BenchSession } from '../score/sources.ts'
import { replayLearnt } from './replay-learnt.ts'

/** A setting of `retention`; null switches it off. */
export interface RetentionRun {
  readonly risk: number | null
  /** What each session is judged by; null is the rules. */
  coefficientsFor(session: BenchSession): Coefficients | null
}

/** Replays and scores every session by the scorer of the benchmark. */
export function scoreRetention(sessions: readonly BenchSession[], run: RetentionRun): PolicyScore {
  const { risk, coefficientsFor } = run
  const pairs = sessions.map((session): ScoredPair => {
    const { unpruned, needs, name } = session
    const coefficients = coefficientsFor(session)
    const retention = { enabled: risk !== null, risk: risk ?? 0 }
    const traced = replayLearnt(session, { coefficients, change: (own) => ({ ...own, retention }) })
    return {
      score: scoreSession(unpruned, { ...traced, file: name }, needs),
      none: scoreSession(unpruned, unpruned, needs),
    }
  })
  return poolScores(pairs)
}
