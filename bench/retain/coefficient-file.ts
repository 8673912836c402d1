import type { Coefficients } from '../../src/core/words/coefficients.ts'
import type { CrossValidation } from './cross-validate.ts'
import type { Example } from './examples.ts'
import type { Quality } from './quality.ts'

/** The text of `src/core/propose/retain/coefficients.ts`: numbers only, nothing of what was read. */
export function coefficientFile(
  coefficients: Coefficients,
  examples: readonly Example[],
  quality: CrossValidation,
): string {
  const count = (of: (example: Example) => string): number => new Set(examples.map(of)).size
  const provenance = {
    sessions: count(({ session }) => session),
    repositories: count(({ group }) => group),
    results: count(({ session, item }) => `${session} ${item}`),
    examples: examples.length,
    quality: {
      anchor: qualityNumbers(quality.anchor),
      name: qualityNumbers(quality.name),
      otherName: qualityNumbers(quality.otherName),
    },
  }
  return `import type { Coefficients } from '../../words/coefficients.ts'
import type { Provenance } from './probability.ts'

/** Written by \`npm run train:retention\`. Where the figures come from, and how good they are on repositories left out. */
export const provenance: Provenance = ${JSON.stringify(provenance, null, 2)}

export const trained: Coefficients = ${JSON.stringify(coefficients, null, 2)}
`
}

function qualityNumbers(quality: Quality): object {
  const rounded = (value: number): number => Math.round(value * 1e3) / 1e3
  const { count, happened, auc, brier, brierOfMean, calibration } = quality
  return {
    examples: count,
    happened,
    auc: rounded(auc),
    brier: rounded(brier),
    brierOfMean: rounded(brierOfMean),
    calibration: calibration.map(({ predicted, observed }) => [
      rounded(predicted),
      rounded(observed),
    ]),
  }
}
