import { PalimpsestError } from '../core/words/errors.ts'
import { comparisonOf } from './comparison.ts'
import type { DashboardParts } from './dashboard.ts'
import { fileAt, fileList } from './files.ts'
import { memoryView } from './memory-view.ts'
import { moneyOf } from './money.ts'
import { overviewOf } from './overview.ts'
import { itemDetail, type ReadSession, searchItems } from './session-detail.ts'
import type { SessionRows } from './session-row.ts'
import type { Slices } from './slices.ts'
import type { StoredSessions } from './stored-sessions.ts'
import type { DashboardStatus, Range, SessionDetail } from './types.ts'

/** The questions of the routes. */
export interface Questions {
  readonly parts: DashboardParts
  readonly sessions: StoredSessions
  readonly rows: SessionRows
  read(key: string): Promise<ReadSession>
  readonly run: Slices['run']
  status(): Promise<DashboardStatus>
}

/** The answer to a GET route; see `Dashboard.answer`. */
export async function answerRoute(questions: Questions, asked: string): Promise<unknown> {
  const { parts, sessions, rows, status } = questions
  const { pathname, searchParams: query } = new URL(asked, 'http://localhost')
  const [, key, rest = ''] = /^\/sessions\/([^/]+)(\/.*)?$/.exec(pathname) ?? []
  if (key !== undefined) return answerForSession(questions, decodeURIComponent(key), rest, query)
  switch (pathname) {
    case '/status':
      return status()
    case '/overview':
      return overviewOf(await sessions.receipts(), rangeOf(query.get('range')), {
        to: parts.now(),
        models: parts.config.models,
      })
    case '/sessions':
      return { sessions: await rows.all() }
    case '/compare':
      return compareFolder(questions, query.get('folder') ?? '')
    case '/memory': {
      const isOn = parts.config.memory?.inject === true
      if (parts.useMemory === null) return { isOn, items: [], conflicts: [], patterns: [] }
      return parts.useMemory((memory) => memoryView(memory, { isOn }))
    }
    case '/settings':
      return parts.settings()
    default:
      return absent(`there is no route ${pathname}`)
  }
}

/** The routes below `/sessions/<key>`. */
async function answerForSession(
  { parts: { config }, sessions, rows, read, run }: Questions,
  key: string,
  rest: string,
  query: URLSearchParams,
): Promise<unknown> {
  const options = { models: config.models, mappings: config.toolMappings }
  const [, handle] = /^\/items\/([^/]+)$/.exec(rest) ?? []
  if (handle !== undefined) {
    const found = itemDetail(await read(key), decodeURIComponent(handle).toLowerCase())
    return found ?? absent(`no item of this session has the handle ${handle}`)
  }
  switch (rest) {
    case '': {
      const session = await read(key)
      const { requests, items: itemList } = session
      const detail: SessionDetail = { ...rows.rowOf(session.source, session), requests, itemList }
      return detail
    }
    case '/search':
      return searchItems(await read(key), query.get('q') ?? '')
    case '/files':
      return run(fileList(await read(key), options))
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

async function compareFolder(
  { parts: { config }, sessions, run }: Questions,
  folder: string,
): Promise<unknown> {
  const all = await sessions.all()
  const here = all.filter((each) => each.folder === folder && each.messages > 0)
  if (here.length === 0) absent(`no session of the store worked in ${folder}`)
  const sources = await Promise.all(here.map(({ number }) => sessions.source(String(number))))
  const recordings = sources.map(({ recording }) => recording)
  return run(comparisonOf(recordings, folder, { config }))
}

function rangeOf(given: string | null): Range {
  if (given === null || given === 'week') return 'week'
  if (given === 'month' || given === 'all') return given
  throw new PalimpsestError('usage', `${given} is not a range: use week, month or all`)
}

function absent(message: string): never {
  throw new PalimpsestError('absent', message)
}
