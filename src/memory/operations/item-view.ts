import type { MemoryItem, Scope } from '../item.ts'
import type { SearchHit } from '../search/search.ts'
import { itemHit } from '../search/search.ts'
import { type Status, statusAt } from '../state/as-of.ts'
import { confidenceAt } from '../state/confidence.ts'
import type { ItemState } from '../state/memory-state.ts'
import type { MemoryAccess } from './operation.ts'

/** An item as commands and tools show it. */
export type ItemView = ListedItem | ToolItem

/** An item as commands print it. One link is a string, several are a list. */
interface ListedItem {
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

/** An item as MCP tools return it. Links are always lists. */
interface ToolItem extends Omit<SearchHit, 'score' | 'at'> {
  readonly scope: string
  readonly category?: string
  readonly rationale?: string
  readonly confidence: number
  readonly validFrom: string
  readonly recordedAt: string
  readonly expiresAt?: string
}

export function itemView(
  { memory, caller }: MemoryAccess,
  entry: ItemState,
  status: Status = statusAt(entry, memory.now()),
): ItemView {
  const { score: _, at: __, ...hit } = itemHit(entry, status, 0)
  const { scope, category, rationale, validFrom, recordedAt, expiresAt } = entry.item
  const grouped = category === undefined ? {} : { category }
  const times = {
    confidence: Math.round(confidenceAt(entry, memory.now()) * 100) / 100,
    validFrom: new Date(validFrom).toISOString(),
    recordedAt: new Date(recordedAt).toISOString(),
  }
  if (caller === 'agent')
    return {
      ...hit,
      scope,
      ...grouped,
      ...(rationale === undefined ? {} : { rationale }),
      ...times,
      ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    }
  const { id, kind, text, key, value, current, supersedes, supersededBy, source } = hit
  return {
    id,
    kind,
    text,
    ...(key === undefined ? {} : { key }),
    ...(value === undefined ? {} : { value }),
    ...grouped,
    scope,
    current,
    status,
    ...(supersedes === undefined ? {} : { supersedes: oneOrMany(supersedes) }),
    ...(supersededBy === undefined ? {} : { supersededBy: oneOrMany(supersededBy) }),
    ...times,
    source,
  } as ListedItem
}

function oneOrMany(ids: readonly string[]): string | readonly string[] {
  return ids.length === 1 ? ids[0]! : ids
}

/** An item on one line: `preference_1a2b  style.indentation: 2 spaces  (superseded by …)`. */
export function itemLine(item: ItemView): string {
  const newer = [item.supersededBy ?? []].flat()
  const by = newer.length === 0 ? '' : ` by ${newer.join(', ')}`
  const mark = item.status === 'current' ? '' : `  (${item.status}${by})`
  const where = item.scope === 'user' ? '' : `  [${item.scope}]`
  return `${item.id}  ${item.text}${where}${mark}`
}
