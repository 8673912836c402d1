import type { Regime } from '../core/schedule/regimes.ts'
import type { ReplaySummary } from '../replay/summary.ts'
import { plural, short } from './figures.ts'

/** What a replay sent and cost, with and without, for people. */
export function summaryLines(summary: ReplaySummary, preset: string, regime: Regime): string[] {
  const { requests, tokens, dollars, decisions, epochs } = summary
  const made = Object.values(decisions).reduce((sum, count) => sum + count, 0)
  const dollar = (amount: number): string => `$${amount.toFixed(4)}`
  return [
    `${plural(requests, 'request')}; ${short(tokens.without)} tokens sent as it ran, ${short(tokens.with)} under ${preset} (${share(tokens)})`,
    `input under ${regime.name}: ${dollar(dollars.without)} as it ran, ${dollar(dollars.with)} under ${preset} (${share(dollars)})`,
    `${plural(made, 'decision')}, applied at once; ${plural(epochs, 'request')} changed what had been sent before`,
  ]
}

function share({ with: kept, without }: ReplaySummary['tokens']): string {
  if (without === 0) return '±0 %'
  const change = (100 * (kept - without)) / without
  return `${change > 0 ? '+' : ''}${change.toFixed(1)} %`
}
