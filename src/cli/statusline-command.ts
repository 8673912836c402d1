import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { openPauses } from '../config/pauses.ts'
import { objectOf, parseJson } from '../core/words/json.ts'
import { createTotals } from '../dashboard/receipt-totals.ts'
import { priceReceipts } from '../report/priced-receipts.ts'
import { readReceipt, type StoredReceipt } from '../report/request-receipt.ts'
import type { SessionSummary } from '../store/index.ts'
import { chosenConfig } from './chosen-config.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { money, percent, short } from './figures.ts'
import { sessionName } from './hook-command.ts'
import { type Terminal, writeResult } from './terminal.ts'

interface StatusLineOptions extends SetupOptions {
  readonly json?: true
}

/** The status line of Claude Code. It never fails, because a failure would blank the line. */
export function statusLineCommand(terminal: Terminal, input: Readable = process.stdin): Command {
  return withStoreOptions(new Command('statusline'))
    .description("print one line about a session for Claude Code's status line")
    .option('--json', 'print one JSON value: {session, text, …}')
    .addHelpText(
      'after',
      `
Claude Code starts it with a JSON object on standard input that names the session. Set-up, in ~/.claude/settings.json:

  {"statusLine": {"type": "command", "command": "palimpsest statusline"}}`,
    )
    .action(async (options: StatusLineOptions) => {
      const session = sessionIn(await textOf(input))
      const status = await statusOf(terminal, session, options).catch(() => null)
      const text = status?.text ?? 'palimpsest: off'
      await writeResult(terminal, options, { session, ...status, text }, [text])
    })
}

async function textOf(input: Readable): Promise<string> {
  // In a terminal, the input would never end.
  if ('isTTY' in input && input.isTTY === true) return ''
  let text = ''
  for await (const part of input.setEncoding('utf8')) text += part
  return text
}

function sessionIn(text: string): string | null {
  const { session_id: session } = objectOf(parseJson(text))
  return typeof session === 'string' && session !== '' ? session : null
}

interface SessionStatus {
  readonly text: string
  readonly requests: number
  readonly tokens: { readonly with: number; readonly without: number }
  readonly savedDollars: number | null
  readonly isPaused: boolean
}

/** What the gateway has of a conversation, or else what the hook has. */
function sessionsOf(session: string, all: readonly SessionSummary[]): readonly SessionSummary[] {
  const sent = all.filter(({ id }) => id === session)
  if (sent.length > 0) return sent
  const hooked = sessionName(session)
  return all.filter(({ id }) => id === hooked || id.startsWith(`${hooked}.`))
}

/** null when the session is not in the store, so that it goes through neither the gateway nor the hook. */
async function statusOf(
  terminal: Terminal,
  session: string | null,
  options: SetupOptions,
): Promise<SessionStatus | null> {
  const { models } = chosenConfig(terminal, options)
  return withStore(
    terminal,
    options,
    async (store) => {
      const all = await store.sessions()
      const found = session === null ? all.slice(0, 1) : sessionsOf(session, all)
      if (found.length === 0) return null
      const counter = createTotals(models)
      const receipts: StoredReceipt[] = []
      // The last used comes first.
      for (const each of found.toReversed()) {
        const own = (await store.receipts(each)).flatMap((one) => readReceipt(one) ?? [])
        for (const priced of priceReceipts(own, models)) counter.add(priced, each.id)
        receipts.push(...own)
      }
      const { requests, tokens, savedDollars, cache, billing } = counter.totals()
      const last = receipts.findLast((each) => each.tokens !== null)?.tokens
      const pauses = openPauses(terminal.home, terminal.now)
      const isPaused = pauses.isPaused(...found.map(({ id }) => id))
      const share = tokens.without === 0 ? 0 : 1 - tokens.with / tokens.without
      const input = cache === null ? 0 : cache.read + cache.written + cache.uncached
      const dollars =
        billing === 'subscription' || savedDollars === null ? [] : [money(savedDollars)]
      const parts = [
        ...(isPaused ? ['paused'] : []),
        ...(last == null ? [] : [`${short(last.before)} → ${short(last.after)}`]),
        [`saved ${percent(share)}`, ...dollars].join(', '),
        ...(input === 0 || cache === null ? [] : [`cache ${percent(cache.read / input)}`]),
      ]
      return { text: `palimpsest: ${parts.join(' · ')}`, requests, tokens, savedDollars, isPaused }
    },
    { readOnly: true },
  )
}
