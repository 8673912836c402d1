import { Command } from 'commander'
import { parseDuration } from '../config/quantities.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { savingsOf, startOfDays } from '../dashboard/overview.ts'
import { createStoredSessions } from '../dashboard/stored-sessions.ts'
import type { Group, Overview, Totals } from '../dashboard/types.ts'
import { chosenConfig } from './chosen-config.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { money, moneyColumn, percent, plural, short } from './figures.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface GainOptions extends SetupOptions {
  readonly since?: string
  readonly week?: true
  readonly month?: true
  readonly by: string
  readonly json?: true
}

const groupings = { day: 'days', project: 'projects', agent: 'agents', model: 'models' } as const
type Grouping = keyof typeof groupings
/** A chart with more bars than this does not fit the terminal. */
const mostBars = 31

export function gainCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('gain'))
    .description('show what was saved, from the receipts of real requests')
    .option('--since <time>', 'the last 7d, 12h or 4w')
    .option('--week', 'the last 7 days (the default)')
    .option('--month', 'the last 30 days')
    .option('--by <what>', 'day, project, agent or model', 'day')
    .option(
      '--json',
      'print one JSON value: {from, to, totals, restoredBy, bypassedBy, by, groups}',
    )
    .addHelpText(
      'after',
      `
A request's saving is what the provider's usage shows: what it cost, against the same request with everything
that was left out, under the cache that the provider had. Requests without usage count with the estimate that was made
before they were sent. Epochs that cost more than they saved count as a loss.

People with a subscription pay no dollars: they see tokens, and how much of the limit is used.

What the hook of \`init --hooks\` shortened counts once for each output, in tokens: its requests are not seen.

Examples:
  palimpsest gain
  palimpsest gain --month --by project
  palimpsest gain --since 24h --by model --json`,
    )
    .action(async (options: GainOptions) => {
      const by = groupingOf(options.by)
      const to = terminal.now()
      const period = periodOf(options)
      // Whole days, as in the dashboard; `--since` counts from this moment.
      const from = 'days' in period ? startOfDays(to, period.days) : to - period.ms
      const { models } = chosenConfig(terminal, options)
      const savings = await withStore(
        terminal,
        options,
        async (store) =>
          savingsOf(await createStoredSessions(store).receipts(), { from, to, models }),
        { readOnly: true },
      )
      const { totals, restoredBy, bypassedBy } = savings
      const groups = savings[groupings[by]]
      if (options.json) {
        const value = { from, to, totals, restoredBy, bypassedBy, by, groups }
        await writeJson(terminal, value)
        return
      }
      await writeLines(terminal.out, [
        ...verdictLines(savings, period.words, terminal),
        ...(totals.requests + totals.outputs === 0 ? [] : ['', ...chart(groups, totals, terminal)]),
      ])
    })
}

function groupingOf(by: string): Grouping {
  const found = (Object.keys(groupings) as Grouping[]).find((each) => each === by)
  if (found !== undefined) return found
  const known = Object.keys(groupings).join(', ')
  throw new PalimpsestError('usage', `--by ${by} is not known; use one of: ${known}`)
}

type Period = { readonly words: string } & ({ readonly days: number } | { readonly ms: number })

function periodOf({ since, week, month }: GainOptions): Period {
  if ([since, week, month].filter((each) => each !== undefined).length > 1)
    throw new PalimpsestError('usage', 'give one of --since, --week and --month')
  if (since !== undefined) return { ms: parseDuration(since), words: `in the last ${since}` }
  return month === true
    ? { days: 30, words: 'in the last 30 days' }
    : { days: 7, words: 'in the last 7 days' }
}

/** The result first, then what it is based on. */
export function verdictLines(
  { totals, restoredBy, bypassedBy }: Pick<Overview, 'totals' | 'restoredBy' | 'bypassedBy'>,
  period: string,
  terminal: Terminal,
): readonly string[] {
  const { requests, outputs, sessions, tokens, savedDollars, spentDollars, measured, cache } =
    totals
  const { bold, dim } = terminal.colors
  if (requests + outputs === 0)
    return wrapped(
      `no requests ${period}: \`palimpsest run\` and \`palimpsest serve\` record them`,
      terminal.columns,
    )
  const share = tokens.without === 0 ? 0 : 1 - tokens.with / tokens.without
  const inTokens = `${short(tokens.without - tokens.with)} of ${short(tokens.without)} tokens (${percent(share)})`
  const isPaid = paysByToken(totals) && savedDollars !== null
  const of = spentDollars === null ? '' : ` of ${money(spentDollars + (savedDollars ?? 0))}`
  const amount = money(savedDollars ?? 0)
  const saved = isPaid ? `${amount === '$0.00' ? 'nothing' : amount}${of}` : inTokens
  const input = cache === null ? 0 : cache.read + cache.written + cache.uncached
  const notes = [
    ...(requests === 0
      ? []
      : [
          `${plural(requests, 'request')} in ${plural(sessions, 'session')}; ${basisOf(requests, measured)}`,
        ]),
    ...(outputs === 0
      ? []
      : [`shortened by the hook: ${plural(outputs, 'output')}, each counted once, in tokens`]),
    ...(isPaid ? [`not sent: ${inTokens}`] : []),
    ...(input === 0 || cache === null
      ? []
      : [`cache: ${percent(cache.read / input)} of the input was read from it`]),
    ...limitNotes(totals),
    ...(totals.restored === 0
      ? []
      : [`fetched back: ${plural(totals.restored, 'original')} (${countsText(restoredBy)})`]),
    ...(totals.bypassed === 0
      ? []
      : [`sent unchanged: ${plural(totals.bypassed, 'request')} (${countsText(bypassedBy)})`]),
    ...(totals.failed === 0 ? [] : [`failed: ${plural(totals.failed, 'request')}`]),
  ]
  return [
    bold(`saved ${saved} ${period}`),
    ...notes.flatMap((note) => wrapped(`  ${note}`, terminal.columns)).map((line) => dim(line)),
  ]
}

/** `5 pointer, 2 view`, the most first. */
function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

function basisOf(requests: number, measured: number): string {
  if (measured === requests) return "all by the provider's usage"
  if (measured === 0) return 'estimated, because no usage was reported'
  return `${measured} by the provider's usage, the others estimated`
}

function limitNotes({ limits, limitShare, billing }: Totals): readonly string[] {
  const used = Object.entries(limits ?? {}).map(
    ([window, share]) => `${percent(share)} of ${window}`,
  )
  const context =
    billing === 'subscription' && limitShare !== null
      ? [
          `context: ${percent(limitShare.with)} of the model's limit on average, ${percent(limitShare.without)} without`,
        ]
      : []
  return [...context, ...(used.length === 0 ? [] : [`limits used: ${used.join(', ')}`])]
}

/** Dollars are for people who pay by token, or of whom nothing is known. */
function paysByToken({ billing }: Totals): boolean {
  return billing !== 'subscription'
}

/** A bar for each group, as wide as the terminal allows. */
function chart(groups: readonly Group[], totals: Totals, terminal: Terminal): readonly string[] {
  const isPaid = paysByToken(totals) && totals.savedDollars !== null
  const savedIn = (group: Group): number =>
    isPaid ? (group.savedDollars ?? 0) : group.tokens.without - group.tokens.with
  const shown = groups.slice(-mostBars)
  const values = shown.map(savedIn)
  const words = isPaid ? moneyColumn(values) : values.map(short)
  const names = shown.map(({ name }) => dayName(name) ?? lastPart(name, 28))
  const nameWidth = Math.max(...names.map((name) => name.length))
  const wordWidth = Math.max(...words.map((word) => word.length))
  const room = Math.max(8, Math.min(terminal.columns, 100) - nameWidth - wordWidth - 6)
  const most = Math.max(...shown.map((group) => Math.abs(savedIn(group))), Number.MIN_VALUE)
  const { green, red } = terminal.colors
  const rest = groups.length - shown.length
  return [
    ...shown.map((group, at) => {
      const value = savedIn(group)
      const bar = (value < 0 ? '░' : '█').repeat(Math.round((room * Math.abs(value)) / most))
      const painted = value < 0 ? red(bar) : green(bar)
      const left = `  ${(names[at] ?? '').padEnd(nameWidth)}  ${(words[at] ?? '').padStart(wordWidth)}`
      return `${left}  ${painted}`.trimEnd()
    }),
    ...(rest > 0 ? [`  and ${rest} earlier`] : []),
  ]
}

/** `Wed 18 Nov` for `2026-11-18`; null for the name of anything but a day. */
function dayName(name: string): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(name)) return null
  const [weekday, month, day] = new Date(`${name}T12:00:00`).toDateString().split(' ')
  return `${weekday} ${Number(day)} ${month}`.padEnd(10)
}

/** The end of a long name says more, as of a path. */
function lastPart(name: string, width: number): string {
  return name.length <= width ? name : `…${name.slice(1 - width)}`
}
