import { useMemo } from 'preact/hooks'
import type { RequestPoint, SessionDetail } from '../../../../src/dashboard/types.ts'
import { tokens } from '../../data/format.ts'
import { epochName } from '../../data/kinds.ts'
import { cacheText } from './request-facts.tsx'

interface SessionEventsProps {
  readonly detail: SessionDetail
  readonly at: number
  jump(request: number): void
}

/** The requests at which something happened, to jump to; the same marks as in the chart, in words. */
export function SessionEvents({ detail, at, jump }: SessionEventsProps) {
  const events = useMemo(() => detail.requests.flatMap(eventsOf), [detail])
  if (events.length === 0) return null
  return (
    <details class="events">
      <summary>
        {events.length === 1 ? 'One event' : `${events.length} events`}: epochs, cache misses,
        originals fetched back
      </summary>
      <ul>
        {events.map(({ n, kind, text }) => (
          <li key={`${n} ${kind}`}>
            <button
              type="button"
              class="link"
              aria-current={n === at ? 'true' : undefined}
              onClick={() => jump(n)}
            >
              Request {n}
            </button>
            <span class={`dot ${kind}`} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface SessionEvent {
  readonly n: number
  readonly kind: 'epoch' | 'miss' | 'restored' | 'bypass'
  readonly text: string
}

function eventsOf({ n, epoch, cache, restored, bypass }: RequestPoint): readonly SessionEvent[] {
  const events: SessionEvent[] = []
  if (epoch !== null)
    events.push({
      n,
      kind: 'epoch',
      text: `Epoch, ${epochName(epoch.reason)}: ${tokens(epoch.removedTokens)} tokens removed`,
    })
  if (cache !== null && cache.outcome !== 'hit')
    events.push({ n, kind: 'miss', text: `Cache ${cacheText(cache)}` })
  if (restored > 0)
    events.push({ n, kind: 'restored', text: `${restored} fetched back before this request` })
  if (bypass !== null) events.push({ n, kind: 'bypass', text: `Sent unchanged: ${bypass}` })
  return events
}
