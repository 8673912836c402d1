import type { Coefficients } from '../../src/core/words/coefficients.ts'
import { trainWithoutEach } from '../retain/cross-validate.ts'
import { agentOf, type Example, examplesOf, repositoryOf } from '../retain/examples.ts'
import { type LearntReplay, replayLearnt } from '../retain/replay-learnt.ts'
import { train } from '../retain/train.ts'
import type { ScoredPair } from '../score/pool.ts'
import { type RegimeName, regimeNames } from '../score/regimes.ts'
import { scoreSession } from '../score/score.ts'
import type { BenchSession } from '../score/sources.ts'
import { variants } from './variants.ts'

/** Without a cache every removal is cheaper, so nothing is learnt from declaring that there is none. */
export const declaredNames: readonly RegimeName[] = regimeNames.filter(
  (name) => name !== 'no-cache',
)

/** A session that was judged by what was learnt from others. */
export interface HeldOutPair extends ScoredPair {
  readonly agent: string
  readonly repository: string
}

/** The default preset over sessions, each with a model that was trained without the session's repository. */
export interface HeldOut {
  readonly repositories: number
  /** The first and the last day of the recordings, as far as they have times. */
  readonly days: readonly [first: string, last: string] | null
  /** The engine follows the recorded model and usage. */
  readonly undeclared: readonly HeldOutPair[]
  /** For each price model, the engine is told it, as a request or a configuration would. */
  readonly declared: Readonly<Record<RegimeName, readonly HeldOutPair[]>>
  /** The same as `undeclared`, with a model that was trained without the session's agent. */
  readonly otherAgents: readonly HeldOutPair[]
  /** The same as `undeclared`, with one thing changed. */
  readonly variants: readonly {
    readonly name: string
    readonly pairs: readonly HeldOutPair[]
  }[]
}

export function scoreHeldOut(
  sessions: readonly BenchSession[],
  progress: (words: string) => void,
): HeldOut {
  const examples: Example[] = sessions.flatMap((session) => [...examplesOf(session)])
  const byRepository = trainWithoutEach(examples, ({ group }) => group)
  const byAgent = trainWithoutEach(examples, ({ agent }) => agent)
  const all = train(examples)
  const undeclared: HeldOutPair[] = []
  const otherAgents: HeldOutPair[] = []
  const declared = Object.fromEntries(
    declaredNames.map((name) => [name, [] as HeldOutPair[]]),
  ) as Record<RegimeName, HeldOutPair[]>
  const changed = variants.map((variant) => ({ variant, pairs: [] as HeldOutPair[] }))
  for (const session of sessions) {
    progress(`held out: ${session.name}`)
    const { unpruned, needs, name } = session
    const [agent, repository] = [agentOf(session), repositoryOf(session)]
    const none = scoreSession(unpruned, { ...unpruned, file: name }, needs)
    const scoreOf = (replay: LearntReplay): HeldOutPair => {
      const traced = { ...replayLearnt(session, replay), file: name }
      return { score: scoreSession(unpruned, traced, needs), none, agent, repository }
    }
    // A repository without large results is in no training data.
    const coefficients: Coefficients = byRepository.get(repository) ?? all
    const byDefault = scoreOf({ coefficients })
    undeclared.push(byDefault)
    otherAgents.push(scoreOf({ coefficients: byAgent.get(agent) ?? all }))
    for (const regime of declaredNames) declared[regime].push(scoreOf({ coefficients, regime }))
    for (const { variant, pairs } of changed) {
      const isConcerned = variant.concerns === undefined || unpruned.items.some(variant.concerns)
      pairs.push(isConcerned ? scoreOf({ coefficients, change: variant.change }) : byDefault)
    }
  }
  return {
    repositories: new Set(sessions.map(repositoryOf)).size,
    days: daysOf(sessions),
    undeclared,
    declared,
    otherAgents,
    variants: changed.map(({ variant, pairs }) => ({ name: variant.name, pairs })),
  }
}

function daysOf(sessions: readonly BenchSession[]): HeldOut['days'] {
  const times = sessions.flatMap(({ unpruned }) => unpruned.requests.flatMap(({ at }) => at ?? []))
  if (times.length === 0) return null
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  return [day(first), day(last)]
}
