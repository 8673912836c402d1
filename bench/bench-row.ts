/** One measured number and its limit. */
export interface BenchRow {
  readonly name: string
  readonly ratio: number
  /** null for a number without a limit. */
  readonly limit: number | null
  readonly better: 'below' | 'above'
  readonly note?: string
}
