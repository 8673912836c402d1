import { type Config, presetNames } from '../config/config.ts'
import { resolveSettings } from '../config/resolve.ts'
import type { Recording } from '../recordings/recording.ts'
import { type ComparedVariant, createContest, type Variant } from '../replay/compare.ts'
import { scoreEvidence } from '../replay/evidence/score.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import type { Work } from '../replay/work.ts'
import type { ComparedPolicy, Comparison } from './types.ts'

/** The presets side by side on recordings, each under the prices of the model that it was recorded with. */
export function* comparisonOf(
  recordings: readonly Recording[],
  subject: string,
  { config, onFault }: { readonly config: Config; readonly onFault?: (fault: unknown) => void },
): Work<Comparison> {
  const current: Variant = {
    preset: config.preset ?? 'balanced',
    schedule: resolveSettings(config).schedule,
  }
  const presets = presetNames.filter((preset) => preset !== 'off')
  const variants: Variant[] = presets.map((preset) => {
    const { schedule } = resolveSettings({ ...config, preset, schedule: undefined })
    return { preset, schedule }
  })
  const isCurrent = ({ preset, schedule }: Variant): boolean =>
    preset === current.preset && schedule === current.schedule
  if (!variants.some(isCurrent)) variants.unshift(current)
  const contest = createContest({ config, variants, regimes: [], onFault: onFault ?? (() => {}) })
  for (const recording of recordings) yield* contest.add(recording)
  const results = contest.results()
  const compared: ComparedPolicy[] = []
  for (const result of results) {
    const { preset, schedule } = result
    const evidence = yield* evidenceUnder(recordings, { ...config, preset, schedule })
    compared.push({ ...policyOf(result, isCurrent(result)), evidence })
  }
  return {
    subject,
    sessions: results[0]?.sessions ?? 0,
    requests: results[0]?.requests ?? 0,
    variants: compared,
  }
}

/** How many of the texts that the agent's edits replaced were in the request before the edit. */
function* evidenceUnder(
  recordings: readonly Recording[],
  config: Config,
): Work<ComparedPolicy['evidence']> {
  let needed = 0
  let visible = 0
  for (const recording of recordings) {
    const { fates } = yield* scoreEvidence(recording, sessionFor(recording, { config }))
    visible += fates.current
    needed += Object.values(fates).reduce((sum, count) => sum + count, 0)
  }
  return needed === 0 ? null : { needed, visible }
}

function policyOf(result: ComparedVariant, isCurrent: boolean): Omit<ComparedPolicy, 'evidence'> {
  const { preset, schedule, tokens, epochs, prices } = result
  const own = prices.find(({ regime }) => regime === 'model')
  return {
    preset,
    schedule,
    isCurrent,
    tokens,
    dollars: own?.dollars ?? { with: 0, without: 0 },
    epochs,
    costMore: own?.costMore ?? 0,
  }
}
