import type { ComparedVariant } from '../replay/compare.ts'
import type { Comparison } from '../replay/priced-session.ts'
import { fittedTable, plural } from './figures.ts'
import type { Terminal } from './terminal.ts'
import { wrapped } from './wrapped.ts'

/** A table of what variants send and cost, as a share of what the sessions sent and cost as they ran. */
export function compareLines(
  variants: readonly ComparedVariant[],
  { columns }: Pick<Terminal, 'columns'>,
): string[] {
  const [first] = variants
  if (first === undefined) return []
  const head = [
    'preset, schedule',
    'tokens',
    ...first.prices.map(({ regime }) => `$ ${regime}`),
    'epochs',
    'cost more',
    'on the way',
  ]
  const rows = variants.map((variant) => [
    `${variant.preset}, ${variant.schedule}`,
    share(variant.tokens),
    ...variant.prices.map(({ dollars }) => share(dollars)),
    `${variant.epochs}`,
    worst(variant, 'costMore'),
    worst(variant, 'costMoreMidway'),
  ])
  return [
    `${plural(first.sessions, 'session')}, ${plural(first.requests, 'request')}; 1.000 is as they ran`,
    ...fittedTable([head, ...rows], columns),
    ...wrapped(
      'cost more: sessions that cost more than as they ran, under the worst regime; on the way: that did so after some request',
      columns,
    ),
    "$ model: at the prices of each session's own model",
  ]
}

function share({ with: kept, without }: Comparison): string {
  return without === 0 ? '–' : (kept / without).toFixed(3)
}

function worst(variant: ComparedVariant, key: 'costMore' | 'costMoreMidway'): string {
  return `${Math.max(0, ...variant.prices.map((price) => price[key]))}`
}
