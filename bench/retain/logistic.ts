/** A weighted sum that is added to the log odds. */
export interface LogisticModel {
  readonly intercept: number
  readonly weights: readonly number[]
}

export interface LabelledRow {
  readonly values: readonly number[]
  readonly label: boolean
  /** The prior, in log odds. */
  readonly prior: number
}

/**
 * How strongly the weights are drawn to zero, which is the prior, in terms of rows: there are thousands of them, but those of
 * one session are alike, and only a dozen repositories. Weaker and stronger pulls did worse on repositories that were left out.
 */
const pull = 300
/** The intercept is hardly drawn, so that as much is predicted as happens. */
const interceptPull = 50
/** Newton's method needs fewer than ten; the rest is for rows that separate well. */
const mostSteps = 30
const smallestStep = 1e-9

/**
 * Fits the weights by Newton's method on standardised values, with a quadratic penalty. The same rows give the same model.
 */
export function fitLogistic(rows: readonly LabelledRow[]): LogisticModel {
  const width = rows[0]?.values.length ?? 0
  const { means, spreads } = spreadOf(rows, width)
  const scaled = rows.map(({ values }) => [
    1,
    ...values.map((value, at) => (value - at0(means, at)) / at0(spreads, at)),
  ])
  let weights = new Array<number>(width + 1).fill(0)
  for (let step = 0; step < mostSteps; step++) {
    const before = weights
    weights = newtonStep(scaled, rows, weights)
    if (weights.every((weight, at) => Math.abs(weight - at0(before, at)) < smallestStep)) break
  }
  const own = weights.slice(1).map((weight, at) => weight / at0(spreads, at))
  const shift = own.reduce((sum, weight, at) => sum + weight * at0(means, at), 0)
  return { intercept: at0(weights, 0) - shift, weights: own }
}

const at0 = (values: readonly number[], at: number): number => values[at] ?? 0

function spreadOf(
  rows: readonly LabelledRow[],
  width: number,
): { readonly means: readonly number[]; readonly spreads: readonly number[] } {
  const means = Array.from({ length: width }, (_, at) => meanOf(rows, (row) => at0(row, at)))
  const spreads = means.map((mean, at) => {
    const variance = meanOf(rows, (row) => (at0(row, at) - mean) ** 2)
    return variance === 0 ? 1 : Math.sqrt(variance)
  })
  return { means, spreads }
}

function meanOf(rows: readonly LabelledRow[], of: (values: readonly number[]) => number): number {
  return rows.reduce((sum, { values }) => sum + of(values), 0) / Math.max(1, rows.length)
}

function newtonStep(
  scaled: readonly (readonly number[])[],
  rows: readonly LabelledRow[],
  weights: readonly number[],
): number[] {
  const size = weights.length
  const pullAt = (at: number): number => (at === 0 ? interceptPull : pull)
  const gradient = weights.map((weight, at) => pullAt(at) * weight)
  const curvature = weights.map((_, row) =>
    weights.map((__, column) => (row === column ? pullAt(row) : 0)),
  )
  for (const [at, values] of scaled.entries()) {
    let sum = rows[at]?.prior ?? 0
    for (let i = 0; i < size; i++) sum += at0(weights, i) * at0(values, i)
    const probability = 1 / (1 + Math.exp(-sum))
    const error = probability - (rows[at]?.label === true ? 1 : 0)
    const certainty = probability * (1 - probability)
    for (let i = 0; i < size; i++) {
      const value = at0(values, i)
      if (value === 0) continue
      gradient[i] = at0(gradient, i) + error * value
      const line = curvature[i] as number[]
      for (let j = 0; j <= i; j++) line[j] = at0(line, j) + certainty * value * at0(values, j)
    }
  }
  for (let i = 0; i < size; i++)
    for (let j = i + 1; j < size; j++) (curvature[i] as number[])[j] = curvature[j]?.[i] ?? 0
  const change = solve(curvature, gradient)
  return weights.map((weight, at) => weight - at0(change, at))
}

/** Gaussian elimination; the matrix is symmetric and positive, so that no pivot vanishes. */
function solve(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): readonly number[] {
  const size = right.length
  const rows = matrix.map((row, at) => [...row, at0(right, at)])
  for (let pivot = 0; pivot < size; pivot++) {
    const own = rows[pivot] as number[]
    for (let below = pivot + 1; below < size; below++) {
      const row = rows[below] as number[]
      const factor = at0(row, pivot) / at0(own, pivot)
      if (factor === 0) continue
      for (let column = pivot; column <= size; column++)
        row[column] = at0(row, column) - factor * at0(own, column)
    }
  }
  const solution = new Array<number>(size).fill(0)
  for (let at = size - 1; at >= 0; at--) {
    const row = rows[at] as number[]
    let rest = at0(row, size)
    for (let column = at + 1; column < size; column++)
      rest -= at0(row, column) * at0(solution, column)
    solution[at] = rest / at0(row, at)
  }
  return solution
}
