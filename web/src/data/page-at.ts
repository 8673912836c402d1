import type { ItemRow, ItemSpan } from '../../../src/dashboard/types.ts'

/** An item as a request showed it. */
export interface PageRow {
  readonly item: ItemRow
  readonly span: ItemSpan
  /** Shown in another way than in full. */
  readonly isRemoved: boolean
}

/** The context of a request: every item that the agent sent, in order. */
export function pageAt(items: readonly ItemRow[], request: number): readonly PageRow[] {
  const rows: PageRow[] = []
  for (const item of items) {
    const span = spanAt(item, request)
    if (span === undefined || span.shown === 'absent') continue
    if (isUnseen(item)) continue
    rows.push({ item, span, isRemoved: span.shown !== 'full' })
  }
  return rows
}

export function spanAt({ spans }: ItemRow, request: number): ItemSpan | undefined {
  return spans.find(({ from, to }) => from <= request && request <= to)
}

/** Whether an item is left out because an earlier one shows the same text. */
export function isElsewhere(items: readonly ItemRow[], item: ItemRow, by: string | null): boolean {
  if (by === null) return false
  const replacing = items.find(({ handle }) => handle === by)
  return replacing !== undefined && replacing.index < item.index
}

export interface PageChange {
  readonly kind: 'new' | 'gone' | 'changed'
  readonly item: ItemRow
  readonly before: ItemSpan | undefined
  readonly after: ItemSpan | undefined
}

/** What differs between the contexts of two requests, in order. */
export function pageChanges(
  items: readonly ItemRow[],
  earlier: number,
  later: number,
): readonly PageChange[] {
  const changes: PageChange[] = []
  for (const item of items) {
    if (isUnseen(item)) continue
    const before = sent(spanAt(item, earlier))
    const after = sent(spanAt(item, later))
    if (before === undefined && after === undefined) continue
    if (before === undefined) changes.push({ kind: 'new', item, before, after })
    else if (after === undefined) changes.push({ kind: 'gone', item, before, after })
    else if (before.shown !== after.shown || before.text !== after.text)
      changes.push({ kind: 'changed', item, before, after })
  }
  return changes
}

/** Markers without text are the agent's own, and no model sees them. */
function isUnseen({ kind, tokens }: ItemRow): boolean {
  return kind === 'marker' && tokens === 0
}

function sent(span: ItemSpan | undefined): ItemSpan | undefined {
  return span?.shown === 'absent' ? undefined : span
}
