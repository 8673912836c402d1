import { useMemo, useState } from 'preact/hooks'
import type { ItemRow, SessionDetail } from '../../../../src/dashboard/types.ts'
import { count, tokens } from '../../data/format.ts'
import { reasonName, shownName } from '../../data/kinds.ts'
import { isElsewhere, type PageRow } from '../../data/page-at.ts'
import { searched, searchTexts } from '../../data/search-items.ts'
import { visible } from '../../data/visible-text.ts'
import { Choice } from '../../parts/choice.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'

type Filter = 'all' | 'shown' | 'removed' | 'heaviest'

interface PageListProps {
  readonly detail: SessionDetail
  readonly at: number
  readonly rows: readonly PageRow[]
  /** The handle of an item. */
  readonly selected: string | null
  open(handle: string): void
  compare(): void
}

/** The context as the model saw it at a request: every item in order, removed ones struck. */
export function PageList(props: PageListProps) {
  const { detail, at, rows, selected, open, compare } = props
  const [filter, setFilter] = useState<Filter>('all')
  const [query, setQuery] = useState('')
  const inTexts = searched.value
  const found = useMemo(() => {
    const indices = inTexts.query === query.trim() ? inTexts.indices : null
    return arranged(rows, filter).filter((row) => matches(row, query, indices))
  }, [rows, filter, query, inTexts])
  const removed = useMemo(() => rows.filter(({ isRemoved }) => isRemoved).length, [rows])
  return (
    <section class="card page-list" aria-labelledby="page-heading">
      <div class="card-head">
        <h2 id="page-heading">Context at request {at}</h2>
        <button type="button" class="button small" onClick={compare}>
          Compare with another request
        </button>
      </div>
      <div class="filters">
        <SearchField
          value={query}
          placeholder="Text, file, tool or handle"
          search={(text) => {
            setQuery(text)
            searchTexts(detail, text)
          }}
        />
        <Choice
          label="Show"
          value={filter}
          options={[
            ['all', 'All'],
            ['shown', 'In full'],
            ['removed', 'Removed'],
            ['heaviest', 'Heaviest'],
          ]}
          choose={(next) => setFilter(next)}
        />
        <p class="muted" role="status">
          {count(found.length, 'item')}
          {filter === 'all' && query === '' && `, ${removed} removed`}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty title="Nothing matches">
          <p>{query === '' ? 'Nothing of this kind is in the request.' : 'Try another word.'}</p>
        </Empty>
      ) : (
        <VirtualList
          label={`Items of request ${at}`}
          rows={found}
          rowHeight={56}
          keyOf={({ item }) => item.handle}
          selected={selected}
          select={({ item }) => open(item.handle)}
        >
          {(row) => <ItemLine row={row} items={detail.itemList} />}
        </VirtualList>
      )}
    </section>
  )
}

interface ItemLineProps {
  readonly row: PageRow
  readonly items: readonly ItemRow[]
}

function ItemLine({ row: { item, span, isRemoved }, items }: ItemLineProps) {
  const why = reasonName(span.reason, isElsewhere(items, item, span.by))
  const size = isRemoved ? `${tokens(item.tokens)} → ${tokens(span.tokens)}` : tokens(item.tokens)
  const second = isRemoved
    ? `${shownName(span.shown)}: ${why}${span.by === null ? '' : ` (${span.by})`}`
    : restOf(item)
  return (
    <div class={isRemoved ? 'item-line removed' : 'item-line'}>
      <span class={`kind-edge kind-${item.contextKind}`} aria-hidden="true" />
      <span class="item-about">
        {item.isError && <span class="badge warn">failed</span>}
        {item.isProtected && <span class="badge">protected</span>}
        <bdi class="item-name">{visible(item.about) || item.kind}</bdi>
      </span>
      <span class="item-size">{size}</span>
      <bdi class="item-second">{visible(second)}</bdi>
      <span class="item-handle">
        {item.kind === 'text' ? '' : `${item.kind} · `}
        {item.handle} · turn {item.turn}
      </span>
    </div>
  )
}

/** The text after the part that the first line shows. */
function restOf({ about, preview }: PageRow['item']): string {
  const text = preview.replace(/\s+/g, ' ').trim()
  const begin = about.replace(/…$/, '').trim()
  return text.startsWith(begin) ? text.slice(begin.length).trim() : text
}

function arranged(rows: readonly PageRow[], filter: Filter): readonly PageRow[] {
  switch (filter) {
    case 'all':
      return rows
    case 'shown':
      return rows.filter(({ isRemoved }) => !isRemoved)
    case 'removed':
      return rows.filter(({ isRemoved }) => isRemoved)
    case 'heaviest':
      return rows
        .filter(({ span }) => span.tokens > 0)
        .sort((one, other) => other.span.tokens - one.span.tokens)
        .slice(0, 50)
  }
}

function matches({ item }: PageRow, query: string, inTexts: ReadonlySet<number> | null): boolean {
  const words = query.trim().toLowerCase()
  if (words === '') return true
  if (inTexts?.has(item.index) === true) return true
  return (
    item.handle.startsWith(words) ||
    item.about.toLowerCase().includes(words) ||
    item.preview.toLowerCase().includes(words) ||
    (item.tool ?? '').toLowerCase().includes(words)
  )
}
