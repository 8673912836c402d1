import type { Config, PresetName } from '../config/config.ts'
import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import { type Regime, type RegimeName, regimeOf } from '../core/schedule/regimes.ts'
import type { Schedule } from '../core/words/settings.ts'
import type { Recording } from '../recordings/recording.ts'
import { createEpochReports } from './epoch-reports.ts'
import { type Comparison, pricing, type RegimePrice } from './priced-session.ts'
import { sessionFor } from './recorded-session.ts'
import type { Work } from './work.ts'

/** A configuration to compare. */
export interface Variant {
  readonly preset: PresetName
  readonly schedule: Schedule
}

/** What sessions cost under one regime; `model` uses the prices of the model that each was recorded with. */
export interface ComparedPrice {
  readonly regime: RegimeName | 'model'
  readonly dollars: Comparison
  /** Sessions that cost more than without Palimpsest, at the end or at any earlier request. */
  readonly costMore: number
  readonly costMoreMidway: number
}

export interface ComparedVariant extends Variant {
  readonly sessions: number
  readonly requests: number
  readonly tokens: Comparison
  readonly epochs: number
  readonly prices: readonly ComparedPrice[]
}

export interface CompareOptions {
  readonly config: Config
  readonly variants: readonly Variant[]
  readonly regimes: readonly (Regime & { readonly name: RegimeName })[]
  readonly onFault: (fault: unknown) => void
}

/** Runs sessions under every variant, one after the other. */
export interface Contest {
  add(recording: Recording): Work<void>
  results(): readonly ComparedVariant[]
}

/** Sums of many floating point prices differ in their last digits. */
const tolerance = 1e-9

export function createContest(options: CompareOptions): Contest {
  const entries = options.variants.map((variant) => createEntry(variant, options))
  return {
    *add(recording) {
      for (const entry of entries) yield* entry.add(recording)
    },
    results: () => entries.map((entry) => entry.result()),
  }
}

interface Entry {
  add(recording: Recording): Work<void>
  result(): ComparedVariant
}

function createEntry(variant: Variant, options: CompareOptions): Entry {
  const { config, regimes, onFault } = options
  const names = [...regimes.map(({ name }) => name), 'model' as const]
  const tokens = { with: 0, without: 0 }
  const prices = names.map((regime) => ({
    regime,
    dollars: { with: 0, without: 0 },
    costMore: 0,
    costMoreMidway: 0,
  }))
  let sessions = 0
  let requests = 0
  let epochs = 0
  return {
    *add(recording) {
      const reports = createEpochReports(regimes[0] ?? ownRegime(recording, config.models))
      const session = yield* pricing(recording, {
        regimes: [...regimes, ownRegime(recording, config.models)],
        session: sessionFor(recording, {
          config: { ...config, preset: variant.preset, schedule: variant.schedule },
          onFault,
        }),
        onRequest: (request) => reports.after(request),
      })
      sessions++
      requests += session.requests
      epochs += reports.all.length
      tokens.with += session.tokens.with
      tokens.without += session.tokens.without
      session.prices.forEach((price, index) => {
        const sum = prices[index]
        if (sum !== undefined) addPrice(sum, price)
      })
    },
    result: () => ({ ...variant, sessions, requests, tokens, epochs, prices }),
  }
}

function addPrice(
  sum: {
    readonly dollars: { with: number; without: number }
    costMore: number
    costMoreMidway: number
  },
  { dollars, bank }: RegimePrice,
): void {
  sum.dollars.with += dollars.with
  sum.dollars.without += dollars.without
  if (bank.end < -tolerance * dollars.without) sum.costMore++
  if (bank.lowest < -tolerance * dollars.without) sum.costMoreMidway++
}

function ownRegime(recording: Recording, models: readonly ModelOverride[] | undefined): Regime {
  return regimeOf(modelFacts(recording.model, models))
}
