import type { Table } from '../score/tables.ts'
import { decisiveKinds } from './digest-case.ts'
import type { CaseScore } from './score-case.ts'

/** One way of shortening, scored on the same outputs as the others. */
export interface Contender {
  readonly name: string
  readonly scores: readonly CaseScore[]
}

const sizes: readonly (readonly [string, number])[] = [
  ['up to 16,000 characters', 16_000],
  ['up to 40,000', 40_000],
  ['up to 100,000', 100_000],
  ['more', Number.POSITIVE_INFINITY],
]

/** Figures that others publish for such tools, on their own outputs. */
export const publishedTable: Table = [
  ['published for such tools', 'decisive lines kept', 'removed', 'failure lines lost'],
  ['gold lines kept', '86 %', '92 %', '-'],
  ['lines kept, error lines lost', '75 %', '-', '7,771'],
  ['lines kept, no error line lost', '85 %', '-', '0'],
]

export function totalsTable(contenders: readonly Contender[]): Table {
  return [
    [
      '',
      'decisive lines kept',
      'without masses',
      'removed',
      'failure lines lost',
      'of them in masses',
      'outputs with all kept',
    ],
    ...contenders.map(({ name, scores }) => {
      const failures = scores.flatMap(({ lost }) => lost.filter(({ kind }) => kind === 'failure'))
      const whole = scores.filter(({ lost }) => lost.length === 0).length
      return [
        name,
        share(keptOf(scores, () => true)),
        share(keptOf(scores, ({ mass }) => mass !== true)),
        percent(1 - sum(scores, ({ keptChars }) => keptChars) / sum(scores, textChars)),
        failures.length.toLocaleString('en'),
        failures.filter(({ mass }) => mass === true).length.toLocaleString('en'),
        `${whole} of ${scores.length}`,
      ]
    }),
  ]
}

export function kindTable(contenders: readonly Contender[]): Table {
  const rows = decisiveKinds.map((kind) => ({
    name: kind,
    of: ({ scores }: Contender) =>
      keptOf(scores, (decisive) => decisive.kind === kind && decisive.mass !== true),
  }))
  const mass = {
    name: 'in masses of one shape',
    of: ({ scores }: Contender) => keptOf(scores, (decisive) => decisive.mass === true),
  }
  return shareTable('kind', 'lines', contenders, [...rows, mass])
}

export function familyTable(contenders: readonly Contender[]): Table {
  const families = [
    ...new Set(contenders[0]?.scores.map(({ output }) => output.family) ?? []),
  ].sort()
  const rows = families.map((family) => ({
    name: family,
    of: ({ scores }: Contender) =>
      keptOf(
        scores.filter(({ output }) => output.family === family),
        ({ mass }) => mass !== true,
      ),
  }))
  return shareTable('family', 'lines', contenders, rows)
}

export function sizeTable(contenders: readonly Contender[]): Table {
  const rows = sizes.map(([name, most], index) => {
    const least = sizes[index - 1]?.[1] ?? 0
    return {
      name,
      of: ({ scores }: Contender) =>
        keptOf(
          scores.filter(({ output }) => output.text.length > least && output.text.length <= most),
          ({ mass }) => mass !== true,
        ),
    }
  })
  return shareTable('size', 'lines', contenders, rows)
}

interface Kept {
  readonly kept: number
  readonly all: number
}

function shareTable(
  title: string,
  counted: string,
  contenders: readonly Contender[],
  rows: readonly { readonly name: string; readonly of: (contender: Contender) => Kept }[],
): Table {
  const filled = rows
    .map(({ name, of }) => ({ name, cells: contenders.map(of) }))
    .filter(({ cells }) => (cells[0]?.all ?? 0) > 0)
  return [
    [title, counted, ...contenders.map(({ name }) => name)],
    ...filled.map(({ name, cells }) => [name, String(cells[0]?.all), ...cells.map(share)]),
  ]
}

function keptOf(
  scores: readonly CaseScore[],
  isCounted: (decisive: CaseScore['lost'][number]) => boolean,
): Kept {
  const all = sum(scores, ({ output }) => output.decisive.filter(isCounted).length)
  return { all, kept: all - sum(scores, ({ lost }) => lost.filter(isCounted).length) }
}

const textChars = ({ output }: CaseScore): number => output.text.length

function sum(scores: readonly CaseScore[], value: (score: CaseScore) => number): number {
  return scores.reduce((total, score) => total + value(score), 0)
}

const share = ({ kept, all }: Kept): string => (all === 0 ? '-' : percent(kept / all))
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
