import { createEngineMaker } from '../../src/config/engine-maker.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { Coefficients } from '../../src/core/words/coefficients.ts'
import { traceLines } from '../../src/replay/trace.ts'
import { openSession } from '../../src/session/session.ts'
import { trainWithoutEach } from '../retain/cross-validate.ts'
import { type Example, examplesOf, repositoryOf } from '../retain/examples.ts'
import { train } from '../retain/train.ts'
import type { ScoredPair } from '../score/pool.ts'
import { readTrace } from '../score/read-trace.ts'
import { type RegimeName, regimeNames } from '../score/regimes.ts'
import { scoreSession } from '../score/score.ts'
import type { TracedSession } from '../score/session.ts'
import type { BenchSession } from '../score/sources.ts'

/** The default preset over sessions, each with a model that was trained without the session's repository. */
export interface HeldOut {
  readonly repositories: number
  /** The first and the last day of the recordings, as far as they have times. */
  readonly days: readonly [first: string, last: string] | null
  /** The engine follows the recorded model and usage. */
  readonly undeclared: readonly ScoredPair[]
  /** For each price model, the engine is told it, as a request or a configuration would. */
  readonly declared: Readonly<Record<RegimeName, readonly ScoredPair[]>>
}

export function scoreHeldOut(
  sessions: readonly BenchSession[],
  progress: (words: string) => void,
): HeldOut {
  const examples: Example[] = sessions.flatMap((session) => [...examplesOf(session)])
  const learnt = trainWithoutEach(examples)
  const all = train(examples)
  const undeclared: ScoredPair[] = []
  const declared = Object.fromEntries(
    regimeNames.map((name) => [name, [] as ScoredPair[]]),
  ) as Record<RegimeName, ScoredPair[]>
  for (const session of sessions) {
    progress(`held out: ${session.name}`)
    const { unpruned, needs, name } = session
    const none = scoreSession(unpruned, { ...unpruned, file: name }, needs)
    // A repository without large results is in no training data.
    const coefficients = learnt.get(repositoryOf(session)) ?? all
    const scoreOf = (regime: RegimeName | undefined): ScoredPair => ({
      score: scoreSession(
        unpruned,
        { ...traceWith(session, coefficients, regime), file: name },
        needs,
      ),
      none,
    })
    undeclared.push(scoreOf(undefined))
    for (const regime of regimeNames) declared[regime].push(scoreOf(regime))
  }
  return {
    repositories: new Set(sessions.map(repositoryOf)).size,
    days: daysOf(sessions),
    undeclared,
    declared,
  }
}

function traceWith(
  { recording, file }: BenchSession,
  coefficients: Coefficients,
  regime: RegimeName | undefined,
): TracedSession {
  const config = { toolMappings: [], warnings: [], regime }
  const own = resolveSettings(config)
  const settings = { ...own, retention: { ...own.retention, coefficients } }
  const { cwd, model } = recording
  const restore = { tool: 'context_restore' }
  const maker = createEngineMaker(config, { settings, bindsUnknown: false, restore })
  const session = openSession({ id: file, maker, place: { cwd, model }, stored: null })
  const options = { file, policy: 'held out', regime: regime ?? ('anthropic-5m' as const), session }
  const [traced] = readTrace(traceLines(recording, options))
  if (traced === undefined) throw new Error(`${file} gives no trace`)
  return traced
}

function daysOf(sessions: readonly BenchSession[]): HeldOut['days'] {
  const times = sessions.flatMap(({ unpruned }) => unpruned.requests.flatMap(({ at }) => at ?? []))
  if (times.length === 0) return null
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  return [day(first), day(last)]
}
