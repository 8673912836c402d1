/** One measured figure of a run, beside the limit that it has to keep. */
export interface BenchRow {
  readonly name: string
  readonly ratio: number
  readonly limit: number
  readonly better: 'below' | 'above'
  readonly note?: string
}
