import { attributeKey } from '../attribute-key.ts'
import { comparable } from '../comparable.ts'
import { itemKey, type MemoryItem, scopeKind } from '../item.ts'
import { isNumber } from '../understand/values.ts'
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

/** A current item that contradicts a new one, judging by their words. Both stay until a review. */
export function contradicts(
  state: MemoryState,
  item: MemoryItem,
  now: number,
): ItemState | undefined {
  return findContradiction(state, item, now) ?? findUndecided(state, item, now)
}

/**
 * A current item with another value of an attribute that may have one value or many. Both stay until a review, once per
 * key.
 */
function findUndecided(state: MemoryState, item: MemoryItem, now: number): ItemState | undefined {
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

/** For an item without a key: a current item that says the opposite, or another number, in nearly the same words. */
function findContradiction(
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
    if (statusAt(entry, now) !== 'current') continue
    if (differsInNumber(item.text, other.text)) return entry
    if (negative.test(other.text) === denies) continue
    const others = content(other.text)
    const shared = [...words].filter((word) => others.has(word)).length
    if (shared >= fewestShared && shared >= enoughShared * Math.min(words.size, others.size))
      return entry
  }
  return undefined
}

/** Whether two texts have the same words, but for their numbers: `retry three times` and `retry five times`. */
function differsInNumber(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) =>
    readWords(text).words.map(({ lower }) => lower),
  )
  if (first === undefined || second === undefined || first.length !== second.length) return false
  const differing = first.filter((word, at) => word !== second[at])
  return (
    differing.length > 0 &&
    first.length >= fewestShared + differing.length &&
    first.every((word, at) => word === second[at] || (isNumber(word) && isNumber(second[at] ?? '')))
  )
}
