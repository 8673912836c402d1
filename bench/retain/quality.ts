/** A prediction and its outcome. */
export interface Judged {
  readonly probability: number
  readonly happened: boolean
}

/** A tenth of the predictions with similar values: the mean prediction, and how often it came true. */
export interface CalibrationPoint {
  readonly predicted: number
  readonly observed: number
  readonly count: number
}

export interface Quality {
  readonly count: number
  readonly happened: number
  /** The area under the ROC curve. */
  readonly auc: number
  /** The mean squared error, and that of always predicting the mean. */
  readonly brier: number
  readonly brierOfMean: number
  readonly calibration: readonly CalibrationPoint[]
}

const points = 10

export function qualityOf(judged: readonly Judged[]): Quality {
  const sorted = judged.toSorted((a, b) => a.probability - b.probability)
  const happened = judged.filter((each) => each.happened).length
  const mean = happened / Math.max(1, judged.length)
  return {
    count: judged.length,
    happened,
    auc: aucOf(sorted, happened),
    brier: meanOf(judged, ({ probability, happened: did }) => (probability - (did ? 1 : 0)) ** 2),
    brierOfMean: mean * (1 - mean),
    calibration: calibrationOf(sorted),
  }
}

/** Equal probabilities share their ranks. */
function aucOf(sorted: readonly Judged[], happened: number): number {
  let ranks = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to]?.probability === sorted[from]?.probability) to++
    const positives = sorted.slice(from, to).filter((each) => each.happened).length
    ranks += positives * ((from + to - 1) / 2)
    from = to
  }
  const others = sorted.length - happened
  if (happened === 0 || others === 0) return 0.5
  return (ranks - (happened * (happened - 1)) / 2) / (happened * others)
}

function calibrationOf(sorted: readonly Judged[]): readonly CalibrationPoint[] {
  return Array.from({ length: points }, (_, point) => {
    const part = sorted.slice(
      Math.floor((sorted.length * point) / points),
      Math.floor((sorted.length * (point + 1)) / points),
    )
    return {
      predicted: meanOf(part, ({ probability }) => probability),
      observed: meanOf(part, (each) => (each.happened ? 1 : 0)),
      count: part.length,
    }
  }).filter(({ count }) => count > 0)
}

function meanOf(judged: readonly Judged[], of: (each: Judged) => number): number {
  return judged.reduce((sum, each) => sum + of(each), 0) / Math.max(1, judged.length)
}
