import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, objectOf, parseJson } from '../core/words/json.ts'

/** When pruning was paused, in milliseconds since 1970. */
export interface PausedState {
  /** null when pruning is not paused for everything. */
  readonly everything: number | null
  /** By the id of the session. */
  readonly sessions: Readonly<Record<string, number>>
}

/** The switch that pauses pruning, for everything or for one session. */
export interface Pauses {
  state(): PausedState
  /** Whether pruning is paused for a session with one of these ids. */
  isPaused(...ids: readonly string[]): boolean
  /** Pauses or resumes a session; null means everything. Resuming everything resumes every session too. */
  set(session: string | null, isPaused: boolean): PausedState
}

/** The names by which a session of an owner may be paused. One without the owner holds for every session of that id. */
export function pauseKeys(owner: string | undefined, ids: readonly string[]): readonly string[] {
  return owner === undefined ? ids : [...ids, ...ids.map((id) => `${owner}/${id}`)]
}

/** The pauses that an owner sees and sets: sessions of two owners may have the same id. */
export function pausesOf(pauses: Pauses, owner: string): Pauses {
  const beginning = `${owner}/`
  return {
    isPaused: (...ids) => pauses.isPaused(...pauseKeys(owner, ids)),
    set: (session, isPaused) =>
      pauses.set(session === null ? null : `${beginning}${session}`, isPaused),
    state() {
      const { everything, sessions } = pauses.state()
      const named = Object.entries(sessions).map(([key, at]): [string, number] => [
        key.startsWith(beginning) ? key.slice(beginning.length) : key,
        at,
      ])
      return { everything, sessions: Object.fromEntries(named) }
    },
  }
}

const fileName = 'paused.json'
const nothingPaused: PausedState = { everything: null, sessions: {} }

/**
 * The pauses of a user. They are kept in a small file in the user's folder, which every gateway of the user on this
 * machine looks at before each request, so that they outlast a restart. Without a folder they are kept in memory.
 */
export function openPauses(home: string | undefined, now: () => number = Date.now): Pauses {
  const file = home === undefined ? null : join(home, fileName)
  let known: { readonly changedAt: number; readonly state: PausedState } = {
    changedAt: -1,
    state: nothingPaused,
  }

  function state(): PausedState {
    if (file === null) return known.state
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1
    if (changedAt === -1) known = { changedAt, state: nothingPaused }
    else if (changedAt !== known.changedAt) known = { changedAt, state: readState(file) }
    return known.state
  }

  return {
    state,
    isPaused(...ids) {
      const { everything, sessions } = state()
      return everything !== null || ids.some((id) => Object.hasOwn(sessions, id))
    },
    set(session, isPaused) {
      const next = changed(state(), session, isPaused ? now() : null)
      if (file === null || home === undefined) known = { changedAt: -1, state: next }
      else {
        mkdirSync(home, { recursive: true, mode: 0o700 })
        // Another process may read it at any moment, so that it is replaced in one step.
        const written = `${file}.${process.pid}`
        writeFileSync(written, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
        renameSync(written, file)
        known = { changedAt: -1, state: next }
      }
      return next
    },
  }
}

function changed(state: PausedState, session: string | null, at: number | null): PausedState {
  if (session === null)
    return at === null ? nothingPaused : { ...state, everything: state.everything ?? at }
  const { [session]: _, ...others } = state.sessions
  return { ...state, sessions: at === null ? others : { ...others, [session]: at } }
}

/** A file that cannot be read pauses nothing. */
function readState(file: string): PausedState {
  if (!existsSync(file)) return nothingPaused
  const value = objectOf(parseJson(readFileSync(file, 'utf8')))
  const sessions = isJsonObject(value.sessions) ? Object.entries(value.sessions) : []
  return {
    everything: typeof value.everything === 'number' ? value.everything : null,
    sessions: Object.fromEntries(
      sessions.filter((each): each is [string, number] => typeof each[1] === 'number'),
    ),
  }
}
