import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import {
  type Estimate,
  estimateSaving,
  type LookedAt,
  lookAt,
  type Waste,
} from '../replay/first-look.ts'
import { locationOf } from '../session/setup.ts'
import { agents } from '../setup/agents.ts'
import { type AgentPlace, type AgentSession, findAgentPlaces } from './agent-folders.ts'
import { chosenConfig } from './chosen-config.ts'
import { money, percent, plural, short } from './figures.ts'
import { createProgress } from './progress.ts'
import { type Terminal, writeResult } from './terminal.ts'
import { wrapped } from './wrapped.ts'

/** Sessions are looked at in a random order until this time is over. */
const patienceMs = 12_000
const mostBytes = 20 * 1024 * 1024
const recentMs = 30 * 86_400_000
const mostWastes = 3

/** What is printed without a command. */
export interface FirstLook {
  readonly agents: readonly {
    readonly agent: string
    readonly folder: string
    readonly sessions: number
  }[]
  readonly sessions: number
  /** How many of the sessions of the last 30 days were replayed, of how many. */
  readonly replayed: number
  readonly recent: number
  readonly requests: number
  /** Input cost of the replayed sessions. */
  readonly cost: number
  readonly saving: Estimate | null
  readonly wastes: readonly {
    readonly waste: Waste
    readonly count: number
    readonly tokens: number
  }[]
  readonly next: string
}

/** Finds the agents' own sessions, and says what they cost and what we would have saved. */
export async function printFirstLook(
  terminal: Terminal,
  { json }: { readonly json: boolean },
): Promise<void> {
  const config = chosenConfig(terminal, {})
  const places = terminal.user === undefined ? [] : await findAgentPlaces(terminal.user)
  const { looked, recent } = await lookAround(terminal, places, config)
  const look = summaryOf(terminal, places, looked, recent, config)
  await writeResult(terminal, { json }, look, lookLines(look, places, terminal))
}

async function lookAround(
  terminal: Terminal,
  places: readonly AgentPlace[],
  config: Config,
): Promise<{ readonly looked: readonly LookedAt[]; readonly recent: number }> {
  const all = places.flatMap(({ sessions }) => sessions)
  const since = terminal.now() - recentMs
  const within = all.filter(({ changedAt, bytes }) => changedAt >= since && bytes <= mostBytes)
  const recent = within.length > 0 ? within : all.filter(({ bytes }) => bytes <= mostBytes)
  const progress = createProgress(terminal, recent.length)
  const ends = terminal.now() + patienceMs
  const looked: LookedAt[] = []
  for (const session of inRandomOrder(recent)) {
    if (terminal.now() > ends) break
    const file = await session.read().catch(() => null)
    for (const recording of file?.recordings ?? []) {
      const found = lookAt(recording, config)
      if (found !== null) looked.push(found)
    }
    progress.advance(1, session.place)
  }
  progress.end()
  return { looked, recent: recent.length }
}

/** By the hash of the place: the same every time, and no agent or project comes first. */
function inRandomOrder(sessions: readonly AgentSession[]): readonly AgentSession[] {
  const key = ({ place }: AgentSession): string => hash('sha256', place)
  return sessions.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}

function summaryOf(
  terminal: Terminal,
  places: readonly AgentPlace[],
  looked: readonly LookedAt[],
  recent: number,
  config: Config,
): FirstLook {
  const wastes = (['rereads', 'readsLaterEdited', 'repeatedCalls'] as const).map((waste) => ({
    waste,
    count: looked.reduce((sum, each) => sum + each.wastes[waste].count, 0),
    tokens: looked.reduce((sum, each) => sum + each.wastes[waste].tokens, 0),
  }))
  return {
    agents: places.map(({ agent, folder, sessions }) => ({
      agent,
      folder,
      sessions: sessions.length,
    })),
    sessions: places.reduce((sum, { sessions }) => sum + sessions.length, 0),
    replayed: looked.length,
    recent,
    requests: looked.reduce((sum, { requests }) => sum + requests, 0),
    cost: looked.reduce((sum, { cost }) => sum + cost, 0),
    saving: estimateSaving(looked),
    wastes: wastes
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.tokens - one.tokens)
      .slice(0, mostWastes),
    next: hasStore(terminal, config) ? 'palimpsest gain' : `palimpsest run ${mostUsed(places)}`,
  }
}

/** The program of the agent that has the most sessions here. */
function mostUsed(places: readonly AgentPlace[]): string {
  const [most] = places.toSorted((one, other) => other.sessions.length - one.sessions.length)
  return agents.find(({ name }) => name === most?.agent)?.id ?? 'claude'
}

function hasStore({ home, cwd }: Terminal, config: Config): boolean {
  const location = locationOf(config, { home, cwd })
  return location.kind === 'sqlite' ? existsSync(location.path) : location.kind === 'postgres'
}

const wasteWords: Readonly<Record<Waste, string>> = {
  rereads: 'files that were read again',
  readsLaterEdited: 'reads of files that a later edit made stale',
  repeatedCalls: 'the same call with the same input again',
}

function lookLines(
  look: FirstLook,
  places: readonly AgentPlace[],
  terminal: Terminal,
): readonly string[] {
  const { colors, columns } = terminal
  const { sessions, replayed, recent, requests, cost, saving, wastes, next } = look
  const nextLines = [
    '',
    `next: ${colors.bold(next)}`,
    colors.dim('      palimpsest --help lists all commands'),
  ]
  if (sessions === 0) {
    const none = 'no sessions of Claude Code, Codex, OpenCode, Pi, Copilot CLI or Gemini CLI found'
    return [...wrapped(none, columns), ...places.flatMap(noteOf), ...nextLines]
  }
  const width = Math.max(...places.map(({ agent }) => agent.length))
  const found = places.flatMap((place) => [
    `  ${place.agent.padEnd(width)}  ${plural(place.sessions.length, 'session').padStart(13)}`,
    ...noteOf(place),
  ])
  const verdict =
    replayed === 0
      ? ['none of them could be replayed']
      : [
          colors.bold(savingWords(saving, cost)),
          ...wrapped(
            `from ${replayed} of ${recent} sessions of the last 30 days (${plural(requests, 'request')}), replayed here with their own prices; nothing was sent anywhere`,
            columns,
            0,
          ),
        ]
  const wasted = wastes.map(
    ({ waste, count, tokens }) =>
      `  ${short(tokens).padStart(6)} tokens  ${plural(count, 'time')}: ${wasteWords[waste]}`,
  )
  return [
    ...verdict,
    '',
    `${plural(sessions, 'session')} found`,
    ...found,
    ...(wasted.length === 0 ? [] : ['', 'the largest wastes', ...wasted]),
    ...nextLines,
  ]
}

function savingWords(saving: Estimate | null, cost: number): string {
  const of = `of ${money(cost)} of input`
  if (saving === null)
    return `${money(cost)} of input; too few sessions to say what would have been saved`
  const { share, low, high } = saving
  const amount = `${money(cost * share)} ${of}`
  return `Palimpsest would have saved ${percent(share)} (${percent(low)} to ${percent(high)}): ${amount}`
}

function noteOf({ note }: AgentPlace): readonly string[] {
  return note === undefined ? [] : wrapped(`    ${note}`, 80)
}
