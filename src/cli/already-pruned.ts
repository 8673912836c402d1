import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import type { Recording } from '../recordings/recording.ts'
import {
  type AlreadyPruned,
  alreadyPruned,
  ranPruned,
  type StoredPruning,
} from '../replay/already-pruned.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import type { Session } from '../session/session.ts'
import { locationOf } from '../session/setup.ts'
import { openStore, type Store } from '../store/index.ts'
import { refuseAbsent } from './chosen-store.ts'
import { plural, short } from './figures.ts'
import { seenStore } from './own-token.ts'
import type { Terminal } from './terminal.ts'

export const prunedStoreOption: readonly [flags: string, description: string] = [
  '--store <path-or-url>',
  'the store to check for pruning while the session ran; default: the usual store, if it exists',
]

/** The sessions of a file that were pruned while they ran. */
export interface PrunedSessions {
  /** For a session that was pruned while it ran: a session that prunes it again with the configuration used here. */
  ranWith(recording: Recording): Session | undefined
  readonly all: readonly AlreadyPruned[]
}

export interface PrunedSessionsFinder {
  find(recordings: readonly Recording[]): Promise<PrunedSessions>
  close(): Promise<void>
}

/**
 * Finds pruned sessions by signs in the recordings and by their ids in the store. Throws when a store that the user named
 * cannot be opened; the usual one may be missing.
 */
export async function findPrunedSessions(
  terminal: Terminal,
  chosen: string | undefined,
): Promise<PrunedSessionsFinder> {
  const config = loadConfig(terminal)
  const store = await existingStore(terminal, chosen, config)
  const known = new Map(
    (await store?.sessions())
      ?.filter(({ origin }) => origin === 'gateway' || origin === 'opencode')
      .map((session) => [session.id, session]),
  )

  async function storedOf({ session: id }: Recording): Promise<StoredPruning | null> {
    const session = known.get(id ?? '')
    if (session === undefined || store === null) return null
    const { statistics } = await store.load(session)
    const { requests = 0, tokensBefore: before, tokensAfter: after } = statistics
    const tokens = before === undefined || after === undefined ? null : { before, after }
    const isPruned =
      tokens === null
        ? Object.entries(statistics).some(([name, saved]) => name.startsWith('saved.') && saved > 0)
        : tokens.after < tokens.before
    return isPruned ? { origin: session.origin, requests, tokens } : null
  }

  return {
    async find(recordings) {
      const found = new Map<Recording, AlreadyPruned>()
      for (const recording of recordings) {
        // The store has the originals, so that nothing in it counts twice.
        if (recording.format === 'stored') continue
        const pruned = alreadyPruned(recording, await storedOf(recording))
        if (pruned !== null) found.set(recording, pruned)
      }
      return {
        ranWith: (recording) =>
          ranPruned(found.get(recording) ?? null) ? sessionFor(recording, { config }) : undefined,
        all: [...found.values()],
      }
    },
    async close() {
      await store?.close()
    },
  }
}

async function existingStore(
  { cwd, home, now }: Terminal,
  chosen: string | undefined,
  config: Config,
): Promise<Store | null> {
  try {
    const location = locationOf(config, { store: chosen, home, cwd })
    if (location.kind === 'memory') return null
    refuseAbsent(location)
    const store = await openStore(location, { now, older: 'refuse' })
    return { ...(await seenStore(store, now())), close: store.close }
  } catch (problem) {
    if (chosen !== undefined) throw problem
    return null
  }
}

/** Finds the pruned sessions of one file. */
export async function prunedSessions(
  terminal: Terminal,
  recordings: readonly Recording[],
  chosen: string | undefined,
): Promise<PrunedSessions> {
  const finder = await findPrunedSessions(terminal, chosen)
  try {
    return await finder.find(recordings)
  } finally {
    await finder.close()
  }
}

/** The result for people; empty when no session was pruned. */
export function alreadyPrunedLines(all: readonly AlreadyPruned[]): string[] {
  return all.flatMap((pruned) => {
    const { items, usage, stored } = pruned
    const signs = [
      ...(items > 0
        ? [
            `${plural(items, 'item')} in it ${items === 1 ? 'is' : 'are'} recorded in shortened form`,
          ]
        : []),
      ...(usage === null
        ? []
        : [
            `the provider counted ${short(usage.counted)} input tokens, and the recorded texts have ${short(usage.recorded)}`,
          ]),
      ...(stored === null ? [] : [storedSign(stored)]),
    ]
    return [
      `this session was already pruned while it ran: ${signs.join('; ')}`,
      ranPruned(pruned)
        ? '  its savings are not counted again: both sides start from the session as it was sent'
        : '  shortened items count as recorded on both sides',
    ]
  })
}

function storedSign({ origin, requests, tokens }: StoredPruning): string {
  const door = origin === 'gateway' ? 'the gateway' : 'the OpenCode plugin'
  const sizes =
    tokens === null ? '' : `, ${short(tokens.before)} tokens sent as ${short(tokens.after)}`
  return `${door} has it in the store with all originals (${plural(requests, 'request')}${sizes})`
}
