import { setRecent } from '../core/words/recent.ts'
import { agentName } from '../dashboard/agent-name.ts'
import { createTotals } from '../dashboard/receipt-totals.ts'
import type { RequestReport } from '../gateway/index.ts'
import { agentCutWords } from '../report/agent-cut-lines.ts'
import { type PricedReceipt, priceReceipts } from '../report/priced-receipts.ts'
import { money, percent, plural, short } from './figures.ts'
import { isTerminal, type Terminal, writeLines } from './terminal.ts'
import { wrapped } from './wrapped.ts'

/** Prints each request that the gateway served, and totals at the end. */
export interface RequestLog {
  add(report: RequestReport): void
  end(): void
}

export interface RequestLogOptions {
  readonly quiet?: true
  readonly json?: true
}

/** The last receipts of each session, because a request is priced against the one before. */
const mostSessions = 200

export function createRequestLog(
  terminal: Terminal,
  { quiet, json }: RequestLogOptions,
): RequestLog {
  const before = new Map<string, RequestReport>()
  const totals = createTotals()

  function price(report: RequestReport): PricedReceipt {
    const { session } = report
    const earlier = session === null ? undefined : before.get(session)
    if (session !== null) setRecent(before, session, report, mostSessions)
    const known = earlier === undefined ? [report] : [earlier, report]
    return priceReceipts(known).at(-1) as PricedReceipt
  }

  const isScreen = isTerminal(terminal.out)
  /** The program that started the gateway may stop reading its output; the gateway continues. */
  const print = (lines: readonly string[]): void => {
    if (!terminal.out.writableNeedDrain) void writeLines(terminal.out, lines)
  }

  return {
    add(report) {
      const priced = price(report)
      totals.add(priced, report.session ?? '')
      if (quiet) return
      const line = json
        ? JSON.stringify({ ...report, savedDollars: priced.savedDollars })
        : requestLine(priced, report)
      print(isScreen && !json ? wrapped(line, terminal.columns, 10) : [line])
    },
    end() {
      if (!quiet && !json) print(wrapped(totalsLine(totals.totals()), terminal.columns))
    },
  }
}

/** `14:03:11 Claude Code  claude-opus-5  41k → 29k  saved $0.0123  pays`. */
export function requestLine(
  priced: PricedReceipt,
  { session }: Pick<RequestReport, 'session'>,
): string {
  const { receipt, savedDollars } = priced
  const { at, agent, model, tokens, billing } = receipt
  const time = at === null ? '' : new Date(at).toTimeString().slice(0, 8)
  const sizes = tokens === null ? 'not read' : `${short(tokens.before)} → ${short(tokens.after)}`
  const share = tokens === null || tokens.before === 0 ? 0 : 1 - tokens.after / tokens.before
  const saved =
    billing === 'subscription' || savedDollars === null
      ? `saved ${percent(share)}`
      : `saved ${money(savedDollars)}`
  const parts = [
    time,
    agentName(agent, session === null ? '?' : 'gateway'),
    model ?? '',
    sizes,
    saved,
    whyOf(priced),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

/** Why a request was not simply continued, in a few words. */
function whyOf({ receipt, cache }: PricedReceipt): string {
  const { bypass, opened, isPaused, restored, agentCut, status, error } = receipt
  const count = Object.values(restored).reduce((sum, each) => sum + each, 0)
  const miss =
    cache === null || cache.cause === null || cache.cause === 'first' || opened !== null
      ? []
      : [`cache ${cache.outcome}: ${cache.cause}`]
  return [
    ...(bypass === null ? [] : [`unchanged: ${bypass}`]),
    ...(isPaused ? ['paused'] : []),
    ...(opened === null ? [] : [`epoch: ${opened}`]),
    ...miss,
    ...(count === 0 ? [] : [`${count} restored`]),
    ...(agentCut === null ? [] : [agentCutWords(agentCut)]),
    ...(error !== null ? [error] : status !== null && status >= 400 ? [`status ${status}`] : []),
  ].join(', ')
}

function totalsLine({
  requests,
  tokens,
  savedDollars,
  billing,
  cache,
}: ReturnType<ReturnType<typeof createTotals>['totals']>): string {
  if (requests === 0) return 'no requests'
  const share = tokens.without === 0 ? 0 : 1 - tokens.with / tokens.without
  const dollars =
    billing === 'subscription' || savedDollars === null ? '' : `, ${money(savedDollars)} saved`
  const read = cache === null ? 0 : cache.read + cache.written + cache.uncached
  const hits =
    cache === null || read === 0
      ? ''
      : `, ${percent(cache.read / read)} of the input from the cache`
  return `${plural(requests, 'request')}: ${short(tokens.without)} tokens sent as ${short(tokens.with)} (${percent(share)} less)${dollars}${hits}`
}
