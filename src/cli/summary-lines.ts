import type { Regime } from '../core/schedule/regimes.ts'
import { readShare } from '../replay/cache-check.ts'
import type { EpochReport } from '../replay/epoch-reports.ts'
import type { Bank, Comparison } from '../replay/priced-session.ts'
import type { ReplayReport } from '../replay/summary.ts'
import { plural, short, table } from './figures.ts'
import { wrapped } from './wrapped.ts'

export interface SummaryLinesOptions {
  readonly columns: number
  /** Lists every epoch. */
  readonly withEpochs: boolean
}

/** What a replay sent and cost, with and without pruning, for people: the verdict first. */
export function summaryLines(
  report: ReplayReport,
  preset: string,
  regime: Regime,
  { columns, withEpochs }: SummaryLinesOptions,
): string[] {
  const { requests, tokens, dollars, decisions } = report.summary
  const made = Object.values(decisions).reduce((sum, count) => sum + count, 0)
  const epochs = plural(report.epochs.length, 'epoch')
  const cost = report.epochs.reduce((sum, epoch) => sum + epoch.dollars, 0)
  const more = withEpochs || report.epochs.length === 0 ? '' : '; --epochs lists them'
  const lines = [
    `input under ${regime.name}: ${dollar(dollars.without)} as it ran, ${dollar(dollars.with)} under ${preset} (${change(dollars)})`,
    `${plural(requests, 'request')}; ${short(tokens.without)} tokens sent as it ran, ${short(tokens.with)} under ${preset} (${change(tokens)})`,
    bankLine(report.banks),
    `${plural(made, 'decision')}; ${epochs} changed what had been sent before, for ${dollar(cost)}${more}`,
    recalledLine(report.recalled),
    ...cacheLines(report.cache),
  ]
  return [
    ...lines.flatMap((line) => wrapped(line, columns)),
    ...(withEpochs ? epochLines(report.epochs) : []),
  ]
}

export function epochLines(epochs: readonly EpochReport[]): string[] {
  if (epochs.length === 0) return []
  const rows = epochs.map((epoch) => [
    `${epoch.request}`,
    epoch.reason,
    short(epoch.removedTokens),
    short(epoch.rewrittenTokens),
    dollar(epoch.dollars),
    payBack(epoch),
  ])
  const head = ['request', 'reason', 'removed', 'sent again', 'cost', 'paid back after']
  return table([head, ...rows])
}

function payBack({ paysBackAfter }: EpochReport): string {
  if (paysBackAfter === null) return 'never'
  return paysBackAfter === 0 ? 'nothing to pay' : plural(paysBackAfter, 'request')
}

function bankLine(banks: readonly Bank[]): string {
  const end = banks.reduce((sum, bank) => sum + bank.end, 0)
  const worst = banks.reduce<Bank | null>(
    (low, bank) => (low === null || bank.lowest < low.lowest ? bank : low),
    null,
  )
  const saved = `bank: ${dollar(end)} saved at the end`
  return worst === null || worst.lowest >= 0
    ? `${saved}, never more expensive than as it ran`
    : `${saved}, ${dollar(-worst.lowest)} more expensive than as it ran after request ${worst.lowestAt}`
}

function recalledLine({ items, tokens }: ReplayReport['recalled']): string {
  return items === 0
    ? 'recalled: nothing'
    : `recalled: ${plural(items, 'item')}, ${short(tokens)} tokens`
}

/** The cache model's prediction and the provider's usage; empty when no usage was recorded. */
export function cacheLines({ figures, rules }: ReplayReport['cache']): string[] {
  if (figures.requests === 0) return []
  const [recorded, learned, open] = [figures.recorded, figures.predicted, rules.predicted].map(
    (share) => `${(100 * readShare(share)).toFixed(1)} %`,
  )
  return [
    `cache: ${recorded} of the input was read from it in ${plural(figures.requests, 'answer')}; predicted ${learned} with the usage of earlier answers, ${open} from the rules alone`,
  ]
}

function dollar(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(4)}`
}

function change({ with: kept, without }: Comparison): string {
  if (without === 0) return '±0 %'
  const percent = (100 * (kept - without)) / without
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`
}
