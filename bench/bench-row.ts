/** One measured figure of a run, beside the limit that it has to keep. */
export interface BenchRow {
  readonly name: string
  readonly ratio: number
  /** null where it is there to be read beside the others. */
  readonly limit: number | null
  readonly better: 'below' | 'above'
  readonly note?: string
}
