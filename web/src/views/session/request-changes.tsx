import { useMemo, useState } from 'preact/hooks'
import {
  apiPaths,
  type ItemDetail,
  type ItemSpan,
  type SessionDetail,
} from '../../../../src/dashboard/types.ts'
import { count, tokens } from '../../data/format.ts'
import { shownName } from '../../data/kinds.ts'
import { type PageChange, pageChanges } from '../../data/page-at.ts'
import { visible } from '../../data/visible-text.ts'
import { LineDiff } from '../../parts/line-diff.tsx'
import { Read } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'

interface RequestChangesProps {
  readonly detail: SessionDetail
  readonly at: number
  readonly other: number
  choose(other: number): void
  close(): void
}

/** Two requests compared: what is new, what is gone, what is shown in another way. */
export function RequestChanges({ detail, at, other, choose, close }: RequestChangesProps) {
  const [earlier, later] = [Math.min(at, other), Math.max(at, other)]
  const changes = useMemo(
    () => pageChanges(detail.itemList, earlier, later),
    [detail, earlier, later],
  )
  const [handle, setHandle] = useState<string | null>(null)
  const chosen = changes.find(({ item }) => item.handle === handle)
  const counted = (kind: PageChange['kind']): number =>
    changes.filter((change) => change.kind === kind).length
  return (
    <section class="card" aria-labelledby="changes-heading">
      <div class="card-head">
        <h2 id="changes-heading">
          Request {earlier} against request {later}
        </h2>
        <button type="button" class="button small" onClick={close}>
          Back to the context
        </button>
      </div>
      <div class="filters">
        <label class="field">
          <span>Compare with request</span>
          <input
            type="number"
            min={1}
            max={detail.requests.length}
            value={other}
            onChange={(event) => {
              const n = Number(event.currentTarget.value)
              if (n >= 1 && n <= detail.requests.length) choose(Math.round(n))
            }}
          />
        </label>
        <p class="muted" role="status">
          {count(counted('new'), 'new item')}, {counted('gone')} gone, {counted('changed')} shown in
          another way
        </p>
      </div>
      {changes.length === 0 ? (
        <p class="muted">Both requests have the same context.</p>
      ) : (
        <div class="page-columns has-item">
          <VirtualList
            label="Changes"
            rows={changes}
            rowHeight={44}
            keyOf={({ item }) => item.handle}
            selected={handle}
            select={({ item }) => setHandle(item.handle)}
          >
            {(change) => <ChangeLine change={change} />}
          </VirtualList>
          <div class="change-detail">
            {chosen === undefined ? (
              <p class="muted">Choose a change to see it line by line.</p>
            ) : (
              <Read<ItemDetail> path={apiPaths.item(detail.key, chosen.item.handle)}>
                {({ text }) => (
                  <LineDiff
                    before={textAt(chosen.before, text)}
                    after={textAt(chosen.after, text)}
                  />
                )}
              </Read>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

function ChangeLine({ change: { kind, item, before, after } }: { readonly change: PageChange }) {
  const sign = { new: '+', gone: '−', changed: '±' }[kind]
  const how =
    kind === 'changed' ? `${shownName(before?.shown ?? '')} → ${shownName(after?.shown ?? '')}` : ''
  return (
    <div class={`change-line ${kind}`}>
      <span class="change-sign">
        <span aria-hidden="true">{sign}</span>
        <span class="sr-only">{kind}</span>
      </span>
      <bdi class="item-name">{visible(item.about) || item.kind}</bdi>
      <span class="item-size">
        {before === undefined ? '' : tokens(before.tokens)}
        {kind === 'changed' ? ' → ' : ''}
        {after === undefined ? '' : tokens(after.tokens)}
      </span>
      <span class="item-second">{how}</span>
    </div>
  )
}

function textAt(span: ItemSpan | undefined, original: string): string {
  if (span === undefined) return ''
  return span.shown === 'full' ? original : (span.text ?? '')
}
