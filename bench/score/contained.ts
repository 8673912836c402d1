import type { FieldResult } from './field.ts'
import { type PolicyScore, poolScores } from './pool.ts'
import { type RegimeName, regimeNames } from './regimes.ts'
import type { Table } from './tables.ts'

/** Another policy that one of our presets includes. */
interface Containment {
  readonly preset: string
  readonly baseline: string
  /** The part that the preset includes. */
  readonly what: string
}

export const contained: readonly Containment[] = [
  { preset: 'balanced', baseline: 'acp-documented', what: 'superseding by file, hash, list, URL' },
  { preset: 'balanced', baseline: 'smart-tool-history', what: 'pointers for repeated reads' },
  { preset: 'balanced', baseline: 'admission-cap', what: 'cuts before an output is first sent' },
  { preset: 'balanced', baseline: 'dcp-auto', what: 'repeated calls, inputs of failed calls' },
  { preset: 'compact', baseline: 'acp-documented', what: 'all ten strategies' },
  { preset: 'compact', baseline: 'smart-tool-history', what: 'pointers for repeated reads' },
  { preset: 'compact', baseline: 'admission-cap', what: 'cuts before an output is first sent' },
  { preset: 'compact', baseline: 'dcp-auto', what: 'repeated calls, inputs of failed calls' },
  { preset: 'verbose', baseline: 'dcp-auto', what: 'repeated calls' },
  { preset: 'dcp economic', baseline: 'dcp-auto', what: 'repeated calls, inputs of failed calls' },
]

const noise = 0.005

/** Each preset and the policy it includes, with the cost of recalls. The last column names where the preset costs more. */
export function containedTable({ pairs }: Pick<FieldResult, 'pairs'>): Table {
  const rows = contained.flatMap(({ preset, baseline, what }) => {
    const own = pairs.get(`palimpsest ${preset}`)
    const other = pairs.get(baseline)
    if (own === undefined || other === undefined) return []
    const [ours, theirs] = [poolScores(own), poolScores(other)]
    return [
      [
        ...[preset, baseline, what],
        ...regimeNames.map((regime) => `${dollars(ours, regime)} / ${dollars(theirs, regime)}`),
        `${percent(ours.E1.current)} / ${percent(theirs.E1.current)}`,
        `${percent(ours.E2.current)} / ${percent(theirs.E2.current)}`,
        costsMoreIn(ours, theirs).join(', ') || '-',
      ],
    ]
  })
  return [
    [
      ...['preset', 'contains', 'what of it', ...regimeNames.map((name) => `$ ${name}`)],
      ...['E1 current %', 'E2 visible %', 'costs more in'],
    ],
    ...rows,
  ]
}

function costsMoreIn(ours: PolicyScore, theirs: PolicyScore): readonly RegimeName[] {
  return regimeNames.filter(
    (regime) =>
      ours.dollarsWithRecalls[regime].pooled > theirs.dollarsWithRecalls[regime].pooled + noise,
  )
}

const dollars = ({ dollarsWithRecalls }: PolicyScore, regime: RegimeName): string =>
  dollarsWithRecalls[regime].pooled.toFixed(2)

const percent = (share: number): string => (share * 100).toFixed(1)
