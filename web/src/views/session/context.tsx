import { useMemo } from 'preact/hooks'
import type { SessionDetail } from '../../../../src/dashboard/types.ts'
import { pageAt } from '../../data/page-at.ts'
import { place, setQuery } from '../../data/route.ts'
import { Empty } from '../../parts/states.tsx'
import { ContextChart } from './context-chart.tsx'
import { ItemPanel } from './item-panel.tsx'
import { PageList } from './page-list.tsx'
import { RequestChanges } from './request-changes.tsx'
import { RequestFacts } from './request-facts.tsx'
import { Scrubber } from './scrubber.tsx'
import { SessionEvents } from './session-events.tsx'

/** The context window over time, and the context of one request beside its items. */
export function ContextView({ detail: given }: { readonly detail: SessionDetail }) {
  const detail = useMemo(() => withShortNames(given), [given])
  const { query } = place.value
  const last = detail.requests.length
  const at = requestIn(query.get('at'), last)
  const compared = query.get('with') === null ? null : requestIn(query.get('with'), last)
  const handle = query.get('item')
  const rows = useMemo(() => pageAt(detail.itemList, at), [detail, at])
  const request = detail.requests[at - 1]
  if (request === undefined)
    return (
      <Empty title="No requests yet">
        <p>The context appears here with the session's first request.</p>
      </Empty>
    )
  const show = (n: number): void => setQuery({ at: n })
  const open = (chosen: string | null): void => setQuery({ item: chosen })
  return (
    <>
      <section class="card">
        <ContextChart detail={detail} at={at} pick={show} />
        <Scrubber at={at} last={last} choose={show} />
        <RequestFacts request={request} />
        <SessionEvents detail={detail} at={at} jump={show} />
      </section>
      {compared !== null ? (
        <RequestChanges
          detail={detail}
          at={at}
          other={compared}
          choose={(n) => setQuery({ with: n })}
          close={() => setQuery({ with: null })}
        />
      ) : (
        <div class={handle === null ? 'page-columns' : 'page-columns has-item'}>
          <PageList
            detail={detail}
            at={at}
            rows={rows}
            selected={handle}
            open={open}
            compare={() => setQuery({ with: Math.max(1, at - 1) })}
          />
          <ItemPanel detail={detail} at={at} handle={handle} open={open} show={show} />
        </div>
      )}
    </>
  )
}

/** Paths of the project are shown from its folder on. */
function withShortNames(detail: SessionDetail): SessionDetail {
  const { project, itemList } = detail
  if (project === null || project.length < 2) return detail
  const folder = `${project.replace(/\/$/, '')}/`
  const shorten = (about: string): string => about.replaceAll(folder, '')
  return { ...detail, itemList: itemList.map((item) => ({ ...item, about: shorten(item.about) })) }
}

function requestIn(text: string | null, last: number): number {
  const n = Number(text)
  return text !== null && Number.isInteger(n) && n >= 1 && n <= last ? n : last
}
