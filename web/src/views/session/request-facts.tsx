import type { ComponentChildren } from 'preact'
import type { CacheState, RequestPoint } from '../../../../src/dashboard/types.ts'
import { dollars, duration, percent, savedShare, time, tokens } from '../../data/format.ts'
import { epochName } from '../../data/kinds.ts'
import { visible } from '../../data/visible-text.ts'

/** What one request sent, what its cache did, and why. */
export function RequestFacts({ request }: { readonly request: RequestPoint }) {
  const { tokens: sizes, usage, cache, epoch, bypass, savedDollars } = request
  return (
    <dl class="facts" aria-label={`Request ${request.n}`}>
      <Fact name="Sent">
        {tokens(sizes.with)} of {tokens(sizes.without)} tokens{' '}
        <span class="muted">({percent(savedShare(sizes))} less)</span>
      </Fact>
      <Fact name="When">
        {time(request.at)}
        {request.model !== null && <span class="muted"> · {visible(request.model)}</span>}
      </Fact>
      <Fact name="Cache">
        {cache === null ? 'not known' : cacheText(cache)}
        {usage !== null && (
          <span class="muted">
            {' '}
            · {tokens(usage.cacheRead)} read, {tokens(usage.cacheWrite)} written
          </span>
        )}
      </Fact>
      {savedDollars !== null && (
        <Fact name="Saved">
          <span class={savedDollars < 0 ? 'bad' : ''}>{dollars(savedDollars)}</span>
        </Fact>
      )}
      {epoch !== null && (
        <Fact name="Epoch">
          {epochName(epoch.reason)}{' '}
          <span class="muted">
            · {tokens(epoch.removedTokens)} removed, {tokens(epoch.rewrittenTokens)} written again,{' '}
            {epoch.dollars === 0 ? 'at no cost' : `cost ${dollars(epoch.dollars)}`}
          </span>
        </Fact>
      )}
      {bypass !== null && (
        <Fact name="Sent unchanged">
          <span class="bad">{visible(bypass)}</span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function cacheText({ outcome, cause, idleMs }: CacheState): string {
  const what = { hit: 'hit', part: 'part read', miss: 'miss' }[outcome]
  if (cause === null) return what
  const why = {
    first: 'nothing was cached yet',
    idle: `idle for ${idleMs === null ? 'too long' : duration(idleMs)}`,
    model: 'the model changed',
    'rewritten by the client': 'the agent rewrote its history',
    'rewritten by an epoch': 'an epoch rewrote it',
    unknown: 'cause unknown',
  }[cause]
  return `${what}: ${why}`
}
