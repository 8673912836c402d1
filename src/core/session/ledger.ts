import type { Decision } from '../words/decision.ts'
import type { Ledger, LedgerEntry } from '../words/ledger.ts'

const none: readonly number[] = []

/** Mostly it is the newest. */
function insert(item: number, items: number[]): void {
  let at = items.length
  while (at > 0 && (items[at - 1] as number) > item) at--
  if (at === items.length) items.push(item)
  else items.splice(at, 0, item)
}

function put<Value>(list: (Value | undefined)[], at: number, value: Value): void {
  // One by one, so that the list has no holes.
  while (list.length <= at) list.push(undefined)
  list[at] = value
}

/** A ledger, empty or as it was written out; a ledger that was read back decides the same. */
export function createLedger(entries: readonly LedgerEntry[] = []): Ledger {
  const log: LedgerEntry[] = []
  /** By item. Lists, because every proposal asks, and items are numbered from 0. */
  const holding: (Decision | undefined)[] = []
  const reverted = new Set<number>()
  /** By item, what it replaced, in the order of the record. */
  const replaced: (number[] | undefined)[] = []

  function add(decision: Decision): void {
    forget(decision.item)
    const { item, handle, rendition, reason, strategy, by, turn } = decision
    log.push({ kind: 'decision', item, handle, rendition, reason, strategy, by, turn })
    put(holding, item, decision)
    if (by === null) return
    const items = replaced[by]
    if (items === undefined) put(replaced, by, [item])
    else insert(item, items)
  }

  function forget(item: number): void {
    const before = holding[item]
    if (before === undefined) return
    holding[item] = undefined
    const items = before.by === null ? undefined : replaced[before.by]
    if (items !== undefined) items.splice(items.indexOf(item), 1)
  }

  function keep(item: number, handle: string, turn: number): void {
    forget(item)
    reverted.add(item)
    log.push({ kind: 'revert', item, handle, turn })
  }

  function revert(item: number, turn: number): boolean {
    const decision = holding[item]
    if (decision === undefined) return false
    keep(item, decision.handle, turn)
    return true
  }

  for (const entry of entries) {
    if (entry.kind === 'revert') keep(entry.item, entry.handle, entry.turn)
    else if (entry.kind === 'decision') {
      const { kind: _, ...decision } = entry
      add(decision)
    } else log.push(entry)
  }

  return {
    entries: log,
    add,
    revert,
    keep,
    open: (epoch) => {
      log.push(epoch)
    },
    limit: (limit) => {
      log.push(limit)
    },
    restore: (entry) => {
      log.push(entry)
    },
    sent: (request) => {
      log.push(request)
    },
    of: (item) => holding[item],
    decided: () => holding.flatMap((decision) => decision?.item ?? []),
    isReverted: (item) => reverted.size > 0 && reverted.has(item),
    replacedBy(item) {
      const items = replaced[item]
      return items === undefined || items.length === 0 ? none : items.slice()
    },
  }
}
