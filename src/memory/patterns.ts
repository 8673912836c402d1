import { comparable } from './comparable.ts'
import { itemKey } from './item.ts'
import type { Place } from './observe.ts'
import { isRetracted, standing } from './state/as-of.ts'
import type { ItemState, MemoryState } from './state/memory-state.ts'
import { openFlags, visibleItems } from './visible.ts'

/** A property that changes often, with advice for the agent. */
export interface UnstableKey {
  readonly kind: string
  readonly scope: string
  readonly key: string
  readonly values: readonly string[]
  readonly changes: number
  /** Changes back to an earlier value. */
  readonly flipFlops: number
  /** Median time that a value was current. */
  readonly medianDays: number
  readonly advice: string
}

export interface Patterns {
  readonly unstable: readonly UnstableKey[]
  readonly categories: readonly {
    readonly category: string
    readonly items: number
    readonly conflicts: number
  }[]
  /** Supersessions, retractions and endings per week. `week` is its Monday. */
  readonly corrections: readonly { readonly week: string; readonly count: number }[]
  readonly openFlags: number
}

const dayMs = 86_400_000
/** A property with this many changes is unstable. */
const oftenChanged = 3
const manyConflicts = 3

/** Finds properties and categories that change often; with a place, only among the items visible there. */
export function findPatterns(state: MemoryState, place?: Place): Patterns {
  const entries = visibleItems(state, place)
  const byKey = new Map<string, ItemState[]>()
  for (const entry of entries) {
    const key = itemKey(entry.item) ?? chainKey(state, entry)
    if (key === undefined || isRetracted(entry)) continue
    byKey.set(key, [...(byKey.get(key) ?? []), entry])
  }
  const unstable = [...byKey.values()]
    .map(describeKey)
    .filter((found) => found.changes >= oftenChanged || found.flipFlops > 0)
    .toSorted((a, b) => b.changes - a.changes || (a.key < b.key ? -1 : 1))
  return {
    unstable,
    categories: categoriesOf(entries),
    corrections: correctionsByWeek(entries),
    openFlags: openFlags(state, place).length,
  }
}

/** Items without a key are grouped by their chain. */
function chainKey(state: MemoryState, entry: ItemState): string | undefined {
  let first = entry
  const seen = new Set<ItemState>()
  for (;;) {
    const [link] = standing(first.replaces)
    const older = link && state.items.get(link.old)
    if (!older || seen.has(older)) break
    seen.add(older)
    first = older
  }
  const linked = first !== entry || standing(first.replacedBy).length > 0
  return linked ? `chain\u001f${first.item.id}` : undefined
}

function describeKey(entries: readonly ItemState[]): UnstableKey {
  const ordered = entries.toSorted((a, b) => a.item.validFrom - b.item.validFrom)
  const values = ordered.map(({ item }) => item.value ?? item.text)
  const changes = values
    .slice(1)
    .filter((value, at) => comparable(value) !== comparable(values[at]!)).length
  const seen = new Set<string>()
  let flipFlops = 0
  for (const [at, value] of values.entries()) {
    const plain = comparable(value)
    if (at > 0 && plain !== comparable(values[at - 1]!) && seen.has(plain)) flipFlops++
    seen.add(plain)
  }
  const spans = ordered
    .slice(1)
    .map(({ item }, at) => item.validFrom - ordered[at]!.item.validFrom)
    .toSorted((a, b) => a - b)
  const { item } = ordered[0]!
  const key = item.attribute ?? item.text
  return {
    kind: item.kind,
    scope: item.scope,
    key,
    values,
    changes,
    flipFlops,
    medianDays: (spans[Math.floor(spans.length / 2)] ?? 0) / dayMs,
    advice: adviceFor(item.kind, key, values, flipFlops),
  }
}

function adviceFor(
  kind: string,
  key: string,
  values: readonly string[],
  flipFlops: number,
): string {
  const options = [...new Set(values)].slice(-3).join(' or ')
  const name = key.replaceAll('_', ' ')
  if (kind === 'decision')
    return `often reversed: before building on it, ask whether ${options} still holds`
  return flipFlops > 0
    ? `goes back and forth: ask “${options}?” before relying on the ${name}`
    : `changes often: confirm the ${name} at the start of a task`
}

function categoriesOf(entries: readonly ItemState[]): Patterns['categories'] {
  const found = new Map<string, { items: number; conflicts: number }>()
  for (const entry of entries) {
    const category = entry.item.category ?? 'general'
    const count = found.get(category) ?? { items: 0, conflicts: 0 }
    count.items++
    count.conflicts += standing(entry.replacedBy).length
    found.set(category, count)
  }
  return [...found]
    .filter(([, { conflicts }]) => conflicts >= manyConflicts)
    .map(([category, count]) => ({ category, ...count }))
    .toSorted((a, b) => b.conflicts - a.conflicts || (a.category < b.category ? -1 : 1))
}

function correctionsByWeek(entries: readonly ItemState[]): Patterns['corrections'] {
  const weeks = new Map<string, number>()
  for (const entry of entries)
    for (const { recordedAt } of [...entry.replacedBy, ...entry.retractions, ...entry.endings]) {
      const week = mondayOf(recordedAt)
      weeks.set(week, (weeks.get(week) ?? 0) + 1)
    }
  return [...weeks]
    .map(([week, count]) => ({ week, count }))
    .toSorted((a, b) => (a.week < b.week ? -1 : 1))
}

function mondayOf(time: number): string {
  const day = new Date(time)
  const sinceMonday = (day.getUTCDay() + 6) % 7
  return new Date(time - sinceMonday * dayMs).toISOString().slice(0, 10)
}
