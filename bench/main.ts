import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { claimTable, countShares } from './baselines/claimed-shares.ts'
import { differenceTable } from './baselines/differences.ts'
import { dollarsChart, growthChart, sessionChart } from './chart/charts.ts'
import { type HeldOut, scoreHeldOut } from './held-out/held-out.ts'
import { heldOutSections, heldOutWords } from './held-out/held-out-tables.ts'
import { compareWithPage } from './score/beside.ts'
import { calibrationTable, isFirstOfRepository } from './score/calibration.ts'
import { contenders, createField, defaultPreset } from './score/field.ts'
import { growthExponent, measureGrowth } from './score/growth.ts'
import { limitTable } from './score/limit-table.ts'
import { plantSession } from './score/planted/planted-session.ts'
import { createReadings } from './score/readings.ts'
import { ownFigures, withFigures, withOwnFigures } from './score/readme.ts'
import {
  type Group,
  groupSections,
  pooledScores,
  reportPage,
  type Section,
  sectionText,
  withSections,
  withSectionsOf,
} from './score/report.ts'
import { viewTokens } from './score/session.ts'
import {
  BenchError,
  type BenchSession,
  benchSession,
  benchSessions,
  commandTrace,
  existingCorpus,
  exitCodeOf,
  recordingFiles,
  usualCorpora,
} from './score/sources.ts'
import { recallTable, scoreTable } from './score/tables.ts'

const usage = `npm run bench [-- options]

  --quick                 a few sessions, nothing written
  --corpus DIR            your own recorded sessions, may be repeated (default: ../shared/corpus and ../shared/corpus-2
                          when present)
  --beside FILE           another measurement of the same sessions (default: ../shared/research/scoreboard.md when present)
  --trace-cmd 'p {file}'  also measure a program that prints replay traces
  --held-out              only the held-out part; renews its sections of docs/benchmark.md and README.md, unless of a
                          --corpus of your own
  --field                 everything but the held-out part, whose figures stay as they are
  --json                  print the pooled scores as one JSON value
`

const sampleSession = 'examples/sample-session.json'
const standardError = 2
/** Written at once: a thread's own stream would wait until the thread pauses. */
const progress = (words: string): void => {
  writeSync(standardError, `${words}\n`)
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      corpus: { type: 'string', multiple: true },
      beside: { type: 'string', default: '../shared/research/scoreboard.md' },
      'trace-cmd': { type: 'string' },
      'held-out': { type: 'boolean', default: false },
      field: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const { quick } = values
  const command = values['trace-cmd']
  const named = values.corpus ?? usualCorpora.filter((folder) => existsSync(folder))
  const folders = await Promise.all(named.map(existingCorpus))
  // Fails early when the program does not run.
  if (command !== undefined) commandTrace({ file: sampleSession, ordinal: 0 }, command)
  if (values['held-out'] && folders.length === 0)
    throw new BenchError('--held-out needs recorded sessions: --corpus DIR')
  const measured =
    folders.length === 0 || command !== undefined || quick || values.field
      ? null
      : heldOutIn(folders)
  // Its error is thrown where it is awaited.
  measured?.catch(() => {})
  if (values['held-out'] && measured !== null) {
    const heldOut = await measured
    const sections = heldOutSections(heldOut)
    for (const section of sections) process.stdout.write(`${sectionText(section, '#')}\n\n`)
    if (values.corpus !== undefined) return 0
    const page = readFileSync('docs/benchmark.md', 'utf8')
    writeFileSync('docs/benchmark.md', withSections(page, sections, 'Held out'))
    const readme = readFileSync('README.md', 'utf8')
    writeFileSync('README.md', withOwnFigures(readme, heldOutWords(heldOut)))
    progress('wrote the held-out sections of docs/benchmark.md and the figures of README.md')
    return 0
  }
  const all = contenders(command)
  const shares = countShares()
  const readings = createReadings()
  const page =
    !quick && command === undefined && existsSync(values.beside)
      ? readFileSync(values.beside, 'utf8')
      : null
  const groups: Group[] = []
  // A program reads files, so it is not measured on generated sessions.
  const own = command === undefined ? plantedSessions({ quick }) : []
  const corpora: (readonly Source[])[] = []
  for (const folder of folders) corpora.push(await corpusSessions(folder, { quick }))
  // The other measurement is of the first folder.
  const [corpus = [], ...others] = corpora
  for (const { title, sources } of [
    { title: 'Recorded by others', sources: corpus },
    ...others.map((sources) => ({ title: 'Recorded by others later', sources })),
    { title: 'Our own sessions, recorded and generated', sources: [sampleFile, ...own] },
  ]) {
    const field = createField(all)
    const sessions: BenchSession[] = []
    for (const source of sources) {
      for (const session of await source()) {
        progress(`${session.name}: ${session.unpruned.requests.length} requests`)
        field.add(session)
        shares.add(session)
        if (page !== null && sources === corpus) readings.add(session)
        sessions.push(session)
      }
    }
    if (sessions.length > 0) groups.push({ title, sessions, field: field.result() })
  }
  progress('growth')
  const growth = measureGrowth(quick ? [60, 200, 700] : [60, 200, 700, 2_500, 5_000])
  progress('calibration')
  const isFirst = isFirstOfRepository()
  const unrelated = (corpus.length === 0 ? [] : (groups[0]?.sessions ?? []))
    .filter(({ name }) => isFirst(name))
    .map(({ unpruned }) => unpruned)
  const heldOut = await measured
  const sections = [
    ...(heldOut === null ? [] : heldOutSections(heldOut)),
    {
      heading: 'Calibration',
      text: 'What the scorer finds in sessions whose needs were planted, and what it finds by chance of one session in another of another repository.',
      table: calibrationTable(unrelated),
    },
    { heading: 'What documents claim', table: claimTable(shares.shares()) },
    ...(page === null || corpus.length === 0 ? [] : [besideSection(groups[0], page)]),
    {
      heading: 'Why another measurement differs',
      text: 'The same policies were measured on the same sessions by somebody else.',
      table: differenceTable(),
    },
    ...(page === null || corpus.length === 0
      ? []
      : [{ heading: 'The same with a source read otherwise', table: readings.table(page) }]),
    {
      heading: 'Growth',
      text: `The time of one more request grows with the session's items to the power of ${growthExponent(growth).toFixed(2)}.`,
    },
  ]
  if (values.json) {
    const pooled = groups.map((group) => ({ title: group.title, scores: pooledScores(group) }))
    process.stdout.write(`${JSON.stringify(pooled)}\n`)
    return 0
  }
  for (const group of groups) {
    process.stdout.write(`# ${group.title}\n\n`)
    for (const section of groupSections(group, all))
      process.stdout.write(`${sectionText(section, '##')}\n\n`)
  }
  for (const section of sections) process.stdout.write(`${sectionText(section, '#')}\n\n`)
  if (quick || command !== undefined) return 0
  mkdirSync('docs/charts', { recursive: true })
  const report = reportPage({ groups, contenders: all, sections })
  const earlier = readFileSync('docs/benchmark.md', 'utf8')
  writeFileSync(
    'docs/benchmark.md',
    heldOut === null ? withSectionsOf(report, earlier, 'Held out') : report,
  )
  const ours = new Set(all.filter(({ isOurs }) => isOurs).map(({ name }) => name))
  const [first] = groups
  if (first !== undefined) {
    writeFileSync('docs/charts/dollars.svg', dollarsChart(pooledScores(first), ours))
    writeFileSync('docs/charts/session.svg', sessionChart(sessionSeries(first)))
  }
  const points = growth.map(({ items, milliseconds }) => ({ x: items, y: milliseconds }))
  writeFileSync('docs/charts/growth.svg', growthChart([{ name: 'palimpsest', points }]))
  progress('wrote docs/benchmark.md and docs/charts')
  const readme = readFileSync('README.md', 'utf8')
  const words = heldOut === null ? ownFigures(readme) : heldOutWords(heldOut)
  if (words !== null && first !== undefined) {
    writeFileSync('README.md', withFigures(readme, words, pooledScores(first)))
    progress('wrote the figures of README.md')
  }
  return 0
}

/** Everything that was recorded below the folders. */
async function recordedSessions(folders: readonly string[]): Promise<readonly BenchSession[]> {
  const sessions: BenchSession[] = []
  for (const folder of folders)
    for (const source of await corpusSessions(folder, { quick: false }))
      sessions.push(...(await source()))
  return sessions
}

/** Measures the held-out part in a thread of its own, because it takes as long as everything else. */
function heldOutIn(folders: readonly string[]): Promise<HeldOut> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: folders })
    worker.once('message', resolve).once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the held-out part ended with code ${code}`)))
  })
}

async function heldOutThread(): Promise<number> {
  const sessions = await recordedSessions(workerData as readonly string[])
  parentPort?.postMessage(scoreHeldOut(sessions, progress))
  return 0
}

/** Our rows next to the same rows of another measurement. */
function besideSection(group: Group | undefined, page: string): Section {
  const scores = group === undefined ? [] : pooledScores(group)
  const limits = group === undefined ? [] : [limitTable(group.field.limits)]
  const rows = compareWithPage([scoreTable(scores), recallTable(scores), ...limits], page)
  return {
    heading: 'Beside another measurement',
    text: `${rows.length} rows are in both. Figures that differ by more than two points (or two, for counts), ours first. Of these sessions, one is ${(100 / Math.max(1, scores[0]?.sessions ?? 1)).toFixed(1)} points of *% cost more*.`,
    table: [
      ['row', 'differs'],
      ...rows.map(({ row, figures }) => [row, figures.join('; ') || 'nothing']),
    ],
  }
}

type Source = () => Promise<readonly BenchSession[]>

const sampleFile: Source = async () => sessionsOf(sampleSession)

async function sessionsOf(file: string, name = file): Promise<readonly BenchSession[]> {
  const sessions: BenchSession[] = []
  for await (const session of benchSessions(file)) sessions.push({ ...session, name })
  return sessions
}

async function corpusSessions(
  folder: string,
  { quick }: { readonly quick: boolean },
): Promise<readonly Source[]> {
  const files = await recordingFiles(folder)
  const smallest = new Map<string, string>()
  for (const { file } of files.toSorted((a, b) => a.bytes - b.bytes)) {
    const parent = file.split('/').at(-2) ?? ''
    // Not so small that there is nothing to see.
    if (!smallest.has(parent) && statSync(file).size > 100_000) smallest.set(parent, file)
  }
  const chosen = quick ? [...smallest.values()] : files.map(({ file }) => file)
  return chosen.map((file) => () => sessionsOf(file, file.split('/').slice(-2).join('/')))
}

function plantedSessions({ quick }: { readonly quick: boolean }): readonly Source[] {
  const seeds = quick ? [11, 12] : [11, 12, 13, 14, 15, 16, 17, 18]
  return seeds.map((seed, index) => async () => {
    const steps = 40 + index * 40
    const { recording } = plantSession({ seed, steps })
    const name = `generated ${seed}, ${steps} steps`
    return [benchSession({ name, file: name, ordinal: 0, recording })]
  })
}

/** The longest session under several policies. */
function sessionSeries({ sessions }: Group): Parameters<typeof sessionChart>[0] {
  const size = ({ unpruned }: BenchSession): number =>
    viewTokens(unpruned.requests.at(-1)?.view ?? [])
  const longest = sessions.toSorted((a, b) => size(b) - size(a))[0]
  if (longest === undefined) return []
  const shown = ['none', 'keep-last-10-poll20', 'clear-tool-uses', `palimpsest ${defaultPreset}`]
  return contenders(undefined)
    .filter(({ name }) => shown.includes(name))
    .map(({ name, trace }) => ({
      name,
      points: trace(longest).requests.map(({ n, view }) => ({ x: n, y: viewTokens(view) })),
    }))
}

process.exitCode = await exitCodeOf(isMainThread ? main : heldOutThread)
