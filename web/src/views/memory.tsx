import { useMemo, useState } from 'preact/hooks'
import {
  apiPaths,
  type MemoryView as MemoryData,
  type MemoryRow,
} from '../../../src/dashboard/types.ts'
import { count, date } from '../data/format.ts'
import { status } from '../data/live.ts'
import { visible } from '../data/visible-text.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Empty, Read } from '../parts/states.tsx'
import { Conflicts } from './memory-conflicts.tsx'
import { MemoryCard } from './memory-item.tsx'

/** The memory items as they are now, or as they were at any time. */
export function MemoryView() {
  return (
    <>
      <div class="view-head">
        <h1>Memory</h1>
      </div>
      <Read<MemoryData> path={apiPaths.memory()}>
        {(memory) =>
          memory.items.length === 0 ? <NothingYet isOn={memory.isOn} /> : <Items memory={memory} />
        }
      </Read>
    </>
  )
}

function NothingYet({ isOn }: { readonly isOn: boolean }) {
  return (
    <Empty title={isOn ? 'Nothing remembered yet' : 'Memory is off'}>
      <p>
        {isOn
          ? 'Facts, preferences and decisions that you state while you work appear here.'
          : 'Set memory.learn in the configuration to remember facts, preferences and decisions.'}
      </p>
    </Empty>
  )
}

const dayMs = 86_400_000

function Items({ memory }: { readonly memory: MemoryData }) {
  const [query, setSearch] = useState('')
  const [daysAgo, setDaysAgo] = useState(0)
  const now = Math.max(status.value?.now ?? 0, ...memory.items.map(({ recordedAt }) => recordedAt))
  const first = Math.min(...memory.items.map(({ recordedAt }) => recordedAt))
  const days = Math.max(1, Math.ceil((now - first) / dayMs))
  const at = daysAgo === 0 ? now : now - daysAgo * dayMs
  const byId = useMemo(() => new Map(memory.items.map((item) => [item.id, item])), [memory])
  const current = memory.items.filter(
    (item) => holdsAt(item, at) && item.text.toLowerCase().includes(query.toLowerCase()),
  )
  const scopes = [...new Set(current.map(({ scope }) => scope))].sort()
  return (
    <>
      <Conflicts conflicts={memory.conflicts} byId={byId} />
      <div class="filters">
        <SearchField value={query} search={setSearch} />
        <label class="field as-of">
          <span>As of {daysAgo === 0 ? 'now' : date(at)}</span>
          <input
            type="range"
            min={0}
            max={days}
            value={days - daysAgo}
            aria-valuetext={daysAgo === 0 ? 'now' : date(at)}
            onInput={(event) => setDaysAgo(days - Number(event.currentTarget.value))}
          />
        </label>
        <p class="muted" role="status">
          {count(current.length, 'item')} {daysAgo === 0 ? 'hold now' : 'held then'}
        </p>
      </div>
      {current.length === 0 && (
        <Empty title="Nothing matches">
          <p>{query === '' ? 'Nothing was remembered at that time.' : 'Try another word.'}</p>
        </Empty>
      )}
      {scopes.map((scope) => (
        <section class="card" key={scope}>
          <h2>{scopeName(scope)}</h2>
          <ul class="memory">
            {current
              .filter((item) => item.scope === scope)
              .map((item) => (
                <MemoryCard key={item.id} item={item} byId={byId} />
              ))}
          </ul>
        </section>
      ))}
      {memory.patterns.length > 0 && (
        <section class="card">
          <h2>Patterns</h2>
          <ul class="plain">
            {memory.patterns.map(({ text, count: times }) => (
              <li key={text}>
                <bdi>{visible(text)}</bdi> <span class="muted">· {count(times, 'time')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function holdsAt({ recordedAt, validFrom, ended }: MemoryRow, at: number): boolean {
  return recordedAt <= at && validFrom <= at && (ended === null || ended.at > at)
}

function scopeName(scope: string): string {
  const [kind, ...rest] = scope.split(':')
  const name = visible(rest.join(':'))
  switch (kind) {
    case 'user':
      return 'You, everywhere'
    case 'team':
      return `Team ${name}`
    case 'project':
      return `Project ${name}`
    default:
      return `Session ${name}`
  }
}
