import { trainWithoutEach } from '../retain/cross-validate.ts'
import { agentOf, type Example, examplesOf, repositoryOf } from '../retain/examples.ts'
import { type LearntReplay, replayLearnt } from '../retain/replay-learnt.ts'
import { train } from '../retain/train.ts'
import { poolScores, type ScoredPair } from '../score/pool.ts'
import { type RegimeName, regimeNames } from '../score/regimes.ts'
import { type SessionScore, scoreSession } from '../score/score.ts'
import type { BenchSession } from '../score/sources.ts'
import { ownRegime, priceUnder } from './own-price.ts'
import { type Residue, residueOf } from './residue.ts'
import { variants } from './variants.ts'

/** Without a cache every removal is cheaper, so nothing is learnt from declaring that there is none. */
export const declaredNames: readonly RegimeName[] = regimeNames.filter(
  (name) => name !== 'no-cache',
)

/** The lifetimes of a cache that a request can ask for. */
export const toldLifetimes = ['anthropic-5m', 'anthropic-1h'] as const

export type Told = (typeof toldLifetimes)[number]

/** A session that was judged by what was learnt from others. */
export interface HeldOutPair extends ScoredPair {
  readonly agent: string
  readonly repository: string
  /** Where the dollars are. */
  readonly residue: Residue
  /** The share of what the session would cost without us, at its own model's prices and recorded lifetime. */
  readonly ownRatio: number
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
  /** As `declared`, for sessions whose usage is hidden: nothing confirms or corrects what is told. */
  readonly unconfirmed: Readonly<Record<Told, readonly HeldOutPair[]>>
  /** The same as `undeclared`, with a model that was trained without the session's agent. */
  readonly otherAgents: readonly HeldOutPair[]
  /** The same as `undeclared`, with one thing changed. */
  readonly variants: readonly { readonly name: string; readonly pairs: readonly HeldOutPair[] }[]
}

/** Scores every session once for each pass. The default comes first, so that its figure is seen soon. */
export function scoreHeldOut(
  sessions: readonly BenchSession[],
  progress: (words: string) => void,
): HeldOut {
  const examples: Example[] = sessions.flatMap((session) => [...examplesOf(session)])
  progress(`held out: ${examples.length} examples`)
  const byRepository = trainWithoutEach(examples, ({ group }) => group)
  const byAgent = trainWithoutEach(examples, ({ agent }) => agent)
  // A repository without large results is in no training data.
  const all = train(examples)
  const none = new Map<BenchSession, SessionScore>()

  function scoreOf(session: BenchSession, replay: Partial<LearntReplay>): HeldOutPair {
    const { unpruned, needs, name } = session
    const [agent, repository] = [agentOf(session), repositoryOf(session)]
    const coefficients = byRepository.get(repository) ?? all
    const without = none.get(session) ?? scoreSession(unpruned, { ...unpruned, file: name }, needs)
    none.set(session, without)
    const traced = { ...replayLearnt(session, { coefficients, ...replay }), file: name }
    const score = scoreSession(unpruned, traced, needs)
    const regime = ownRegime(session.recording)
    const ownRatio = priceUnder(regime, unpruned, traced) / priceUnder(regime, unpruned, unpruned)
    const residue = residueOf(session, traced)
    return { score, none: without, agent, repository, residue, ownRatio }
  }

  function pass(
    name: string,
    score: (session: BenchSession, at: number) => HeldOutPair,
  ): readonly HeldOutPair[] {
    const pairs = sessions.map(score)
    const { dollarsWithRecalls, E1 } = poolScores(pairs)
    const { pooled, interval } = dollarsWithRecalls['anthropic-5m']
    const figures = [pooled, ...interval, E1.current].map((value) => value.toFixed(3))
    progress(`held out: ${name}: ${figures.join(' ')}`)
    return pairs
  }

  const undeclared = pass('default', (session) => scoreOf(session, {}))
  return {
    repositories: new Set(sessions.map(repositoryOf)).size,
    days: daysOf(sessions),
    undeclared,
    declared: Object.fromEntries(
      declaredNames.map((regime) => [
        regime,
        pass(`told ${regime}`, (session) => scoreOf(session, { regime })),
      ]),
    ) as Record<RegimeName, readonly HeldOutPair[]>,
    unconfirmed: Object.fromEntries(
      toldLifetimes.map((regime) => [
        regime,
        pass(`told ${regime}, without usage`, (session) =>
          scoreOf(session, { regime, hidesUsage: true }),
        ),
      ]),
    ) as Record<Told, readonly HeldOutPair[]>,
    otherAgents: pass('by agent', (session) =>
      scoreOf(session, { coefficients: byAgent.get(agentOf(session)) ?? all }),
    ),
    variants: variants.map(({ name, concerns, change }) => ({
      name,
      pairs: pass(name, (session, at) =>
        concerns === undefined || session.unpruned.items.some(concerns)
          ? scoreOf(session, { change })
          : (undeclared[at] as HeldOutPair),
      ),
    })),
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
