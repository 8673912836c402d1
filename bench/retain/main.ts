import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Coefficients } from '../../src/core/words/coefficients.ts'
import { type RegimeName, regimeNames } from '../score/regimes.ts'
import { type BenchSession, benchSessions } from '../score/sources.ts'
import { markdownTable, type Table } from '../score/tables.ts'
import { coefficientFile } from './coefficient-file.ts'
import { type CrossValidation, crossValidate, trainWithoutEach } from './cross-validate.ts'
import { type Example, examplesOf, repositoryOf } from './examples.ts'
import { itemFrontier } from './item-frontier.ts'
import type { Quality } from './quality.ts'
import { scoreRetention } from './session-frontier.ts'
import { train } from './train.ts'

const usage = `Learns which results will be needed again.

  npm run train:retention -- DIR [DIR …]            learns from the recordings below these folders and writes
                                                    src/core/propose/retain/coefficients.ts
  npm run train:retention -- DIR --dry              writes nothing
  npm run train:retention -- DIR --dry --score      replays every session with what was learnt from the
                                                    other repositories, for each --risk (takes minutes)
  npm run train:retention -- DIR --dry --score --halves
                                                    learns from half of the repositories, scores the other
  --risk 0.15,0.3,0.45                              the risks to try; "off" is without, "rules" without learning
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'src/core/propose/retain/coefficients.ts' },
      dry: { type: 'boolean', default: false },
      score: { type: 'boolean', default: false },
      halves: { type: 'boolean', default: false },
      risk: { type: 'string', default: 'off,rules,0.15,0.3,0.45,0.6' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length === 0) {
    process.stdout.write(usage)
    return values.help ? 0 : 2
  }
  const sessions: BenchSession[] = []
  const examples: Example[] = []
  const groups = new Map<BenchSession, string>()
  for (const folder of positionals) {
    for await (const session of benchSessions(folder)) {
      sessions.push(session)
      groups.set(session, repositoryOf(session))
      examples.push(...examplesOf(session))
    }
  }
  if (examples.length === 0) {
    process.stderr.write(`no recording with large results below ${positionals.join(', ')}\n`)
    return 2
  }
  const learnt = trainWithoutEach(examples, ({ group }) => group)
  const quality = crossValidate(examples, learnt)
  printQuality(quality)
  print(frontierTable(examples, learnt))
  const all = train(examples)
  if (!values.dry) writeFileSync(values.out, coefficientFile(all, examples, quality))
  if (!values.score) return 0
  const groupOf = (session: BenchSession): string => groups.get(session) ?? ''
  const risks = values.risk.split(',')
  if (!values.halves) {
    print(sessionTable(sessions, risks, (session) => learnt.get(groupOf(session)) ?? all))
    return 0
  }
  for (const half of [0, 1]) {
    const isHeldOut = (group: string): boolean =>
      Math.max(0, [...learnt.keys()].indexOf(group)) % 2 === half
    const known = train(examples.filter(({ group }) => !isHeldOut(group)))
    const heldOut = sessions.filter((session) => isHeldOut(groupOf(session)))
    process.stdout.write(`Half ${half + 1}, ${heldOut.length} sessions held out:\n\n`)
    print(sessionTable(heldOut, risks, () => known))
  }
  return 0
}

function print(table: Table): void {
  process.stdout.write(`${markdownTable(table)}\n\n`)
}

function printQuality(validation: CrossValidation): void {
  const named: readonly (readonly [string, Quality])[] = [
    ['lines of file text', validation.anchor],
    ['names of file text', validation.name],
    ['names of other results', validation.otherName],
  ]
  print([
    ['copied from it later', 'examples', 'happened', 'AUC', 'Brier', 'Brier of the mean'],
    ...named.map(([name, { count, happened, auc, brier, brierOfMean }]) => [
      name,
      ...[count, happened].map(String),
      ...[auc, brier, brierOfMean].map((value) => value.toFixed(3)),
    ]),
  ])
  const tenths = named[0]?.[1].calibration.map((_, at) => at) ?? []
  print([
    ['predicted → observed', ...tenths.map((at) => `${at + 1}.`)],
    ...named.map(([name, { calibration }]) => [
      name,
      ...calibration.map(
        ({ predicted, observed }) => `${predicted.toFixed(3)} → ${observed.toFixed(3)}`,
      ),
    ]),
  ])
}

function frontierTable(
  examples: readonly Example[],
  learnt: ReadonlyMap<string, Coefficients>,
): Table {
  const rows = itemFrontier(examples, learnt, [0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 1])
  return [
    ['risk', 'results let go', '% of their residency', 'anchors lost', 'names lost'],
    ...rows.map(({ risk, items, residencyRemoved, anchorsLost, namesLost }) => [
      ...[risk, items].map(String),
      (residencyRemoved * 100).toFixed(1),
      ...[anchorsLost, namesLost].map(String),
    ]),
  ]
}

function sessionTable(
  sessions: readonly BenchSession[],
  risks: readonly string[],
  coefficientsFor: (session: BenchSession) => Coefficients,
): Table {
  const priced: readonly RegimeName[] = regimeNames.filter((name) => name !== 'no-cache')
  return [
    [
      'risk',
      ...priced.map((name) => `$ ${name} / + recalls`),
      ...['E1 current %', 'E2 visible %', 'lost', 'recalled per 100', 'cost more in any regime'],
    ],
    ...risks.map((risk) => {
      const score = scoreRetention(sessions, {
        risk: risk === 'off' ? null : risk === 'rules' ? 0.45 : Number(risk),
        coefficientsFor: (session) => (risk === 'rules' ? null : coefficientsFor(session)),
      })
      const costMore = Math.max(...regimeNames.map((name) => score.dollars[name].costMore))
      return [
        risk === 'rules' ? 'rules, 0.45' : risk,
        ...priced.map((name) =>
          [score.dollars, score.dollarsWithRecalls]
            .map((each) => each[name].pooled.toFixed(3))
            .join(' / '),
        ),
        ...[score.E1.current, score.E2.current].map((share) => (share * 100).toFixed(1)),
        ((score.E1.lost + score.E2.lost) * 100).toFixed(1),
        score.recalledPerHundredPruned?.toFixed(1) ?? '-',
        costMore.toFixed(2),
      ]
    }),
  ]
}

process.exitCode = await main()
