import { createCalibration } from '../record/calibration.ts'

/**
 * From estimated to real tokens of one client's requests: a constant that was not estimated (what a recording does not
 * hold of the system prompt and the tools), and a factor. Both are learned from usage.
 */
export interface TokenScale {
  /** The real size of a request, or of a prefix of one, whose estimate is given. */
  real(estimatedTokens: number): number
  /** What the provider counted for a request. */
  observe(estimatedTokens: number, actualTokens: number): void
  /** Real tokens for one estimated. */
  readonly factor: number
}

interface Sample {
  readonly estimated: number
  readonly actual: number
}

/** One client and one model: the name only has to be the same each time. */
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
      // What two requests differ by has no constant in it.
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
