import { useState } from 'preact/hooks'
import { apiPaths, type FileList, type FileRow } from '../../../../src/dashboard/types.ts'
import { count, shortPath, tokens } from '../../data/format.ts'
import { place, setQuery } from '../../data/route.ts'
import { visible } from '../../data/visible-text.ts'
import { Choice } from '../../parts/choice.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Read } from '../../parts/states.tsx'
import { useWidth } from '../../parts/use-width.ts'
import { FileHistory } from './file-history.tsx'

type Visibility = 'all' | FileRow['visible']

export const visibleNames: Readonly<Record<FileRow['visible'], string>> = {
  current: 'current',
  stale: 'stale',
  gone: 'not in the context',
}

/** Each file of the session with its versions over turns. */
export function FilesView({ session }: { readonly session: string }) {
  return (
    <Read<FileList> path={apiPaths.files(session)}>
      {(list) =>
        list.files.length === 0 ? (
          <Empty title="No files yet">
            <p>Files appear here once the agent reads or changes one.</p>
          </Empty>
        ) : (
          <Files session={session} list={list} />
        )
      }
    </Read>
  )
}

function Files({ session, list }: { readonly session: string; readonly list: FileList }) {
  const [query, setSearch] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('all')
  const chosen = list.files.find(({ path }) => path === place.value.query.get('file'))
  const found = list.files.filter(
    (file) =>
      (visibility === 'all' || file.visible === visibility) &&
      file.path.toLowerCase().includes(query.toLowerCase()),
  )
  if (chosen !== undefined)
    return <FileHistory session={session} file={chosen} close={() => setQuery({ file: null })} />
  return (
    <section class="card">
      <div class="filters">
        <SearchField value={query} placeholder="Part of a path" search={setSearch} />
        <Choice
          label="In the context"
          value={visibility}
          options={[
            ['all', 'All'],
            ['current', 'Current'],
            ['stale', 'Stale'],
            ['gone', 'Gone'],
          ]}
          choose={(next) => setVisibility(next)}
        />
        <p class="muted" role="status">
          {count(found.length, 'file')}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty title="No file matches" />
      ) : (
        <Scroll label="Files">
          <table class="files">
            <thead>
              <tr>
                <th>File</th>
                <th>Over {count(list.requests, 'request')}</th>
                <th class="number">Reads</th>
                <th class="number">Changes</th>
                <th class="number">Tokens</th>
                <th>In the context</th>
              </tr>
            </thead>
            <tbody>
              {found.map((file) => (
                <FileLine key={file.path} file={file} requests={list.requests} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

function FileLine({ file, requests }: { readonly file: FileRow; readonly requests: number }) {
  return (
    <tr>
      <td class="title-cell">
        <button
          type="button"
          class="link row-link"
          title={visible(file.path)}
          onClick={() => setQuery({ file: file.path })}
        >
          <bdi>{visible(file.name.startsWith('/') ? shortPath(file.name, 3) : file.name)}</bdi>
        </button>
        <small class="muted">
          {count(file.versions, 'version')}
          {file.exists === false && ', deleted'}
        </small>
      </td>
      <td>
        <FileTrack file={file} requests={requests} />
      </td>
      <td class="number" data-name="Reads">
        {file.reads}
      </td>
      <td class="number" data-name="Changes">
        {file.changes}
      </td>
      <td class="number" data-name="Tokens">
        {tokens(file.visibleTokens)}
        <small class="muted">of {tokens(file.tokens)}</small>
      </td>
      <td>
        <span class={`badge ${file.visible}`}>{visibleNames[file.visible]}</span>
      </td>
    </tr>
  )
}

/** Reads and changes of a file along the session. */
function FileTrack({ file, requests }: { readonly file: FileRow; readonly requests: number }) {
  const [place, measured] = useWidth<HTMLDivElement>()
  const width = Math.max(160, measured)
  const x = (turn: number): number =>
    requests <= 1 ? 6 : 6 + ((turn - 1) / (requests - 1)) * (width - 12)
  const label = `${file.reads} reads and ${file.changes} changes, from turn ${file.events[0]?.turn ?? 0} to ${file.events.at(-1)?.turn ?? 0}`
  return (
    <div ref={place} class="file-track">
      <svg width={width} height={20} role="img" aria-label={label}>
        <line x1={6} x2={width - 6} y1={10} y2={10} class="track-line" />
        {file.events.map(({ turn, kind, shown }, index) => (
          <circle
            key={`${turn} ${index}`}
            cx={x(turn)}
            cy={10}
            r={4}
            class={`${isRead(kind) ? 'track-read' : 'track-change'} ${shown}`}
          />
        ))}
      </svg>
    </div>
  )
}

export function isRead(kind: string): boolean {
  return /read|seen|view/.test(kind)
}
