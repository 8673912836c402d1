import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { Operation } from '../core/words/operation.ts'
import { requestAt } from '../dashboard/session-detail.ts'
import { type SessionSource, shownTokens, storedSource } from '../dashboard/session-source.ts'
import { aboutItem, operationsIn } from '../replay/explain.ts'
import type { ReplayedRequest } from '../replay/replay.ts'
import { finish } from '../replay/work.ts'
import type { AgentCut } from '../report/agent-cut.ts'
import { agentCutLines } from '../report/agent-cut-lines.ts'
import { reasonName, shownName } from '../report/plain-words.ts'
import { chosenConfig } from './chosen-config.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { percent, plural, short } from './figures.ts'
import { namedSessions } from './recording-target.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'

interface ShowOptions extends SetupOptions {
  readonly at?: string
  readonly json?: true
}

/** An item that a request does not show in full. */
interface LeftOut {
  readonly handle: string
  readonly turn: number
  readonly about: string
  readonly shown: string
  readonly reason: string | null
  /** The reason in plain words. */
  readonly why: string
  readonly strategy: string | null
  /** Handle of the item that replaced it. */
  readonly by: string | null
  readonly tokens: number
  readonly savedTokens: number
}

export function showCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('show'))
    .description('show what was left out of a request, with handles and reasons')
    .argument('[session]', "a stored session's id or its beginning; default: the last used")
    .option('--at <n>', 'the n-th request of the session, from 1; default: the last')
    .option(
      '--json',
      'print one JSON value: {session, request, requests, tokens, leftOut: [{handle, about, shown, reason, why, by, …}]}',
    )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest show
  palimpsest show 4f1c --at 12
  palimpsest restore a1b2c3       the original of a handle
  palimpsest undo a1b2c3          bring it back into the next request`,
    )
    .action(async (name: string | undefined, options: ShowOptions) => {
      const { toolMappings: mappings } = chosenConfig(terminal, options)
      const source = await withStore(
        terminal,
        options,
        async (store) => {
          const [session] = await namedSessions(store, name)
          if (session === undefined) throw new PalimpsestError('absent', 'no session')
          return finish(storedSource(await store.load(session), await store.receipts(session)))
        },
        { readOnly: true },
      )
      const requests = requestsOf(source)
      const request = requestAt(source, numberOf(options.at, requests))
      const shown = options.at === undefined && isHooked(source) ? everyRequest(source) : [request]
      const operations = finish(operationsIn(source.record(), { cwd: source.folder, mappings }))
      const known = shown.filter((each) => each !== null)
      const leftOut = known.flatMap((each) => leftOutOf(each, operations, source))
      const tokens = sumOf(known.map(sizesOf))
      const n = request?.n ?? 0
      const agentCuts = agentCutsUpTo(n, source)
      if (options.json) {
        const value = { session: source.id, request: n, requests, tokens, leftOut, agentCuts }
        await writeJson(terminal, value)
        return
      }
      await writeLines(
        terminal.out,
        showLines({ source, n, requests, tokens, leftOut, agentCuts }, terminal),
      )
    })
}

/** The hook sees single outputs: each is a request of its own, and all of them are shown together. */
function isHooked({ receipts }: SessionSource): boolean {
  return receipts.some(({ door }) => door === 'hook')
}

function everyRequest(source: SessionSource): readonly ReplayedRequest[] {
  return [...source.open().steps].flatMap((step) => (step.kind === 'request' ? [step] : []))
}

function requestsOf(source: SessionSource): number {
  let count = 0
  for (const step of source.open().steps) if (step.kind === 'request') count++
  return count
}

function numberOf(at: string | undefined, requests: number): number {
  if (at === undefined) return requests
  const n = Number(at)
  if (at.trim() !== '' && Number.isInteger(n) && n >= 1 && n <= requests) return n
  throw new PalimpsestError(
    'usage',
    `--at ${at} is not a request of this session: use a number from 1 to ${requests}`,
  )
}

function leftOutOf(
  { view, unchanged, turn }: ReplayedRequest,
  operations: ReadonlyMap<number, Operation>,
  source: SessionSource,
): readonly LeftOut[] {
  const shown = new Map(view.map((each) => [each.item.index, each]))
  const decisions = new Map(
    (turn?.changes ?? []).map(({ decision }) => [decision.handle, decision]),
  )
  const { items } = source.record()
  return unchanged.flatMap(({ item }): readonly LeftOut[] => {
    const now = shown.get(item.index)
    if (now !== undefined && now.rendition === null) return []
    const decision = decisions.get(item.handle)
    const { handle, tokens } = item
    return [
      {
        handle,
        turn: item.turn,
        about: aboutItem(item, operations),
        shown: now?.rendition?.how ?? 'left out',
        reason: decision?.reason ?? null,
        why: reasonName(decision?.reason ?? null, (decision?.by ?? Infinity) < item.index),
        strategy: decision?.strategy ?? null,
        by: decision?.by == null ? null : (items[decision.by]?.handle ?? null),
        tokens,
        savedTokens: tokens - (now === undefined ? 0 : shownTokens(now)),
      },
    ]
  })
}

/** Results that the agent itself took out of its history, and the request that was the first without them. */
interface AgentCutAt extends AgentCut {
  readonly request: number
}

function agentCutsUpTo(last: number, source: SessionSource): readonly AgentCutAt[] {
  const cuts: AgentCutAt[] = []
  for (let request = 1; request <= last; request++) {
    const cut = source.receiptOf(request)?.agentCut ?? null
    if (cut !== null) cuts.push({ ...cut, request })
  }
  return cuts
}

interface Sizes {
  readonly with: number
  readonly without: number
}

function sumOf(sizes: readonly Sizes[]): Sizes {
  return sizes.reduce(
    (sum, each) => ({ with: sum.with + each.with, without: sum.without + each.without }),
    { with: 0, without: 0 },
  )
}

function sizesOf({ view, unchanged }: ReplayedRequest): Sizes {
  const sum = (shown: ReplayedRequest['view']): number =>
    shown.reduce((all, each) => all + shownTokens(each), 0)
  return { with: sum(view), without: sum(unchanged) }
}

interface Shown {
  readonly source: SessionSource
  readonly n: number
  readonly requests: number
  readonly tokens: Sizes
  readonly leftOut: readonly LeftOut[]
  readonly agentCuts: readonly AgentCutAt[]
}

function showLines(
  { source, n, requests, tokens, leftOut, agentCuts }: Shown,
  { colors, columns }: Terminal,
): readonly string[] {
  const share = tokens.without === 0 ? 0 : 1 - tokens.with / tokens.without
  const room = Math.max(30, Math.min(columns, 100) - 32)
  return [
    colors.bold(
      isHooked(source)
        ? `session ${source.id}, ${plural(requests, 'output')} of the hook`
        : `session ${source.id}, request ${n} of ${requests}`,
    ),
    leftOut.length === 0
      ? `nothing was shortened or left out: ${short(tokens.without)} tokens`
      : `${plural(leftOut.length, 'item')} shortened or left out: ${short(tokens.without)} tokens sent as ${short(tokens.with)} (${percent(share)} less)`,
    ...agentCuts.flatMap(agentCutLines),
    ...(leftOut.length === 0 ? [] : ['']),
    ...leftOut.flatMap(({ handle, turn, about, shown, why, by, savedTokens }) => {
      const what = about.length > room ? `${about.slice(0, room - 1)}…` : about
      const newer = by === null ? '' : `, see ${by}`
      return [
        `${colors.cyan(handle)}  turn ${String(turn).padStart(3)}  ${short(savedTokens).padStart(6)}  ${what}`,
        colors.dim(`        ${shownName(shown)}: ${why}${newer}`),
      ]
    }),
    ...(leftOut.length === 0 && agentCuts.length === 0
      ? []
      : ['', '`palimpsest restore HANDLE` prints an original, `undo HANDLE` brings it back']),
  ]
}
