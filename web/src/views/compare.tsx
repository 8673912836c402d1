import { apiPaths, type Comparison, type SessionList } from '../../../src/dashboard/types.ts'
import { shortPath } from '../data/format.ts'
import { place, setQuery } from '../data/route.ts'
import { visible } from '../data/visible-text.ts'
import { ComparisonCharts } from '../parts/comparison-charts.tsx'
import { Empty, Read } from '../parts/states.tsx'

/** Presets and schedules side by side, on one session or on all of a folder. */
export function CompareView() {
  return (
    <>
      <div class="view-head">
        <h1>Compare</h1>
      </div>
      <Read<SessionList> path={apiPaths.sessions()}>
        {(list) =>
          list.sessions.length === 0 ? (
            <Empty title="Nothing to compare yet">
              <p>Every stored session can be run again under each policy, without a model.</p>
            </Empty>
          ) : (
            <Chosen list={list} />
          )
        }
      </Read>
    </>
  )
}

function Chosen({ list }: { readonly list: SessionList }) {
  const folders = [...new Set(list.sessions.flatMap(({ project }) => project ?? []))].sort()
  const asked = place.value.query.get('of') ?? ''
  const subject = asked === '' ? `session:${list.sessions[0]?.key ?? ''}` : asked
  const [kind, ...rest] = subject.split(':')
  const name = rest.join(':')
  const path = kind === 'folder' ? apiPaths.compareFolder(name) : apiPaths.compareSession(name)
  return (
    <>
      <div class="filters">
        <label class="field grow">
          <span>Run again</span>
          <select value={subject} onChange={(event) => setQuery({ of: event.currentTarget.value })}>
            <optgroup label="All sessions of a folder">
              {folders.map((folder) => (
                <option key={folder} value={`folder:${folder}`}>
                  {visible(shortPath(folder))}
                </option>
              ))}
            </optgroup>
            <optgroup label="One session">
              {list.sessions.slice(0, 100).map((row) => (
                <option key={row.key} value={`session:${row.key}`}>
                  {visible(`${row.agent}: ${row.title.slice(0, 60) || row.id}`)}
                </option>
              ))}
            </optgroup>
          </select>
        </label>
        <p class="muted">No model is asked. A long session takes a few seconds.</p>
      </div>
      <Read<Comparison> key={path} path={path}>
        {(comparison) => <ComparisonCharts comparison={comparison} />}
      </Read>
    </>
  )
}
