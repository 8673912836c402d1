import {
  apiPaths,
  type ItemAction,
  type ItemDetail,
  type ItemRow,
  type SessionDetail,
} from '../../../../src/dashboard/types.ts'
import { act } from '../../data/actions.ts'
import { refresh } from '../../data/answers.ts'
import { report, token } from '../../data/api.ts'
import { tokens } from '../../data/format.ts'
import { kindNames, reasonName, shownName } from '../../data/kinds.ts'
import { isElsewhere, spanAt } from '../../data/page-at.ts'
import { visible } from '../../data/visible-text.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Read } from '../../parts/states.tsx'

interface ItemPanelProps {
  readonly detail: SessionDetail
  readonly at: number
  readonly handle: string | null
  open(handle: string | null): void
  show(request: number): void
}

/** One item: its original, what was sent instead, its chain, and what can be done with it. */
export function ItemPanel({ detail, at, handle, open, show }: ItemPanelProps) {
  const item = handle === null ? undefined : detail.itemList.find((each) => each.handle === handle)
  if (item === undefined)
    return (
      <aside class="card item-panel empty" aria-label="Item">
        <p class="muted">
          Choose an item to see its original, why it was removed, and what replaced it. Arrow keys
          move through the list.
        </p>
      </aside>
    )
  return (
    <aside class="card item-panel" aria-label={`Item ${item.handle}`}>
      <div class="card-head">
        <h2>
          <span class={`swatch kind-${item.contextKind}`} aria-hidden="true" />{' '}
          <bdi>{visible(item.about) || item.kind}</bdi>
        </h2>
        <button type="button" class="button small" onClick={() => open(null)}>
          Close
        </button>
      </div>
      <p class="muted">
        {kindNames[item.contextKind]} · {tokens(item.tokens)} tokens · turn {item.turn} · handle{' '}
        <code>{item.handle}</code>
      </p>
      <SentInstead item={item} items={detail.itemList} at={at} open={open} />
      <Actions session={detail.key} item={item} />
      <Read<ItemDetail> path={apiPaths.item(detail.key, item.handle)}>
        {(found) => (
          <>
            <Chain detail={detail} found={found} open={open} show={show} />
            <section>
              <div class="card-head">
                <h3>Original</h3>
                <CopyButton text={found.text} what="original" />
              </div>
              <Scroll label="Original" class="code original">
                <pre>{visible(found.text) || '(empty)'}</pre>
              </Scroll>
            </section>
            {found.retention !== null && (
              <p class="muted">Under pressure it counts as {found.retention}.</p>
            )}
            {found.need !== null && <p class="muted">{visible(found.need)}</p>}
            <p class="muted">
              The agent brings it back with <code>{visible(found.restore)}</code>
            </p>
          </>
        )}
      </Read>
    </aside>
  )
}

function SentInstead({
  item,
  items,
  at,
  open,
}: {
  readonly item: ItemRow
  readonly items: readonly ItemRow[]
  readonly at: number
  open(handle: string): void
}) {
  const span = spanAt(item, at)
  const by = span?.by ?? null
  const isEarlier = isElsewhere(items, item, by)
  if (span === undefined) return <p>Request {at} does not have it yet.</p>
  if (span.shown === 'full') return <p>Request {at} shows it in full.</p>
  if (span.shown === 'absent') return <p>The agent did not send it with request {at}.</p>
  return (
    <section>
      <h3>Sent instead at request {at}</h3>
      <p>
        <span class="badge warn">{shownName(span.shown)}</span> because{' '}
        {reasonName(span.reason, isEarlier)}
        {span.strategy !== null && <span class="muted"> · {span.strategy}</span>}
        {by !== null && (
          <>
            {' '}
            ·{' '}
            <button type="button" class="link" onClick={() => open(by)}>
              {isEarlier ? 'where it stands' : 'what replaced it'}
            </button>
          </>
        )}
      </p>
      {span.text === null ? (
        <p class="muted">Nothing: the whole item was left out.</p>
      ) : (
        <pre class="code wrap">{visible(span.text)}</pre>
      )}
    </section>
  )
}

function Actions({ session, item }: { readonly session: string; readonly item: ItemRow }) {
  if (report.value !== null) return null
  const isReadOnly = token.value === null
  const last = item.spans.at(-1)
  const isRemoved = last !== undefined && last.shown !== 'full' && last.shown !== 'absent'
  const send = async (what: 'restore' | 'protect'): Promise<void> => {
    const body: ItemAction = { handle: item.handle }
    await act(`${apiPaths.session(session)}/${what}`, body)
    await refresh(apiPaths.session(session))
  }
  return (
    <div class="actions">
      <button
        type="button"
        class="button"
        disabled={isReadOnly || !isRemoved}
        onClick={() => void send('restore')}
      >
        Restore
      </button>
      <button
        type="button"
        class="button"
        disabled={isReadOnly || item.isProtected}
        onClick={() => void send('protect')}
      >
        {item.isProtected ? 'Protected' : 'Protect'}
      </button>
      <small class="muted">
        {isReadOnly
          ? 'Read-only: open the address that serve prints to restore or protect.'
          : 'Restore shows the original again from the next request on. Protect keeps it from being removed.'}
      </small>
    </div>
  )
}

function Chain({
  detail,
  found,
  open,
}: {
  readonly detail: SessionDetail
  readonly found: ItemDetail
  open(handle: string): void
  show(request: number): void
}) {
  if (found.replacedBy.length === 0 && found.replaces.length === 0) return null
  const links = (handles: readonly string[]) =>
    handles.map((handle) => (
      <li key={handle}>
        <button type="button" class="link" onClick={() => open(handle)}>
          <bdi>{nameOf(detail, handle)}</bdi>
        </button>
      </li>
    ))
  return (
    <section class="chain">
      <h3>Chain</h3>
      {found.replacedBy.length > 0 && (
        <>
          <p class="muted">Replaced by, the newest last</p>
          <ol>{links(found.replacedBy)}</ol>
        </>
      )}
      {found.replaces.length > 0 && (
        <>
          <p class="muted">Replaces</p>
          <ul>{links(found.replaces)}</ul>
        </>
      )}
    </section>
  )
}

function nameOf(detail: SessionDetail, handle: string): string {
  const item = detail.itemList.find((each) => each.handle === handle)
  return item === undefined ? handle : `${visible(item.about)} · turn ${item.turn} · ${handle}`
}
