import type { Config } from '../config/config.ts'
import type { Pauses } from '../config/pauses.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { Memory } from '../memory/memory.ts'
import type { SessionSummary, Store } from '../store/index.ts'
import { comparisonOf } from './comparison.ts'
import { fileAt, fileList } from './files.ts'
import { memoryView } from './memory-view.ts'
import { moneyOf } from './money.ts'
import { overviewOf } from './overview.ts'
import { itemDetail, type ReadSession, readSession, searchItems } from './session-detail.ts'
import { sessionRow } from './session-row.ts'
import type { SessionSource } from './session-source.ts'
import { createSlices, type Slices } from './slices.ts'
import { createStoredSessions, type StoredSessions } from './stored-sessions.ts'
import type {
  DashboardStatus,
  PauseState,
  Range,
  SessionDetail,
  SessionRow,
  Settings,
} from './types.ts'

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
  /** Does long work while the gateway serves. */
  readonly run: Slices['run']
  read(key: string): Promise<ReadSession>
  row(session: SessionSummary): Promise<SessionRow>
  status(): Promise<DashboardStatus>
  pauseState(): Promise<PauseState>
}

const mostSessions = 500

export function createDashboard(parts: DashboardParts): Dashboard {
  const { config, pauses, now } = parts
  const { models, toolMappings: mappings } = config
  const options = { models, mappings }
  const { run } = createSlices()
  const sessions = createStoredSessions(parts.store, run)
  const rowsByNumber = new Map<number, { readonly version: string; readonly row: SessionRow }>()
  let read: { readonly source: SessionSource; readonly session: Promise<ReadSession> } | null = null

  /** The last session that was read is kept, because a page asks several questions about it. */
  async function readOf(key: string): Promise<ReadSession> {
    const source = await sessions.source(key)
    if (read?.source !== source) read = { source, session: run(readSession(source, options)) }
    return read.session
  }

  async function row(summary: SessionSummary): Promise<SessionRow> {
    const version = sessions.version(summary)
    const known = rowsByNumber.get(summary.number)
    const { id, parent, number } = summary
    if (known?.version === version) return { ...known.row, isPaused: isPaused(id, parent) }
    const made = rowOf(await sessions.sourceOf(summary))
    rowsByNumber.set(number, { version, row: made })
    return made
  }

  function isPaused(id: string, parent: string | null): boolean {
    return pauses.isPaused(id, ...(parent === null ? [] : [parent]))
  }

  function rowOf(source: SessionSource, session?: ReadSession): SessionRow {
    const state = { models, isPaused: isPaused(source.id, source.parent) }
    return sessionRow(source, state, session?.requests)
  }

  async function rows(): Promise<readonly SessionRow[]> {
    const found: SessionRow[] = []
    for (const summary of (await sessions.all()).slice(0, mostSessions))
      if (summary.messages > 0) found.push(await row(summary))
    return found
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

  async function detail(key: string): Promise<SessionDetail> {
    const session = await readOf(key)
    return {
      ...rowOf(session.source, session),
      requests: session.requests,
      itemList: session.items,
    }
  }

  async function ofSession(key: string, rest: string, query: URLSearchParams): Promise<unknown> {
    if (rest === '') return detail(key)
    const [, handle] = /^\/items\/([^/]+)$/.exec(rest) ?? []
    if (handle !== undefined) {
      const found = itemDetail(await readOf(key), decodeURIComponent(handle).toLowerCase())
      return found ?? absent(`no item of this session has the handle ${handle}`)
    }
    switch (rest) {
      case '/search':
        return searchItems(await readOf(key), query.get('q') ?? '')
      case '/files':
        return run(fileList(await readOf(key), options))
      case '/file': {
        const at = Number(query.get('at'))
        const path = query.get('path') ?? ''
        if (!Number.isInteger(at) || at < 0 || path === '')
          throw new PalimpsestError('usage', 'give the path of a file and a turn: ?path=…&at=…')
        return run(fileAt(await sessions.source(key), path, at, options))
      }
      case '/money':
        return run(moneyOf(await sessions.source(key), options))
      case '/compare': {
        const { recording } = await sessions.source(key)
        return run(comparisonOf([recording], 'this session', { config }))
      }
      default:
        return absent(`there is no route ${rest}`)
    }
  }

  async function compareFolder(folder: string): Promise<unknown> {
    const all = await sessions.all()
    const here = all.filter((each) => each.folder === folder && each.messages > 0)
    if (here.length === 0) absent(`no session of the store worked in ${folder}`)
    const sources = await Promise.all(here.map(({ number }) => sessions.source(String(number))))
    const recordings = sources.map(({ recording }) => recording)
    return run(comparisonOf(recordings, folder, { config }))
  }

  return {
    sessions,
    run,
    read: readOf,
    row,
    status,
    pauseState,
    async answer(asked) {
      const { pathname, searchParams: query } = new URL(asked, 'http://localhost')
      const [, key, rest = ''] = /^\/sessions\/([^/]+)(\/.*)?$/.exec(pathname) ?? []
      if (key !== undefined) return ofSession(decodeURIComponent(key), rest, query)
      switch (pathname) {
        case '/status':
          return status()
        case '/overview':
          return overviewOf(await sessions.receipts(), rangeOf(query.get('range')), {
            to: now(),
            models,
          })
        case '/sessions':
          return { sessions: await rows() }
        case '/compare':
          return compareFolder(query.get('folder') ?? '')
        case '/memory': {
          const isOn = config.memory?.inject === true
          if (parts.useMemory === null) return { isOn, items: [], conflicts: [], patterns: [] }
          return parts.useMemory((memory) => memoryView(memory, { isOn }))
        }
        case '/settings':
          return parts.settings()
        default:
          return absent(`there is no route ${pathname}`)
      }
    },
  }
}

function rangeOf(given: string | null): Range {
  if (given === null || given === 'week') return 'week'
  if (given === 'month' || given === 'all') return given
  throw new PalimpsestError('usage', `${given} is not a range: use week, month or all`)
}

function absent(message: string): never {
  throw new PalimpsestError('absent', message)
}
