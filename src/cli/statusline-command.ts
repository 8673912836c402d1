import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { openPauses } from '../config/pauses.ts'
import { objectOf, parseJson } from '../core/words/json.ts'
import { createTotals } from '../dashboard/receipt-totals.ts'
import { priceReceipts } from '../report/priced-receipts.ts'
import { readReceipt } from '../report/request-receipt.ts'
import { chosenConfig } from './chosen-config.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { money, percent, short } from './figures.ts'
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

/** null when the session is not in the store, so that it does not go through the gateway. */
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
      const found = session === null ? all[0] : all.find(({ id }) => id === session)
      if (found === undefined) return null
      const counter = createTotals(models)
      const receipts = (await store.receipts(found)).flatMap((each) => readReceipt(each) ?? [])
      for (const each of priceReceipts(receipts, models)) counter.add(each, found.id)
      const { requests, tokens, savedDollars, cache, billing } = counter.totals()
      const last = receipts.findLast((each) => each.tokens !== null)?.tokens
      const isPaused = openPauses(terminal.home, terminal.now).isPaused(found.id)
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
