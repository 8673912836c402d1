import type { FileTracker } from '../core/files/index.ts'
import { trackFiles } from '../replay/file-timeline.ts'
import type { Work } from '../replay/work.ts'
import type { ReadOptions, ReadSession } from './session-detail.ts'
import { type SessionSource, shownTokens } from './session-source.ts'
import type { FileAt, FileEventRow, FileList, FileRow } from './types.ts'

/** Every file of a session, with its versions over turns and what the last request still shows of it. */
export function* fileList(session: ReadSession, options: ReadOptions = {}): Work<FileList> {
  const { source } = session
  const files = yield* trackFiles(source.recording, options)
  const shown = shownInLast(session)
  const rows: FileRow[] = []
  for (const path of files.paths()) {
    yield
    const row = fileRow(path, files, session, shown)
    if (row.events.length > 0) rows.push(row)
  }
  const requests = session.requests.length
  return { requests, files: rows.toSorted((one, other) => other.tokens - one.tokens) }
}

/** What the last request shows of an item. */
interface ShownItem {
  readonly tokens: number
  readonly shown: FileEventRow['shown']
  /** The item that replaced it. */
  readonly by: number | null
}

type ShownItems = ReadonlyMap<number, ShownItem>

function shownInLast({ last }: ReadSession): ShownItems {
  return new Map(
    (last?.view ?? []).map((each) => {
      const { how = null, by = null } = each.rendition ?? {}
      // Both show lines of the file: those that no other item shows, or the file as it is after a later edit.
      const isPart = how === 'view' || how === 'truncated'
      const shown = how === null ? 'full' : isPart ? 'part' : 'none'
      return [each.item.index, { tokens: shownTokens(each), shown, by }]
    }),
  )
}

function fileRow(
  path: string,
  files: FileTracker,
  { source, lives, operations }: ReadSession,
  shown: ShownItems,
): FileRow {
  const { items } = lives.record
  const touching = new Set<number>()
  const events = files.history(path).map(({ kind, turn, version, call }): FileEventRow => {
    const operation = call === null ? undefined : operations.get(call)
    const parts = [operation?.call, operation?.result ?? undefined].flatMap((each) => each ?? [])
    for (const { index } of parts) touching.add(index)
    const holder = kind === 'read' ? (operation?.result ?? operation?.call) : operation?.call
    const excerpt = parts
      .flatMap(({ index }) => files.shownBy(index))
      .find((each) => each.path === path && each.first !== null)
    const first = excerpt?.first ?? null
    return {
      turn,
      kind,
      version,
      handle: holder?.handle ?? null,
      lines:
        excerpt === undefined || first === null ? null : [first, first + excerpt.ids.length - 1],
      shown: (holder === undefined ? undefined : shown.get(holder.index)?.shown) ?? 'none',
      lineCount: files.stateAt(path, turn).lineCount,
    }
  })
  const current = files.current(path)
  const excerpts = [...shown.keys()]
    .flatMap((index) => files.shownBy(index).map((excerpt) => ({ index, excerpt })))
    .filter(({ excerpt }) => excerpt.path === path && excerpt.ids.length > 0)
  const versionOf = (index: number): number =>
    Math.max(0, ...files.shownBy(index).map((each) => (each.path === path ? each.version : 0)))
  const isCurrent = excerpts.some(({ index }) => {
    const item = shown.get(index)
    if (item === undefined || item.shown === 'none') return false
    // A view shows the file after the edit that replaced the read.
    const newest = Math.max(versionOf(index), item.by === null ? 0 : versionOf(item.by))
    return newest === current.version
  })
  const sum = (values: Iterable<number>): number => [...values].reduce((all, each) => all + each, 0)
  return {
    path,
    name: nameIn(source, path),
    exists: current.exists,
    reads: events.filter(({ kind }) => kind === 'read').length,
    changes: new Set(events.filter(({ kind }) => kind !== 'read').map(({ turn }) => turn)).size,
    versions: current.version,
    tokens: sum([...touching].map((index) => items[index]?.tokens ?? 0)),
    visibleTokens: sum([...touching].map((index) => shown.get(index)?.tokens ?? 0)),
    visible: isCurrent ? 'current' : excerpts.length > 0 ? 'stale' : 'gone',
    events,
  }
}

function nameIn({ folder }: SessionSource, path: string): string {
  return folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** A file as the session knew it after the results of a turn. */
export function* fileAt(
  source: SessionSource,
  path: string,
  turn: number,
  options: ReadOptions = {},
): Work<FileAt> {
  const files = yield* trackFiles(source.recording, options)
  const { version, exists, complete, segments } = files.stateAt(path, turn)
  return {
    path,
    turn,
    version,
    exists,
    isComplete: complete,
    lines: segments.flatMap((segment): readonly (string | null)[] =>
      segment.kind === 'gap' ? [null] : segment.lines.map(({ text }) => text),
    ),
  }
}
