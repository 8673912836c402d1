import type { MemoryItem, Scope } from '../memory/item.ts'
import { type Status, standingLinks, statusAt } from '../memory/state/as-of.ts'
import { confidenceAt } from '../memory/state/confidence.ts'
import type { ItemState } from '../memory/state/memory-state.ts'

/** An item as commands print it. One link is a name, several are a list. */
export interface ListedItem {
  readonly id: string
  readonly kind: MemoryItem['kind']
  readonly text: string
  readonly key?: string
  readonly value?: string
  readonly category?: string
  readonly scope: Scope
  readonly current: boolean
  readonly status: Status
  readonly supersedes?: string | readonly string[]
  readonly supersededBy?: string | readonly string[]
  readonly confidence: number
  readonly validFrom: string
  readonly recordedAt: string
  readonly source: MemoryItem['source']
}

export function listedItem(
  entry: ItemState,
  now: number,
  status: Status = statusAt(entry, now),
): ListedItem {
  const { item } = entry
  const older = names(standingLinks(entry.replaces).map((link) => link.old))
  const newer = names(standingLinks(entry.replacedBy).map((link) => link.new))
  return {
    id: item.id,
    kind: item.kind,
    text: item.text,
    ...(item.attribute === undefined ? {} : { key: item.attribute }),
    ...(item.value === undefined ? {} : { value: item.value }),
    ...(item.category === undefined ? {} : { category: item.category }),
    scope: item.scope,
    current: status === 'current',
    status,
    ...(older === undefined ? {} : { supersedes: older }),
    ...(newer === undefined ? {} : { supersededBy: newer }),
    confidence: Math.round(confidenceAt(entry, now) * 100) / 100,
    validFrom: new Date(item.validFrom).toISOString(),
    recordedAt: new Date(item.recordedAt).toISOString(),
    source: item.source,
  }
}

function names(ids: readonly string[]): string | readonly string[] | undefined {
  return ids.length > 1 ? ids : ids[0]
}

/** An item on one line: `preference_1a2b  style.indentation: 2 spaces  (superseded by …)`. */
export function itemLine(item: ListedItem): string {
  const mark =
    item.status === 'current'
      ? ''
      : `  (${item.status}${item.supersededBy === undefined ? '' : ` by ${[item.supersededBy].flat().join(', ')}`})`
  const where = item.scope === 'user' ? '' : `  [${item.scope}]`
  return `${item.id}  ${item.text}${where}${mark}`
}
