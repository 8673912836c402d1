import { itemKey, type MemoryItem } from '../item.ts'
import { isReplaced, isRetracted, standing } from './as-of.ts'
import type { MemoryEvent } from './event.ts'
import type { ItemState, MemoryState } from './memory-state.ts'

/** Only an item that a user stated or imported may replace a user's item. */
export function isTrusted(item: MemoryItem): boolean {
  return item.source.origin === 'user' || item.source.origin === 'import'
}

/** The current chain of a key, by the time the items became true. Empty for a key with many values. */
function chainBeside(state: MemoryState, item: MemoryItem): readonly ItemState[] {
  const key = itemKey(item)
  if (key === undefined || state.cardinality(item) === 'many') return []
  return state
    .withKey(key)
    .filter((entry) => entry.item.id !== item.id && !isRetracted(entry))
    .sort((a, b) => compare(a.item, b.item))
}

function compare(a: MemoryItem, b: MemoryItem): number {
  return a.validFrom - b.validFrom || a.recordedAt - b.recordedAt
}

/** The next item of the key when another item is ignored. */
export function nextInChain(
  state: MemoryState,
  item: MemoryItem,
  without: string,
): ItemState | undefined {
  const trusted = isTrusted(item)
  return chainBeside(state, item).find(
    (entry) =>
      entry.item.id !== without &&
      compare(entry.item, item) > 0 &&
      (!trusted || isTrusted(entry.item)),
  )
}

/**
 * The links that insert an item into the chain of its key, by `validFrom`. An item that is recorded late goes between older
 * and newer ones and never replaces the current one.
 */
export function placeInChain(
  state: MemoryState,
  item: MemoryItem,
  at: number,
): { readonly events: readonly MemoryEvent[]; readonly supersedes: readonly string[] } {
  const chain = chainBeside(state, item)
  const trusted = isTrusted(item)
  const before = chain.findLast(
    (entry) => compare(entry.item, item) <= 0 && isTrusted(entry.item) === trusted,
  )
  const after = chain.find(
    (entry) => compare(entry.item, item) > 0 && (!trusted || isTrusted(entry.item)),
  )
  const events: MemoryEvent[] = []
  const supersedes: string[] = []
  const again = before && saidAgain(before, item, after?.item.validFrom, at)
  if (before) {
    const old = before.item.id
    const links = standing(before.replacedBy)
    const jumped = links.find((link) => link.new === after?.item.id)
    if (jumped) events.push({ kind: 'unlinked', at, old, new: jumped.new })
    if (links.length === (jumped ? 1 : 0)) {
      events.push({ kind: 'superseded', at, old, new: item.id, validAt: item.validFrom })
      supersedes.push(old)
    }
  }
  if (trusted)
    for (const guess of chain)
      if (!isTrusted(guess.item) && compare(guess.item, item) <= 0 && !isReplaced(guess)) {
        events.push({
          kind: 'superseded',
          at,
          old: guess.item.id,
          new: item.id,
          validAt: item.validFrom,
        })
        supersedes.push(guess.item.id)
      }
  const path = [item, ...(again ? [again] : []), ...(after ? [after.item] : [])]
  if (again) events.push({ kind: 'added', at, item: again })
  for (const [place, next] of path.slice(1).entries()) {
    const old = path[place]!.id
    if (!state.activeLink(old, next.id))
      events.push({ kind: 'superseded', at, old, new: next.id, validAt: next.validFrom })
  }
  return { events, supersedes }
}

/**
 * The item for a value that is true again after another one: it was said on Monday and on Friday, and the other one became
 * true on Wednesday.
 */
function saidAgain(
  before: ItemState,
  item: MemoryItem,
  until: number | undefined,
  at: number,
): MemoryItem | undefined {
  const later = before.reinforcements
    .filter(({ validAt }) => validAt > item.validFrom && (until === undefined || validAt < until))
    .toSorted((a, b) => a.validAt - b.validAt)[0]
  if (!later) return undefined
  const id = `${item.id}.again`
  return { ...before.item, id, source: later.source, validFrom: later.validAt, recordedAt: at }
}
