import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { openPauses } from '../config/pauses.ts'
import { cutEnd } from '../core/render/cut.ts'
import { modelFacts } from '../core/schedule/models/model-facts.ts'
import { agentName } from '../dashboard/agent-name.ts'
import { createTotals } from '../dashboard/receipt-totals.ts'
import { type ReadSession, readSession } from '../dashboard/session-detail.ts'
import { createStoredSessions, type StoredSessions } from '../dashboard/stored-sessions.ts'
import type { Memory } from '../memory/memory.ts'
import { changesIn } from '../memory/operations/log.ts'
import { finish } from '../replay/work.ts'
import { agentCutLines } from '../report/agent-cut-lines.ts'
import { type PricedReceipt, priceReceipts } from '../report/priced-receipts.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import type { SessionSummary } from '../store/index.ts'
import { chosenConfig } from './chosen-config.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { money, percent, plural, short } from './figures.ts'
import { withMemory } from './memory-open.ts'
import { namedSessions } from './recording-target.ts'
import { requestLine } from './request-log.ts'
import { isTerminal, type Terminal, writeLines } from './terminal.ts'

interface WatchOptions extends SetupOptions {
  readonly once?: true
  readonly json?: true
}

const everyMs = 1000
const shownDecisions = 8
const shownRemembered = 3

export function watchCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('watch'))
    .description('watch a session live: its context, its savings, the last decisions')
    .argument('[session]', "a stored session's id or its beginning; default: the last used")
    .option('--once', 'print the current state once')
    .option('--json', 'print one JSON value for each request')
    .addHelpText(
      'after',
      `
In a terminal it redraws one screen until Ctrl-C. In a pipe it prints one line for each new request.

Examples:
  palimpsest watch
  palimpsest watch 4f1c --once
  palimpsest watch --json | jq .savedDollars`,
    )
    .action(async (name: string | undefined, options: WatchOptions) => {
      const stop = new AbortController()
      const end = (): void => stop.abort()
      process.once('SIGINT', end).once('SIGTERM', end)
      try {
        await watch(terminal, name, options, stop.signal)
      } finally {
        process.off('SIGINT', end).off('SIGTERM', end)
      }
    })
}

async function watch(
  terminal: Terminal,
  name: string | undefined,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const { models, toolMappings: mappings } = chosenConfig(terminal, options)
  const isScreen = isTerminal(terminal.out) && !options.json
  await withStore(terminal, options, (store) =>
    withMemory(
      terminal,
      options,
      async ({ memory }) => {
        const sessions = createStoredSessions(store)
        const printed = { id: '', requests: 0, remembered: 0 }
        let drawn = ''
        for (;;) {
          const [summary] = await namedSessions(store, name)
          if (summary !== undefined) {
            const session = await read(sessions, summary, { models, mappings })
            const priced = priceReceipts(session.source.receipts, models)
            const remembered = await rememberedIn(memory, summary)
            if (isScreen || options.once) {
              const isPaused = openPauses(terminal.home, terminal.now).isPaused(summary.id)
              const lines = options.json
                ? priced.slice(-1).map((each) => requestJson(each, summary))
                : screen(session, priced, { terminal, isPaused, remembered })
              const text = lines.join('\n')
              if (text !== drawn) {
                if (isScreen && !options.once) terminal.out.write('\u001b[H\u001b[2J')
                await writeLines(terminal.out, lines)
              }
              drawn = text
            } else {
              if (printed.id !== summary.id)
                Object.assign(printed, { id: summary.id, requests: 0, remembered: 0 })
              const news = priced.slice(printed.requests)
              const learnt = remembered.slice(printed.remembered)
              printed.requests = priced.length
              printed.remembered = remembered.length
              const line = (each: PricedReceipt): string =>
                options.json
                  ? requestJson(each, summary)
                  : requestLine(each, { session: summary.id })
              await writeLines(terminal.out, [...news.map(line), ...(options.json ? [] : learnt)])
            }
          }
          if (options.once || signal.aborted) return
          await wait(everyMs, undefined, { signal }).catch(() => {})
          if (signal.aborted) return
        }
      },
      'empty',
    ),
  )
}

/** What was remembered from what the user said in a session, oldest first. */
async function rememberedIn(memory: Memory, { id }: SessionSummary): Promise<readonly string[]> {
  // A shared log is read by `save`.
  await memory.save()
  return changesIn({ memory }, id)
    .map(({ text }) => text)
    .reverse()
}

async function read(
  sessions: StoredSessions,
  summary: SessionSummary,
  options: Parameters<typeof readSession>[1],
): Promise<ReadSession> {
  // Another process writes, and usage changes neither the time nor the number of messages.
  sessions.changed(summary.id)
  return finish(readSession(await sessions.sourceOf(summary), options))
}

function requestJson(
  { receipt, savedDollars, cache }: PricedReceipt,
  { id }: SessionSummary,
): string {
  return JSON.stringify({ session: id, ...receipt, savedDollars, cache })
}

function screen(
  session: ReadSession,
  priced: readonly PricedReceipt[],
  {
    terminal,
    isPaused,
    remembered,
  }: {
    readonly terminal: Terminal
    readonly isPaused: boolean
    readonly remembered: readonly string[]
  },
): readonly string[] {
  const { source, requests } = session
  const { colors } = terminal
  const counter = createTotals()
  for (const each of priced) counter.add(each, source.id)
  const { tokens, savedDollars, billing, cache, limits } = counter.totals()
  const last = requests.at(-1)
  const { model = null, agent = null } = source.receipts.at(-1) ?? {}
  const share = tokens.without === 0 ? 0 : 1 - tokens.with / tokens.without
  const dollars =
    billing === 'subscription' || savedDollars === null ? '' : `, ${money(savedDollars)}`
  const input = cache === null ? 0 : cache.read + cache.written + cache.uncached
  const used = Object.entries(limits ?? {}).map(([window, each]) => `${percent(each)} of ${window}`)
  return [
    colors.bold(`${agentName(agent, source.origin)}  ${model ?? ''}  session ${source.id}`),
    `${plural(requests.length, 'request')}${isPaused ? colors.yellow('  pruning is paused') : ''}`,
    '',
    ...(last === undefined
      ? []
      : contextBar(last.tokens, last.contextLimit ?? modelFacts(model).contextLimit, terminal)),
    `saved    ${percent(share)}${dollars}`,
    ...(input === 0 || cache === null
      ? []
      : [`cache    ${percent(cache.read / input)} of the input read from it`]),
    ...(used.length === 0 ? [] : [`limits   ${used.join(', ')}`]),
    ...lastAgentCut(source.receipts),
    '',
    'last decisions',
    ...lastDecisions(session, terminal),
    ...(remembered.length === 0
      ? []
      : ['', ...remembered.slice(-shownRemembered).map((line) => fitted(line, terminal))]),
  ]
}

/** What was remembered is cut, and what takes it back stays. */
function fitted(line: string, { columns }: Terminal): string {
  const at = line.lastIndexOf(' · ')
  const [said, undo] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at)]
  return cutEnd(said, Math.max(20, Math.min(columns, 100) - undo.length)) + undo
}

/** What the agent itself last took out of its history. */
function lastAgentCut(receipts: readonly StoredReceipt[]): readonly string[] {
  const at = receipts.findLastIndex(({ agentCut }) => agentCut !== null)
  const cut = receipts[at]?.agentCut ?? null
  return cut === null ? [] : ['', ...agentCutLines({ ...cut, request: at + 1 })]
}

/** What is sent, what was left out, and what is free. */
function contextBar(
  tokens: { readonly with: number; readonly without: number },
  limit: number | null,
  { colors, columns }: Terminal,
): readonly string[] {
  const width = Math.min(columns, 100) - 2
  const whole = Math.max(limit ?? 0, tokens.without, 1)
  const sent = Math.round((width * tokens.with) / whole)
  const left = Math.round((width * (tokens.without - tokens.with)) / whole)
  const free = Math.max(0, width - sent - left)
  const of = limit === null ? '' : ` of ${short(limit)} (${percent(tokens.with / limit)})`
  return [
    `${colors.cyan('█'.repeat(sent))}${colors.dim('▒'.repeat(left))}${colors.dim('·'.repeat(free))}`,
    `context  ${short(tokens.with)}${of}; ${short(tokens.without - tokens.with)} left out`,
  ]
}

function lastDecisions({ items }: ReadSession, { columns }: Terminal): readonly string[] {
  const decided = items
    .flatMap(({ handle, about, spans }) =>
      spans.flatMap(({ from, shown, reason }) =>
        reason === null ? [] : [{ handle, about, from, shown, reason }],
      ),
    )
    .toSorted((one, other) => other.from - one.from)
    .slice(0, shownDecisions)
  if (decided.length === 0) return ['  none yet']
  const room = Math.max(20, Math.min(columns, 100) - 47)
  return decided.map(({ handle, about, from, shown, reason }) => {
    const what = about.length > room ? `${about.slice(0, room - 1)}…` : about
    return `  ${handle}  request ${String(from).padStart(3)}  ${`${shown}, ${reason}`.padEnd(20)}  ${what}`
  })
}
