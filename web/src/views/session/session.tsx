import { apiPaths, type SessionDetail } from '../../../../src/dashboard/types.ts'
import { report } from '../../data/api.ts'
import { count, dollars, percent, savedShare, shortPath, tokens } from '../../data/format.ts'
import { linkTo, place } from '../../data/route.ts'
import { visible } from '../../data/visible-text.ts'
import { HitRate, Metric, Metrics } from '../../parts/metric.tsx'
import { SessionPauseSwitch } from '../../parts/pause.tsx'
import { Empty, Read } from '../../parts/states.tsx'
import { ContextView } from './context.tsx'
import { FilesView } from './files.tsx'
import { MoneyView } from './money.tsx'
import { SessionComparison } from './session-comparison.tsx'

const tabs = [
  ['', 'Context'],
  ['files', 'Files'],
  ['money', 'Money'],
  ['compare', 'Compare'],
] as const

/** One session: its context over time, its files, what it cost, and what other policies would have done. */
export function SessionView({ session }: { readonly session: string }) {
  return (
    <Read<SessionDetail> path={apiPaths.session(session)}>
      {(detail) => (
        <>
          <Head detail={detail} />
          <Tabs session={session} />
          <Tab detail={detail} />
        </>
      )}
    </Read>
  )
}

function Head({ detail }: { readonly detail: SessionDetail }) {
  const { context, contextLimit, project } = detail
  const isPriced = detail.savedDollars !== null
  return (
    <>
      <div class="view-head">
        <div>
          <p class="crumbs">
            <a href={linkTo(['sessions'])}>Sessions</a>
          </p>
          <h1 class="session-title">{visible(detail.title) || detail.id}</h1>
          <p class="muted">
            {visible(detail.agent)} · {detail.model ?? 'model unknown'}
            {project !== null && <span title={project}> · {visible(shortPath(project))}</span>} ·{' '}
            <code>{visible(detail.id)}</code>
          </p>
        </div>
        <SessionPauseSwitch session={detail.key} />
      </div>
      <Metrics>
        <Metric
          label="Context now"
          value={tokens(context.with)}
          note={
            contextLimit === null
              ? `${tokens(context.without)} without Palimpsest`
              : `${percent(context.with / contextLimit)} of ${tokens(contextLimit)}; ${tokens(context.without)} without`
          }
        />
        <Metric
          label="Tokens not sent"
          value={tokens(detail.tokens.without - detail.tokens.with)}
          note={`${percent(savedShare(detail.tokens))} of ${tokens(detail.tokens.without)}`}
        />
        <Metric
          label={detail.isReplayed ? 'Would have saved' : 'Saved'}
          value={dollars(detail.savedDollars)}
          {...(isPriced && detail.savedDollars !== 0
            ? { tone: (detail.savedDollars ?? 0) > 0 ? ('good' as const) : ('bad' as const) }
            : {})}
          note={savedNote(detail)}
        />
        <HitRate cache={detail.cache} />
        <Metric
          label="Requests"
          value={detail.turns.toLocaleString('en')}
          note={`${count(detail.items, 'item')}, ${detail.restored} fetched back`}
        />
      </Metrics>
    </>
  )
}

function savedNote({ savedDollars, billing, isReplayed }: SessionDetail): string {
  if (savedDollars === null) return 'no price known for this model'
  if (isReplayed) return 'a recording; nothing was sent'
  return billing === 'subscription'
    ? 'at list prices; a subscription pays'
    : 'with the cache priced'
}

function Tabs({ session }: { readonly session: string }) {
  const current = place.value.path[2] ?? ''
  return (
    <nav class="tabs" aria-label="Views of this session">
      {tabs
        .filter(([name]) => isShown(session, name))
        .map(([name, label]) => (
          <a
            key={name}
            href={linkTo(['sessions', session, ...(name === '' ? [] : [name])])}
            aria-current={current === name ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
    </nav>
  )
}

/** A report may leave out the comparison. */
function isShown(session: string, name: string): boolean {
  if (name !== 'compare' || report.value === null) return true
  return report.value.answers[apiPaths.compareSession(session)] !== undefined
}

function Tab({ detail }: { readonly detail: SessionDetail }) {
  switch (place.value.path[2]) {
    case undefined:
      return <ContextView detail={detail} />
    case 'files':
      return <FilesView session={detail.key} />
    case 'money':
      return <MoneyView session={detail.key} />
    case 'compare':
      return <SessionComparison session={detail.key} />
    default:
      return <Empty title="There is no such page" />
  }
}
