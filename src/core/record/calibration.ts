import { isJsonObject } from '../words/json.ts'
import { commonLength } from '../words/lists.ts'

/**
 * Corrects token estimates per model. Every response reports the usage of a request whose size was estimated; the ratio
 * of the two is the model's factor.
 */
export interface Calibration {
  /**
   * Adds one pair for the same text: the estimate and the provider's count. Pairs that are too small, or too far apart to
   * be about the same text, are ignored.
   */
  observe(model: string, estimatedTokens: number, actualTokens: number): void
  /** The factor for estimates, between 0.5 and 2; 1 when neither the model nor a related one is known. */
  factor(model: string): number
  /** The estimate corrected for the model, as an integer. */
  size(model: string, estimatedTokens: number): number
  toJSON(): CalibrationState
}

/** The sums by model; they do not depend on the order of observations. */
interface CalibrationState {
  readonly version: 1
  readonly models: Readonly<Record<string, ModelSums>>
}

interface ModelSums {
  readonly observations: number
  readonly estimatedTokens: number
  readonly actualTokens: number
}

const lowestFactor = 0.5
const highestFactor = 2
/** Tokenizers differ less than this. A ratio outside these bounds comes from other text: images, a cut, a wrong field. */
const lowestRatio = 0.4
const highestRatio = 2.5
/** In smaller requests the provider's own additions dominate. */
const smallestSampleTokens = 200
/** The weight, in tokens, of related models against the model's own usage. */
const priorTokens = 2000

export function createCalibration(): Calibration {
  return calibrationOver(new Map())
}

/** Restores the output of `toJSON`. Invalid entries are ignored. */
export function calibrationFrom(json: unknown): Calibration {
  const sums = new Map<string, ModelSums>()
  const models = isJsonObject(json) && json.version === 1 ? json.models : undefined
  if (isJsonObject(models)) {
    for (const [model, entry] of Object.entries(models)) {
      const read = readSums(entry)
      if (read !== null) sums.set(model, read)
    }
  }
  return calibrationOver(sums)
}

function calibrationOver(sums: Map<string, ModelSums>): Calibration {
  const factor = (model: string): number => {
    const prior = factorOfRelatives(sums, model)
    const own = sums.get(model)
    if (own === undefined) return prior
    return bounded((own.actualTokens + prior * priorTokens) / (own.estimatedTokens + priorTokens))
  }
  return {
    observe(model, estimatedTokens, actualTokens) {
      if (!isPlausibleSample(estimatedTokens, actualTokens)) return
      const own = sums.get(model)
      sums.set(model, {
        observations: (own?.observations ?? 0) + 1,
        estimatedTokens: (own?.estimatedTokens ?? 0) + Math.round(estimatedTokens),
        actualTokens: (own?.actualTokens ?? 0) + Math.round(actualTokens),
      })
    },
    factor,
    size(model, estimatedTokens) {
      return estimatedTokens > 0 && Number.isFinite(estimatedTokens)
        ? Math.round(estimatedTokens * factor(model))
        : 0
    },
    toJSON() {
      const models = [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
      return { version: 1, models: Object.fromEntries(models) }
    },
  }
}

/** The combined factor of the models with the most similar names; 1 when there is none. */
function factorOfRelatives(sums: ReadonlyMap<string, ModelSums>, model: string): number {
  const segments = modelSegments(model)
  let closest = 1
  let estimatedTokens = 0
  let actualTokens = 0
  for (const [name, entry] of sums) {
    if (name === model) continue
    const shared = commonLength(segments, modelSegments(name))
    if (shared < closest) continue
    if (shared > closest) {
      closest = shared
      estimatedTokens = 0
      actualTokens = 0
    }
    estimatedTokens += entry.estimatedTokens
    actualTokens += entry.actualTokens
  }
  return bounded((actualTokens + priorTokens) / (estimatedTokens + priorTokens))
}

function bounded(factor: number): number {
  return Math.min(highestFactor, Math.max(lowestFactor, factor))
}

function isPlausibleSample(estimatedTokens: number, actualTokens: number): boolean {
  const smallest = Math.min(estimatedTokens, actualTokens)
  if (!(smallest >= smallestSampleTokens)) return false
  if (!Number.isSafeInteger(Math.round(estimatedTokens + actualTokens))) return false
  const ratio = actualTokens / estimatedTokens
  return ratio >= lowestRatio && ratio <= highestRatio
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function readSums(entry: unknown): ModelSums | null {
  if (!isJsonObject(entry)) return null
  const { observations, estimatedTokens, actualTokens } = entry
  if (!isCount(observations) || !isCount(estimatedTokens) || !isCount(actualTokens)) return null
  if (!isPlausibleSample(estimatedTokens, actualTokens)) return null
  return { observations, estimatedTokens, actualTokens }
}

/** Finds related models by name: `claude-sonnet-4-5` and `claude-opus-4-1` share a tokenizer. */

/** Regions, hosts and vendors that routers put before a model's name. */
const routerPrefixes: ReadonlySet<string> = new Set([
  'us',
  'eu',
  'apac',
  'global',
  'models',
  'publishers',
  'anthropic',
  'openai',
  'azure',
  'google',
  'vertex',
  'bedrock',
  'openrouter',
  'meta',
  'moonshotai',
  'mistralai',
  'x',
  'ai',
])

/**
 * The parts of a model's name, the most general first, without a router's prefix.
 *
 * ```ts
 * modelSegments('us.anthropic.claude-opus-4-1') // ['claude', 'opus', '4', '1']
 * ```
 */
function modelSegments(model: string): readonly string[] {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const segments = name.split(/[^a-z0-9]+/).filter((segment) => segment !== '')
  const first = segments.findIndex((segment) => !routerPrefixes.has(segment))
  return first === -1 ? segments : segments.slice(first)
}
