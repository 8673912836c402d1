import type { Config } from '../config/config.ts'
import type { Pauses } from '../config/pauses.ts'
import type { Memory } from '../memory/memory.ts'
import type { SessionSummary, Store } from '../store/index.ts'
import { answerRoute } from './answer-route.ts'
import { type ReadSession, readSession } from './session-detail.ts'
import { createSessionRows } from './session-row.ts'
import type { SessionSource } from './session-source.ts'
import { createSlices, type Slices } from './slices.ts'
import { createStoredSessions, type StoredSessions } from './stored-sessions.ts'
import type { DashboardStatus, PauseState, SessionRow, Settings } from './types.ts'

/** Runs work with the memory of an owner; see `Environment.memoryOf`. */
export type UseMemory = <Result>(
  work: (memory: Memory) => Result,
  owner?: string | null,
) => Promise<Result>

export interface DashboardParts {
  readonly store: Store
  /** Runs work with the memory; null when there is none. */
  readonly useMemory: UseMemory | null
  readonly config: Config
  readonly pauses: Pauses
  status(): Omit<DashboardStatus, 'pause' | 'now' | 'mode'>
  settings(): Settings
  now(): number
}

/** Answers the dashboard's questions. */
export interface Dashboard {
  /**
   * The answer to a GET route: a string of `apiPaths`.
   *
   * @throws PalimpsestError with code `absent` when there is no such thing, or `usage`.
   */
  answer(path: string): Promise<unknown>
  readonly sessions: StoredSessions
  /** Runs long work while the gateway serves requests. */
  readonly run: Slices['run']
  read(key: string): Promise<ReadSession>
  row(session: SessionSummary): Promise<SessionRow>
  status(): Promise<DashboardStatus>
  pauseState(): Promise<PauseState>
}

export function createDashboard(parts: DashboardParts): Dashboard {
  const { config, pauses, now } = parts
  const options = { models: config.models, mappings: config.toolMappings }
  const { run } = createSlices()
  const sessions = createStoredSessions(parts.store, run)
  const rows = createSessionRows(sessions, parts)
  let last: { readonly source: SessionSource; readonly session: Promise<ReadSession> } | null = null

  /** The last session that was read is kept, because a page asks several questions about it. */
  async function read(key: string): Promise<ReadSession> {
    const source = await sessions.source(key)
    if (last?.source !== source) last = { source, session: run(readSession(source, options)) }
    return last.session
  }

  async function pauseState(): Promise<PauseState> {
    const { everything, sessions: paused } = pauses.state()
    const all = await sessions.all()
    const keys = all
      .filter(({ id }) => Object.hasOwn(paused, id))
      .map(({ number }) => String(number))
    return { all: everything !== null, sessions: keys }
  }

  async function status(): Promise<DashboardStatus> {
    return { mode: 'live', now: now(), ...parts.status(), pause: await pauseState() }
  }

  const questions = { parts, sessions, rows, read, run, status }
  return {
    sessions,
    run,
    read,
    row: rows.row,
    status,
    pauseState,
    answer: (path) => answerRoute(questions, path),
  }
}
