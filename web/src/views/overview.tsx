import { useState } from 'preact/hooks'
import {
  apiPaths,
  type Group,
  type Overview as OverviewData,
  type Range,
  type SessionList,
  type SessionRow,
  type Totals,
} from '../../../src/dashboard/types.ts'
import {
  count,
  dollarColumn,
  dollars,
  percent,
  savedShare,
  shortPath,
  tokens,
} from '../data/format.ts'
import { shownName } from '../data/kinds.ts'
import { status } from '../data/live.ts'
import { linkTo, place, setQuery } from '../data/route.ts'
import { visible } from '../data/visible-text.ts'
import { BarList } from '../parts/bar-list.tsx'
import { Choice } from '../parts/choice.tsx'
import { HitRate, Metric, Metrics } from '../parts/metric.tsx'
import { Empty, Read } from '../parts/states.tsx'
import { DayChart } from './overview-days.tsx'

export type Unit = 'dollars' | 'tokens'

/** What was saved, by day, project, agent and model. */
export function Overview() {
  const range = rangeIn(place.value.query.get('range'))
  return (
    <>
      <div class="view-head">
        <h1>Overview</h1>
        <Choice
          label="Time"
          value={range}
          options={[
            ['week', 'This week'],
            ['month', 'This month'],
            ['all', 'All'],
          ]}
          choose={(chosen) => setQuery({ range: chosen })}
        />
      </div>
      <Read<OverviewData> path={apiPaths.overview(range)}>
        {(overview) => <Figures overview={overview} />}
      </Read>
    </>
  )
}

function Figures({ overview }: { readonly overview: OverviewData }) {
  const { totals } = overview
  const [chosen, setUnit] = useState<Unit | null>(null)
  if (totals.requests + totals.outputs === 0) return <NothingYet range={overview.range} />
  const isSubscribed = totals.billing === 'subscription'
  const unit = chosen ?? (totals.savedDollars === null || isSubscribed ? 'tokens' : 'dollars')
  return (
    <>
      <Headline totals={totals} />
      <section class="card">
        <div class="card-head">
          <h2>Saved by day</h2>
          <Choice
            label="Unit"
            value={unit}
            options={[
              ['dollars', 'Dollars'],
              ['tokens', 'Tokens'],
            ]}
            choose={(next) => setUnit(next)}
          />
        </div>
        <DayChart days={overview.days} unit={unit} />
      </section>
      <div class="columns">
        <Groups title="By project" groups={overview.projects} unit={unit} isPath />
        <Groups title="By agent" groups={overview.agents} unit={unit} />
        <Groups title="By model" groups={overview.models} unit={unit} />
      </div>
      <div class="columns two">
        <Counts
          title="Fetched back"
          about="Originals that an agent or a person asked for again, by how they had been shown."
          counts={overview.restoredBy}
          none="Nothing was fetched back."
          nameOf={shownName}
        />
        <Counts
          title="Sent unchanged"
          about="Requests that Palimpsest passed through as they came, and why."
          counts={overview.bypassedBy}
          none="Every request was looked at."
        />
      </div>
    </>
  )
}

function Headline({ totals }: { readonly totals: Totals }) {
  const { tokens: sums, limitShare, limits } = totals
  const faults = status.value?.faults
  const internal = faults?.internal ?? 0
  const verified = status.value?.verified ?? null
  const broken = Object.values(verified?.breaches ?? {}).reduce((sum, each) => sum + each, 0)
  return (
    <Metrics>
      <SavedMetric totals={totals} />
      <Metric
        label="Tokens not sent"
        value={tokens(sums.without - sums.with)}
        note={`${percent(savedShare(sums))} of ${tokens(sums.without)}`}
      />
      <Metric
        label="Context in use"
        value={limitShare === null ? '–' : percent(limitShare.with)}
        note={
          limitShare === null
            ? 'no limit known'
            : `of the limit on average; ${percent(limitShare.without)} without`
        }
      />
      {limits !== null && (
        <Metric
          label="Subscription limits"
          value={Object.values(limits).map(percent).join(' · ')}
          note={`used in ${Object.keys(limits).join(' and ')}`}
        />
      )}
      <HitRate cache={totals.cache} />
      <Metric
        label="Requests"
        value={totals.requests.toLocaleString('en')}
        note={`in ${count(totals.sessions, 'session')}${totals.outputs === 0 ? '' : `; and ${count(totals.outputs, 'output')} shortened by the hook`}`}
      />
      {verified !== null && (
        <Metric
          label="Broken promises"
          value={broken.toLocaleString('en')}
          {...(broken > 0 ? { tone: 'bad' as const } : {})}
          note={
            broken === 0
              ? `${count(verified.requests, 'request')} checked`
              : Object.keys(verified.breaches).join(', ')
          }
        />
      )}
      <Metric
        label="Faults"
        value={(totals.failed + internal).toLocaleString('en')}
        {...(totals.failed + internal > 0 ? { tone: 'bad' as const } : {})}
        note={
          totals.failed + internal === 0
            ? 'no answer failed'
            : `${count(totals.failed, 'failed answer')}, ${internal} inside the gateway`
        }
      />
    </Metrics>
  )
}

/** A subscription is not billed by token, so the amount is what the tokens would have cost. */
function SavedMetric({ totals }: { readonly totals: Totals }) {
  const { savedDollars, spentDollars, billing, measured, requests } = totals
  const base =
    savedDollars === null
      ? 'no prices known for these models'
      : billing === 'subscription'
        ? 'at list prices; you pay a subscription'
        : spentDollars === null
          ? 'with the cache priced'
          : `of ${dollars(spentDollars + savedDollars)}, with the cache priced`
  const estimated = requests - measured
  const isEstimated = savedDollars !== null && estimated > 0
  const note = isEstimated ? `${base}; ${estimated} of ${requests} requests estimated` : base
  const tone = savedDollars !== null && savedDollars < 0 ? 'bad' : 'good'
  return <Metric label="Saved" value={dollars(savedDollars)} tone={tone} note={note} />
}

function Groups({
  title,
  groups,
  unit,
  isPath = false,
}: {
  readonly title: string
  readonly groups: readonly Group[]
  readonly unit: Unit
  readonly isPath?: boolean
}) {
  const largest = groups
    .toSorted((one, other) => savedOf(other, unit) - savedOf(one, unit))
    .slice(0, 8)
  const amounts = dollarColumn(largest.map(({ savedDollars }) => savedDollars))
  const bars = largest.map((group, at) => ({
    name: isPath ? shortPath(group.name) : group.name,
    title: group.name,
    value: savedOf(group, unit),
    label: (unit === 'dollars' ? amounts[at] : undefined) ?? tokens(savedOf(group, unit)),
    note: ` · ${percent(savedShare(group.tokens))}`,
  }))
  return (
    <section class="card">
      <h2>{title}</h2>
      <BarList bars={bars} empty="No requests yet." />
    </section>
  )
}

function Counts({
  title,
  about,
  counts,
  none,
  nameOf = (name) => name,
}: {
  readonly title: string
  readonly about: string
  readonly counts: Readonly<Record<string, number>>
  readonly none: string
  nameOf?(name: string): string
}) {
  const bars = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) => ({ name: nameOf(name), value, label: value.toLocaleString('en') }))
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="muted">{about}</p>
      <BarList bars={bars} empty={none} />
    </section>
  )
}

function NothingYet({ range }: { readonly range: Range }) {
  return (
    <>
      <Empty title={range === 'all' ? 'No requests yet' : 'No requests in this time'}>
        <p>
          Point an agent at the gateway and work as usual. What it saves appears here after the
          first request. <a href={linkTo(['settings'])}>Set-up lines for each agent</a>
        </p>
      </Empty>
      <Read<SessionList> path={apiPaths.sessions()}>
        {({ sessions }) => <Recorded sessions={sessions.filter(({ isReplayed }) => isReplayed)} />}
      </Read>
    </>
  )
}

/** Recorded sessions do not count as savings. They are offered when there is nothing else to look at. */
function Recorded({ sessions }: { readonly sessions: readonly SessionRow[] }) {
  if (sessions.length === 0) return null
  return (
    <section class="card recorded">
      <h2>Look at a recorded session</h2>
      <p class="muted">None of it was sent, so it does not count as saved.</p>
      <ul>
        {sessions.slice(0, 5).map((each) => (
          <li key={each.key}>
            <a href={linkTo(['sessions', each.key])}>
              <bdi>{visible(each.title) || each.id}</bdi>
            </a>
            <small class="muted">
              {visible(each.agent)} · {count(each.turns, 'request')} · would have sent{' '}
              {tokens(each.tokens.without - each.tokens.with)} of {tokens(each.tokens.without)}{' '}
              tokens less
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function savedOf({ savedDollars, tokens: sums }: Totals, unit: Unit): number {
  return unit === 'dollars' ? (savedDollars ?? 0) : sums.without - sums.with
}

function rangeIn(text: string | null): Range {
  return text === 'month' || text === 'all' ? text : 'week'
}
