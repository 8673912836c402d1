import { anatomyTables } from './anatomy.ts'
import { containedTable } from './contained.ts'
import { faultTable } from './faults.ts'
import { type Contender, defaultPreset, type FieldResult } from './field.ts'
import { agentTable, lossLines, worstTable } from './findings.ts'
import { limitTable } from './limit-table.ts'
import { type PolicyScore, poolScores } from './pool.ts'
import type { BenchSession } from './sources.ts'
import { markdownTable, recallTable, scoreTable, spreadTable, type Table } from './tables.ts'

/** Sessions that are reported together. */
export interface Group {
  readonly title: string
  readonly sessions: readonly BenchSession[]
  readonly field: FieldResult
}

export interface ReportParts {
  readonly groups: readonly Group[]
  readonly contenders: readonly Contender[]
  /** Further sections, such as what documents claim. */
  readonly sections: readonly Section[]
}

export interface Section {
  readonly heading: string
  readonly text?: string
  readonly table?: Table
}

export function pooledScores({ field }: Group): readonly PolicyScore[] {
  return [...field.pairs.values()].map(poolScores)
}

/** The tables of a group, for a terminal or a page. */
export function groupSections(group: Group, contenders: readonly Contender[]): readonly Section[] {
  const scores = pooledScores(group)
  const own = `palimpsest ${defaultPreset}`
  const pairs = group.field.pairs.get(own) ?? []
  const losses = lossLines(group.field.pairs, contenders, own)
  return [
    { heading: 'The field', table: scoreTable(scores) },
    { heading: 'Spread over sessions', table: spreadTable(scores) },
    { heading: 'With missing evidence fetched back', table: recallTable(scores) },
    ...faultSections(group, contenders),
    { heading: 'Limits at full evidence', table: limitTable(group.field.limits) },
    {
      heading: 'Our presets beside what they contain',
      text: 'Ours / theirs, missing evidence fetched back.',
      table: containedTable(group.field),
    },
    { heading: `By agent: ${own}`, table: agentTable(pairs) },
    { heading: `The ten worst sessions of ${own}`, table: worstTable(pairs) },
    {
      heading: 'What we lose today',
      text: losses.length === 0 ? 'Nothing in these sessions.' : bulleted(losses),
    },
  ]
}

function faultSections({ field }: Group, contenders: readonly Contender[]): readonly Section[] {
  const table = faultTable(field.pairs, contenders)
  if (table.length === 0) return []
  return [
    {
      heading: 'What is invalid',
      text: 'One row for each kind of fault. A fault that a document asks for is a fault: it counts above, under *invalid* and in E4.',
      table,
    },
  ]
}

const bulleted = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

export function sectionText({ heading, text, table }: Section, level: string): string {
  const parts = [
    `${level} ${heading}`,
    text,
    table === undefined ? undefined : markdownTable(table),
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

/** docs/benchmark.md with new sections in place of those whose headings begin with the same word. */
export function withSections(page: string, sections: readonly Section[], word: string): string {
  const added = sections.map((section) => `${sectionText(section, '##')}\n`)
  return withParts(page, added, word)
}

/** docs/benchmark.md with the sections of an earlier page whose headings begin with the word. */
export function withSectionsOf(page: string, earlier: string, word: string): string {
  const kept = partsOf(earlier).filter((part) => part.startsWith(`## ${word}`))
  return withParts(page, kept, word)
}

function withParts(page: string, added: readonly string[], word: string): string {
  const others = partsOf(page).filter((part) => !part.startsWith(`## ${word}`))
  const at = others.findIndex((part) => part.startsWith('## Calibration'))
  return others.toSpliced(at < 0 ? others.length : at, 0, ...added).join('\n')
}

function partsOf(page: string): readonly string[] {
  return page.split(/\n(?=## )/)
}

/** docs/benchmark.md. */
export function reportPage({ groups, contenders, sections }: ReportParts): string {
  const parts = [preface]
  for (const group of groups) {
    const requests = group.sessions.reduce((sum, { unpruned }) => sum + unpruned.requests.length, 0)
    parts.push(`## ${group.title}`)
    parts.push(`${group.sessions.length} sessions, ${requests} requests.`)
    for (const section of groupSections(group, contenders)) parts.push(sectionText(section, '###'))
    for (const { heading, table } of anatomyTables(group.sessions))
      parts.push(sectionText({ heading, table }, '###'))
  }
  parts.push(...sections.map((section) => sectionText(section, '##')))
  parts.push(
    sectionText(
      {
        heading: 'Who is measured',
        table: [
          ['policy', 'source', 'parameters'],
          ...contenders.map(({ name, source, parameters }) => [name, source, parameters]),
        ],
      },
      '##',
    ),
  )
  return `${parts.join('\n\n')}\n`
}

const preface = `# Benchmark

Written by \`npm run bench\`; do not edit. Any program that prints [traces](traces.md) can be measured:
\`npm run bench -- --trace-cmd 'program {file}'\`.

![Dollars against evidence](charts/dollars.svg)

![Tokens over a session](charts/session.svg)

![Growth](charts/growth.svg)

## Definitions

- **Tokens** are characters / 4. Token figures leave out the constant prefix of 18,000 tokens (system and tools); dollar figures and
  hit rates include it. Only input is priced. 1.00 is what the same session costs without any policy.
- **Dollars**: every request leaves all its prefixes in the cache; a later one reads the longest prefix that was used within the
  lifetime, which refreshes it, and writes the rest. The grain is one item. The lifetime is five minutes, an hour for anthropic-1h;
  without recorded times the cache counts as warm. Prices are in \`bench/score/regimes.ts\`.
- **Bust**: a request that does not extend the one before it, the recording's own compactions excepted.
- **E1** (edit anchors): the old text, or context and deleted lines, of a successful edit: at least 16 characters that are no white space,
  60 % of which stood in the request without any policy. *Current*: every such line stands in the request. *Stale*: a line is missing, the
  change that wrote it is hidden, and the lines that it replaced still stand. *Recoverable*: every missing line is in the original of a
  shown rendition with a handle. Else *lost*.
- **E2** (identifiers): words of at least 8 characters with a digit, \`_\`, \`/\`, \`.\` or an inner capital, first said by a tool result, in at most
  3 earlier items, and used in a call outside of an anchor.
- **E4**: the user's texts, unchanged, at every request. **E5**: the latest whole task list.
- **Invalid**: a call without its result or the reverse, an empty rendition, a changed order, a changed user text, an item from the future, a
  fault of form, and whatever of the recording the trace does not tell (*coverage*).
- **Recalls**: the price plus one more request for each that misses evidence, and the smallest items that hold it, written once and kept.
- **Limits** know the future and meet every need.

## Reading the figures

- The replay is open loop: the recorded actions stay as they were, and it is asked whether each request still held what they copied. An agent
  that misses something may act otherwise.
- Recalls assume that the model knows what it misses and asks for it. They are a lower bound for policies that hide much without a trace of it.
- A request is counted for every answer of the recording, also for those that were aborted before the first word and for those that the client
  itself wrote after an error of the provider. A scorer that leaves them out counts a few requests less.
- Instructions that a recording keeps as messages of the system or the developer are items, and so in the token figures.
- What an edit's anchor says is counted once, as E1, not again as identifiers.
- The engine decides by the prices and the lifetime of the recorded model, and each column prices all sessions alike. A session recorded with
  another provider's model (gpt-4o, say) can therefore *cost more* under anthropic-5m although it is cheaper at its own prices. The held-out
  part has both: sessions whose engine is told the prices of the column, and *own worst*, each at the prices of its own model.
- The preset \`dcp\` as shipped waits for its prune tool, which no recording calls. Its row has the same strategies under the schedule
  \`economic\`.`
