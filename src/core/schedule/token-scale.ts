import { createCalibration } from '../record/calibration.ts'

/**
 * Converts estimated to real tokens for one client's requests: a constant (system prompt and tools, which a recording does
 * not contain) plus a factor. Both are learned from usage.
 */
export interface TokenScale {
  /** The real size of a request, or of a prefix of one, from its estimate. */
  real(estimatedTokens: number): number
  /** Learns from what the provider counted for a request. */
  observe(estimatedTokens: number, actualTokens: number): void
  /** Real tokens per estimated token. */
  readonly factor: number
}

interface Sample {
  readonly estimated: number
  readonly actual: number
}

/** There is one client and one model, so any constant name will do. */
const self = 'self'

export function createTokenScale(hiddenTokens: number): TokenScale {
  const calibration = createCalibration()
  const nothing: Sample = { estimated: 0, actual: hiddenTokens }
  let smallest: Sample | null = null
  let latest: Sample | null = null
  const factor = (): number => calibration.factor(self)
  return {
    get factor(): number {
      return factor()
    },
    real(estimatedTokens) {
      const known = nearer(smallest, latest, estimatedTokens) ?? nothing
      const difference = factor() * (estimatedTokens - known.estimated)
      return Math.max(0, Math.round(known.actual + difference))
    },
    observe(estimated, actual) {
      // The difference of two requests does not contain the constant.
      if (latest !== null)
        calibration.observe(self, estimated - latest.estimated, actual - latest.actual)
      latest = { estimated, actual }
      if (smallest === null || estimated < smallest.estimated) smallest = latest
    },
  }
}

function nearer(one: Sample | null, other: Sample | null, estimated: number): Sample | null {
  if (one === null || other === null) return one ?? other
  const distance = (sample: Sample): number => Math.abs(sample.estimated - estimated)
  return distance(one) < distance(other) ? one : other
}
