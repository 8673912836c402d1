import { attributeKey } from '../attribute-key.ts'
import { comparable } from '../comparable.ts'
import { itemKey, type MemoryItem, scopeKind } from '../item.ts'
import { readWords } from '../understand/words.ts'
import { statusAt } from './as-of.ts'
import type { ItemState, MemoryState } from './memory-state.ts'

const negative =
  /\b(?:not|never|no|without|avoid|stop|don't|doesn't|isn't|aren't|won't|can't|shouldn't|mustn't)\b/i
const stopWords = new Set(
  "a an the to of in on at for with and or but is are be been am do does did not never no always please use using don't doesn't isn't aren't won't can't we i you it this that our my your from now should must have has will make sure remember going forward ever".split(
    ' ',
  ),
)
/** How much of the shorter text must be in the other. */
const enoughShared = 0.75
const fewestShared = 2

function content(text: string): ReadonlySet<string> {
  return new Set(
    readWords(text)
      .words.map((word) => word.lower.replace(/(?:ing|ed|es|s)$/, ''))
      .filter((word) => word.length > 1 && !stopWords.has(word)),
  )
}

/**
 * A current item with another value of an attribute that may have one value or many. Both stay until a review, once per
 * key.
 */
export function findUndecided(
  state: MemoryState,
  item: MemoryItem,
  now: number,
): ItemState | undefined {
  const key = itemKey(item)
  if (key === undefined || item.attribute === undefined || item.kind === 'preference')
    return undefined
  if (state.cardinality(item) === 'single' || state.cardinalities.has(attributeKey(item.attribute)))
    return undefined
  const isAsked = [...state.flags.values()].some(({ items }) =>
    items.some((id) => {
      const flagged = state.items.get(id)?.item
      return flagged !== undefined && itemKey(flagged) === key
    }),
  )
  if (isAsked) return undefined
  return state
    .withKey(key)
    .find(
      (entry) =>
        entry.item.id !== item.id &&
        comparable(entry.item.value ?? '') !== comparable(item.value ?? '') &&
        statusAt(entry, now) === 'current',
    )
}

/** A current item without the same key that says the opposite of a new one in nearly the same words. */
export function findContradiction(
  state: MemoryState,
  item: MemoryItem,
  now: number,
): ItemState | undefined {
  if (item.attribute !== undefined) return undefined
  const words = content(item.text)
  const denies = negative.test(item.text)
  for (const entry of state.items.values()) {
    const other = entry.item
    if (other.id === item.id || other.kind !== item.kind || other.attribute !== undefined) continue
    // Items of different projects do not contradict each other.
    if (other.scope !== item.scope && scopeKind(other.scope) === scopeKind(item.scope)) continue
    if (negative.test(other.text) === denies || statusAt(entry, now) !== 'current') continue
    const others = content(other.text)
    const shared = [...words].filter((word) => others.has(word)).length
    if (shared >= fewestShared && shared >= enoughShared * Math.min(words.size, others.size))
      return entry
  }
  return undefined
}
