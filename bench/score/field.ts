import type { Config, PresetName } from '../../src/config/config.ts'
import { baselines, presetBaselines } from '../baselines/index.ts'
import { userTextChanged } from './faults.ts'
import { createLimitSums, type LimitSum } from './limit-sums.ts'
import type { LimitName } from './limits.ts'
import { applyPolicy } from './policy.ts'
import type { ScoredPair } from './pool.ts'
import { scoreSession } from './score.ts'
import type { TracedSession } from './session.ts'
import { type BenchSession, commandTrace, engineTrace } from './sources.ts'

/** A policy in the tables. */
export interface Contender {
  readonly name: string
  readonly source: string
  readonly parameters: string
  readonly isOurs: boolean
  /** Faults that the policy's own document mentions. They still count. */
  readonly documentedFaults?: Readonly<Record<string, string>>
  trace(session: BenchSession): TracedSession
}

interface OwnContender {
  readonly preset: PresetName
  /** Where the preset's own one does nothing in a replay. */
  readonly schedule?: 'economic'
}

/** As shipped, `dcp` waits for its prune tool, which no recording calls: all its figures would be those of none. */
const own: readonly OwnContender[] = [
  { preset: 'balanced' },
  { preset: 'compact' },
  { preset: 'verbose' },
  { preset: 'dcp', schedule: 'economic' },
]

const cutsCodeBlocks = {
  [userTextChanged]:
    '`pruneUserCodeBlocks` cuts long code blocks in old messages of the user, as ACP documents it',
}
const cuttingPresets: ReadonlySet<string> = new Set(['acp', 'compact'])
const documentedFaultsOf = (preset: string | undefined): Pick<Contender, 'documentedFaults'> =>
  cuttingPresets.has(preset ?? '') ? { documentedFaults: cutsCodeBlocks } : {}

export const defaultPreset: PresetName = 'balanced'

/** All measured policies, in the order of the tables. */
export function contenders(command: string | undefined): readonly Contender[] {
  const theirs = baselines.map(
    (policy): Contender => ({
      ...describe(policy),
      isOurs: false,
      trace: ({ unpruned }) => applyPolicy(unpruned, policy),
    }),
  )
  const documented = presetBaselines.map(
    (baseline): Contender => ({
      ...describe(baseline),
      ...documentedFaultsOf(baseline.config.preset),
      isOurs: false,
      trace: (session) => engineTrace(session, baseline.config, baseline.name),
    }),
  )
  const ours = own.map(({ preset, schedule }): Contender => {
    const config: Config = { preset, schedule, toolMappings: [], warnings: [] }
    const name = ['palimpsest', preset, schedule].filter((part) => part !== undefined).join(' ')
    return {
      name,
      source: 'this project',
      parameters: `preset ${preset}, ${schedule === undefined ? 'as shipped' : `schedule ${schedule}`}`,
      ...documentedFaultsOf(preset),
      isOurs: true,
      trace: (session) => engineTrace(session, config, name),
    }
  })
  if (command === undefined) return [...theirs, ...documented, ...ours]
  const outside: Contender = {
    name: 'trace-cmd',
    source: 'the command line',
    parameters: command.replaceAll('|', ' '),
    isOurs: false,
    trace: (session) => ({ ...commandTrace(session, command), policy: 'trace-cmd' }),
  }
  return [...theirs, ...documented, ...ours, outside]
}

function describe({
  name,
  source,
  parameters,
}: Pick<Contender, 'name' | 'source' | 'parameters'>): Pick<
  Contender,
  'name' | 'source' | 'parameters'
> {
  return { name, source, parameters }
}

export interface FieldResult {
  readonly pairs: ReadonlyMap<string, readonly ScoredPair[]>
  readonly limits: ReadonlyMap<LimitName, LimitSum>
}

/** Measures all contenders, session by session. */
export function createField(all: readonly Contender[]): {
  add(session: BenchSession): void
  result(): FieldResult
} {
  const pairs = new Map<string, ScoredPair[]>(all.map(({ name }) => [name, []]))
  const limits = createLimitSums()
  return {
    add(session) {
      const { unpruned, needs, name } = session
      const none = scoreSession(unpruned, { ...unpruned, file: name }, needs)
      for (const contender of all) {
        const traced = { ...contender.trace(session), file: name, policy: contender.name }
        pairs.get(contender.name)?.push({ score: scoreSession(unpruned, traced, needs), none })
      }
      limits.add(session, none)
    },
    result: () => ({ pairs, limits: limits.sums }),
  }
}
