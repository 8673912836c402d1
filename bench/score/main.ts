import { parseArgs } from 'node:util'
import { presetNames } from '../../src/config/config.ts'
import { findRegime } from '../../src/core/schedule/regimes.ts'
import { schedules } from '../../src/core/words/settings.ts'
import { anatomyTables } from './anatomy.ts'
import { poolScores, type ScoredPair } from './pool.ts'
import { scoreSession } from './score.ts'
import {
  BenchError,
  type BenchSession,
  benchSessions,
  commandTrace,
  engineTrace,
  existingCorpus,
  exitCodeOf,
  usualCorpus,
} from './sources.ts'
import { markdownTable, recallTable, scoreTable, spreadTable } from './tables.ts'

const usage = `Scores one policy over recorded sessions.

  node scripts/score.mjs                                    the default preset over ../shared/corpus
  node scripts/score.mjs --preset balanced --schedule eager
  node scripts/score.mjs --regime openai                    tell the engine the prices
  node scripts/score.mjs --trace-cmd 'program {file}'       any program that prints replay traces
  node scripts/score.mjs --corpus DIR --session NAME        only files whose path has NAME in it
  node scripts/score.mjs --by-session                       one line a session
  node scripts/score.mjs --misses                           each need that was not met
  node scripts/score.mjs --needs                            which items actions copied from, as JSON Lines
  node scripts/score.mjs --anatomy                          what the sessions consist of
  node scripts/score.mjs --json                             everything, by session
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      preset: { type: 'string', default: 'balanced' },
      schedule: { type: 'string' },
      regime: { type: 'string' },
      needs: { type: 'boolean', default: false },
      session: { type: 'string', default: '' },
      'trace-cmd': { type: 'string' },
      'by-session': { type: 'boolean', default: false },
      anatomy: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const corpus = await existingCorpus(values.corpus ?? usualCorpus)
  if (values.needs) {
    await printNeeds(corpus, values.session)
    return 0
  }
  if (values.anatomy) {
    await printAnatomy(corpus, values.session)
    return 0
  }
  const preset = presetNames.find((name) => name === values.preset)
  const schedule = schedules.find((name) => name === values.schedule)
  if (preset === undefined || (schedule === undefined && values.schedule !== undefined)) {
    process.stderr.write(`unknown --preset or --schedule\n\n${usage}`)
    return 2
  }
  const regime = values.regime === undefined ? undefined : findRegime(values.regime)
  if (regime === undefined && values.regime !== undefined) {
    process.stderr.write(`unknown --regime ${values.regime}\n`)
    return 2
  }
  const config = { preset, schedule, toolMappings: [], warnings: [] }
  const name = schedule === undefined ? preset : `${preset} ${schedule}`
  const pairs: ScoredPair[] = []
  for await (const session of benchSessions(corpus, (file) => file.includes(values.session))) {
    const { unpruned, needs } = session
    const command = values['trace-cmd']
    const traced =
      command === undefined
        ? engineTrace(session, config, name, regime)
        : commandTrace(session, command)
    const none = scoreSession(unpruned, unpruned, needs)
    const score = scoreSession(unpruned, { ...traced, file: session.name }, needs)
    pairs.push({ score, none })
    if (values.misses) printMisses(score)
    if (values['by-session']) process.stdout.write(`${sessionLine({ score, none })}\n`)
  }
  if (pairs.length === 0)
    throw new BenchError(
      `--session ${values.session}: no recording below ${corpus} has it in its path`,
    )
  if (values.json) {
    const pooled = poolScores(pairs)
    const sessions = pairs.map(({ score, none }) => ({ ...score, none, misses: undefined }))
    process.stdout.write(`${JSON.stringify({ pooled, sessions })}\n`)
    return 0
  }
  const pooled = [poolScores(pairs)]
  process.stdout.write(`${pairs.length} sessions, ${pooled[0]?.requests} requests\n\n`)
  for (const table of [scoreTable(pooled), spreadTable(pooled), recallTable(pooled)])
    process.stdout.write(`${markdownTable(table)}\n\n`)
  return 0
}

async function printAnatomy(folder: string, name: string): Promise<void> {
  const sessions: BenchSession[] = []
  for await (const session of benchSessions(folder, (file) => file.includes(name)))
    sessions.push(session)
  for (const { heading, table } of anatomyTables(sessions))
    process.stdout.write(`${heading}:\n\n${markdownTable(table)}\n\n`)
}

/** One line per need: the items that each action copied from. */
async function printNeeds(folder: string, name: string): Promise<void> {
  for await (const session of benchSessions(folder, (file) => file.includes(name)))
    for (const need of session.needs.needs)
      process.stdout.write(`${JSON.stringify({ file: session.name, ...need })}\n`)
}

function sessionLine({ score, none }: ScoredPair): string {
  const dollars = (score.price.cost[0] ?? 0) / (none.price.cost[0] ?? 1)
  const recalled = (score.recalls.cost[0] ?? 0) / (none.price.cost[0] ?? 1)
  const { current, stale, recoverable, lost } = score.E1
  return [
    dollars.toFixed(3),
    recalled.toFixed(3),
    (score.tokens / none.tokens).toFixed(3),
    `E1 ${current}/${stale}/${recoverable}/${lost}`,
    `E2 ${score.E2.current}/${score.E2.recoverable}/${score.E2.lost}`,
    `busts ${score.busts}`,
    `invalid ${score.faults.length}`,
    score.file,
  ].join('  ')
}

function printMisses(score: ReturnType<typeof scoreSession>): void {
  for (const fault of score.faults) process.stdout.write(`invalid  ${score.file}: ${fault}\n`)
  for (const { need, outcome, missing } of score.misses) {
    const holders = missing[0]?.holders.slice(-3).join(',')
    const text = JSON.stringify(missing[0]?.text.slice(0, 80))
    process.stdout.write(
      `${need.class} ${outcome}  ${score.file} request ${need.n} call ${need.call}, in ${holders}: ${text}\n`,
    )
  }
}

process.exitCode = await exitCodeOf(main)
