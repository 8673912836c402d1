// `npm run bench:digest`: which decisive lines of large outputs the digest keeps.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freshCases, generatedCases, halvesOf, isOpened, recordedHalf } from './digest/cases.ts'
import type { DigestCase, Half } from './digest/digest-case.ts'
import {
  type Contender,
  familyTable,
  kindTable,
  publishedTable,
  sizeTable,
  totalsTable,
} from './digest/digest-tables.ts'
import { recordedCases } from './digest/recorded-cases.ts'
import { headAndTail, plainCap, scoreCase } from './digest/score-case.ts'
import { digestOf } from './digest/subject.ts'
import { type Section, sectionText } from './score/report.ts'
import { BenchError, exitCodeOf } from './score/sources.ts'

const usage = `npm run bench:digest [-- options]

  --half train    only the train half, with the lost lines of each output
  --half test     only the test half; its outputs are never printed one by one
  --fresh         only the fresh programs, with the lost lines of those that were opened
  --no-recorded   without the recorded sessions in ../shared
  --write         write the tables of docs/digest-benchmark.md
`

const page = 'docs/digest-benchmark.md'
const start = '<!-- figures of npm run bench:digest -->'
const end = '<!-- end of figures -->'
const lostShown = 4
const usualChars = { headAndTail: 4_000, cap: 8_000 }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      half: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      'no-recorded': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const { half } = values
  if (half !== undefined && half !== 'train' && half !== 'test')
    throw new BenchError(`--half ${half}: use train or test`)
  if ((half !== undefined || values.fresh) && values.write)
    throw new BenchError('--write needs the whole benchmark: leave out --half and --fresh')
  if (half !== undefined && values.fresh) throw new BenchError('use --half or --fresh, not both')

  const generated = generatedCases()
  const halves = halvesOf(generated)
  const recorded = values['no-recorded'] || values.fresh ? [] : await recordedCases()
  const both: readonly Half[] = half === undefined ? ['train', 'test'] : [half]
  const shown = values.fresh ? [] : both
  const sections: Section[] = []
  for (const name of shown) {
    const own = generated.filter(({ id }) => halves.get(id) === name)
    const others = recorded.filter(({ id }) => recordedHalf(id) === name)
    const contenders = contendersOn(own)
    sections.push(...generatedSections(name, own, contenders))
    if (others.length > 0) sections.push(...recordedSections(name, contendersOn(others)))
    if (half === 'train') for (const line of lostLines(contenders[0]!)) console.log(line)
  }
  if (half === undefined) {
    const fresh = freshCases()
    sections.push(...freshSections(fresh))
    if (values.fresh)
      for (const line of lostLines(contendersOn(fresh.filter(isOpened))[0]!)) console.log(line)
  }
  sections.push({
    heading: 'Published figures',
    text: 'What others publish for such tools, each on outputs of their own.',
    table: publishedTable,
  })
  const text = sections.map((section) => sectionText(section, '##')).join('\n\n')
  process.stdout.write(`${text}\n`)
  if (values.write) {
    writeFileSync(page, withTables(existsSync(page) ? readFileSync(page, 'utf8') : preface, text))
    process.stderr.write(`wrote ${page}\n`)
  }
  return 0
}

/** The digest first, then the baselines, at their usual size and at the size of the digest. */
function contendersOn(cases: readonly DigestCase[]): readonly Contender[] {
  const digests = new Map(cases.map((output) => [output, digestOf(output) ?? output.text]))
  const contender = (name: string, shorten: (output: DigestCase) => string): Contender => ({
    name,
    scores: cases.map((output) => scoreCase(output, shorten(output))),
  })
  const digest = (output: DigestCase): string => digests.get(output)!
  return [
    contender('digest', digest),
    contender('head+tail', ({ text }) => headAndTail(text, usualChars.headAndTail)),
    contender('cap', ({ text }) => plainCap(text, usualChars.cap)),
    contender('head+tail, same size', (output) => headAndTail(output.text, digest(output).length)),
    contender('cap, same size', (output) => plainCap(output.text, digest(output).length)),
  ]
}

function generatedSections(
  half: Half,
  cases: readonly DigestCase[],
  contenders: readonly Contender[],
): readonly Section[] {
  const programs = new Set(cases.map(({ program }) => program)).size
  const text = `${cases.length} generated outputs of ${programs} programs. Tables by kind, family and size leave out masses of one shape.`
  return [
    { heading: `Generated outputs, ${half} half`, text, table: totalsTable(contenders) },
    { heading: `By kind, ${half} half`, table: kindTable(contenders) },
    { heading: `By family, ${half} half`, table: familyTable(contenders) },
    { heading: `By size, ${half} half`, table: sizeTable(contenders) },
  ]
}

function freshSections(cases: readonly DigestCase[]): readonly Section[] {
  const programs = new Set(cases.map(({ program }) => program)).size
  const text = `${cases.length} generated outputs of ${programs} other programs.`
  const unopened = contendersOn(cases.filter((output) => !isOpened(output)))
  const all = contendersOn(cases)
  return [
    { heading: 'Fresh outputs', text, table: totalsTable(all) },
    {
      heading: 'Fresh outputs that were never opened',
      text: 'The programs whose lost lines are never printed.',
      table: totalsTable(unopened),
    },
    { heading: 'By kind, fresh outputs', table: kindTable(all) },
    { heading: 'By family, fresh outputs', table: familyTable(all) },
    { heading: 'By size, fresh outputs', table: sizeTable(all) },
  ]
}

function recordedSections(half: Half, contenders: readonly Contender[]): readonly Section[] {
  const text =
    'Large shell outputs of recorded sessions. A line is decisive when the session used a name of it in the next 15 messages that it had not seen before.'
  return [
    { heading: `Recorded outputs, ${half} half`, text, table: totalsTable(contenders) },
    { heading: `Recorded outputs by size, ${half} half`, table: sizeTable(contenders) },
  ]
}

/** Never for the test half or for unopened programs, so that the digest is not fitted to them. */
function* lostLines({ scores }: Contender): Generator<string> {
  for (const { output, lost } of scores) {
    if (lost.length === 0) continue
    const { id, decisive, text, command } = output
    yield `${id}: ${lost.length} of ${decisive.length} lost; ${text.length} characters of \`${command}\``
    const lines = text.split('\n')
    for (const { line, kind, mass } of lost.slice(0, lostShown))
      yield `  ${kind}${mass === true ? ' (mass)' : ''}, line ${line + 1}: ${(lines[line] ?? '').trim().slice(0, 140)}`
  }
  yield ''
}

function withTables(text: string, tables: string): string {
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from)
    throw new BenchError(`${page} has no place for the tables: '${start}' and '${end}'`)
  return `${text.slice(0, from + start.length)}\n${tables}\n${text.slice(to)}`
}

const preface = `# Digest benchmark

\`npm run bench:digest\` measures which decisive lines of large outputs the digest keeps. A line is decisive when its loss would
make the reader run the command again: failures, warnings, changes, summaries, exit statuses, exceptional rows, and lines with a
name that the request asks for.

The outputs are generated in the formats of real programs, with the decisive lines at random places, marked when they are
written. Half of them are for testing only, and more than a third of the programs are in that half only; the benchmark prints
their figures together, never one output. Where recorded sessions are present, their large shell outputs are measured as well.

A line is kept when it stands in a line of the digest, whitespace aside; of lines longer than 160 characters, the beginning is
compared. A fact of a JSON value or a table may stand in another layout. More than 40 decisive lines of one shape are a mass, for
which examples with a count may be enough; masses are counted separately.

The baselines are the first and the last 2,000 characters (head+tail) and the first 8,000 (cap), and both again at the size that
the digest had for the same output.

${start}
${end}
`

process.exitCode = await exitCodeOf(main)
