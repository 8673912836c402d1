import { useMemo, useState } from 'preact/hooks'
import { apiPaths, type SessionList, type SessionRow } from '../../../src/dashboard/types.ts'
import { ago, count, dollarColumn, hitRate, percent, shortPath, tokens } from '../data/format.ts'
import { clock, status } from '../data/live.ts'
import { linkTo } from '../data/route.ts'
import { visible } from '../data/visible-text.ts'
import { Scroll } from '../parts/scroll.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Empty, Read } from '../parts/states.tsx'

/** All sessions, live. */
export function Sessions() {
  return (
    <>
      <div class="view-head">
        <h1>Sessions</h1>
      </div>
      <Read<SessionList> path={apiPaths.sessions()}>
        {({ sessions }) =>
          sessions.length === 0 ? <NoSessions /> : <SessionTable sessions={sessions} />
        }
      </Read>
    </>
  )
}

function NoSessions() {
  return (
    <Empty title="No sessions yet">
      <p>
        A session appears here with its first request, while it runs.{' '}
        <a href={linkTo(['settings'])}>Set-up lines for each agent</a>
      </p>
    </Empty>
  )
}

interface Column {
  readonly name: string
  readonly isNumber: boolean
  /** The value that rows are sorted by. */
  by(row: SessionRow): number | string
}

const columns: readonly Column[] = [
  { name: 'Session', isNumber: false, by: ({ title }) => title.toLowerCase() },
  { name: 'Agent', isNumber: false, by: ({ agent }) => agent },
  { name: 'Project', isNumber: false, by: ({ project }) => project ?? '' },
  { name: 'Turns', isNumber: true, by: ({ turns }) => turns },
  { name: 'Context', isNumber: true, by: ({ context }) => context.with },
  { name: 'Saved', isNumber: true, by: (row) => row.savedDollars ?? savedTokens(row) / 1e9 },
  { name: 'Cache hits', isNumber: true, by: ({ cache }) => hitRate(cache) ?? -1 },
  { name: 'Last activity', isNumber: true, by: ({ usedAt }) => usedAt },
]

/** The most rows on the page; filters find the others. */
const mostRows = 200

function SessionTable({ sessions }: { readonly sessions: readonly SessionRow[] }) {
  const [query, setQuery] = useState('')
  const [agent, setAgent] = useState('')
  const [sort, setSort] = useState({ column: 'Last activity', isDown: true })
  const agents = useMemo(() => [...new Set(sessions.map((row) => row.agent))].sort(), [sessions])
  const found = useMemo(
    () =>
      sorted(
        sessions.filter((row) => matches(row, query, agent)),
        sort,
      ),
    [sessions, query, agent, sort],
  )
  const amounts = dollarColumn(found.map(({ savedDollars }) => savedDollars))
  return (
    <>
      <div class="filters">
        <SearchField value={query} placeholder="Title, project, model or id" search={setQuery} />
        <label class="field">
          <span>Agent</span>
          <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
            <option value="">All</option>
            {agents.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <p class="muted" role="status">
          {count(found.length, 'session')}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty title="No session matches">
          <p>Change the search or the filter.</p>
        </Empty>
      ) : (
        <Scroll label="Sessions">
          <table class="sessions">
            <thead>
              <tr>
                {columns.map(({ name, isNumber }) => (
                  <th
                    key={name}
                    class={isNumber ? 'number' : undefined}
                    aria-sort={
                      sort.column !== name ? undefined : sort.isDown ? 'descending' : 'ascending'
                    }
                  >
                    <button
                      type="button"
                      onClick={() =>
                        setSort({
                          column: name,
                          isDown: sort.column === name ? !sort.isDown : isNumber,
                        })
                      }
                    >
                      {name}
                      <span aria-hidden="true">
                        {sort.column !== name ? '' : sort.isDown ? ' ↓' : ' ↑'}
                      </span>
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.slice(0, mostRows).map((row, at) => (
                <Row
                  key={row.key}
                  row={row}
                  amount={row.savedDollars === null ? null : (amounts[at] ?? null)}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {found.length > mostRows && (
        <p class="muted">The first {mostRows} are shown. Search to find others.</p>
      )}
    </>
  )
}

interface RowProps {
  readonly row: SessionRow
  /** Dollars saved, in words; null when they are not known. */
  readonly amount: string | null
}

function Row({ row, amount }: RowProps) {
  const address = linkTo(['sessions', row.key])
  const isPaused = row.isPaused || status.value?.pause.sessions.includes(row.key) === true
  const limit = row.contextLimit
  return (
    <tr>
      <td class="title-cell">
        <a class="row-link" href={address}>
          {visible(row.title) || row.id}
        </a>
        <small class="muted">
          {row.model === null ? 'model unknown' : visible(row.model)}
          {isPaused && <span class="badge warn">paused</span>}
          {row.isReplayed && <span class="badge">recorded</span>}
        </small>
      </td>
      <td data-name="Agent">{visible(row.agent)}</td>
      <td data-name="Project" title={row.project ?? undefined}>
        {row.project === null ? '–' : visible(shortPath(row.project))}
      </td>
      <td data-name="Turns" class="number">
        {row.turns}
      </td>
      <td data-name="Context" class="number">
        {tokens(row.context.with)}
        {limit !== null && (
          <span class="meter" title={`${percent(row.context.with / limit)} of ${tokens(limit)}`}>
            <span
              class="meter-fill"
              style={{ width: `${Math.min(1, row.context.with / limit) * 100}%` }}
            />
          </span>
        )}
      </td>
      <td data-name="Saved" class="number">
        {amount ?? `${tokens(savedTokens(row))} tokens`}
        <small class="muted">{percent(shareOf(row))}</small>
      </td>
      <td data-name="Cache hits" class="number">
        {percent(hitRate(row.cache))}
      </td>
      <td data-name="Last activity" class="number">
        {ago(row.usedAt, Math.max(clock.value, row.usedAt))}
      </td>
    </tr>
  )
}

function savedTokens({ tokens: sums }: SessionRow): number {
  return sums.without - sums.with
}

function shareOf(row: SessionRow): number {
  return row.tokens.without === 0 ? 0 : savedTokens(row) / row.tokens.without
}

function matches(row: SessionRow, query: string, agent: string): boolean {
  if (agent !== '' && row.agent !== agent) return false
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [row.title, row.project, row.model, row.id, row.agent].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

function sorted(
  rows: readonly SessionRow[],
  { column, isDown }: { column: string; isDown: boolean },
): readonly SessionRow[] {
  const by = columns.find(({ name }) => name === column)?.by ?? (({ usedAt }) => usedAt)
  const sign = isDown ? -1 : 1
  return [...rows].sort((one, other) => {
    const [a, b] = [by(one), by(other)]
    return a < b ? -sign : a > b ? sign : 0
  })
}
