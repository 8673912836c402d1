import { priceOf } from '../core/schedule/bank.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Body, RequestRead } from '../formats/format.ts'

/** The last request that went out, as the provider may still have it. */
export interface PassedPage {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly model: string | null
  readonly changes: readonly ProjectedChange[]
}

export interface EagerRequest extends PassedPage {
  readonly read: RequestRead<Body>
  /** Characters of each of its messages, as they came. */
  readonly lengths: readonly number[]
  /** How many of its messages are those of the request before. */
  readonly shared: number
}

/**
 * What a request costs less than without us, in characters at the base price; less than nothing where the provider had more
 * of it. Where changes are made at once, the engine keeps no books: nothing is decided by them.
 */
export function savedEagerly(
  request: EagerRequest,
  before: PassedPage | null,
  regime: Regime,
): number {
  const { lengths, shared, changes } = request
  const isWarm =
    before !== null &&
    before.model === request.model &&
    regime.lifetimeMs !== null &&
    request.at - before.at <= regime.lifetimeMs
  const unchanged = isWarm ? Math.min(shared, firstDifference(before.changes, changes)) : 0
  const readWithout = isWarm ? charactersOf(lengths, shared) : 0
  const readWith = charactersOf(lengths, unchanged) - removedBefore(unchanged, request)
  const all = charactersOf(lengths, lengths.length)
  const shown = all - removedBefore(lengths.length, request)
  const without = priceOf(regime, { read: readWithout, written: all - readWithout })
  return without - priceOf(regime, { read: readWith, written: shown - readWith })
}

/** The first message that two requests show differently; both have their changes in the order of the messages. */
function firstDifference(
  one: readonly ProjectedChange[],
  other: readonly ProjectedChange[],
): number {
  let at = 0
  while (at < one.length && at < other.length && isSame(one[at], other[at])) at++
  return Math.min(one[at]?.message ?? Infinity, other[at]?.message ?? Infinity)
}

function isSame(one: ProjectedChange | undefined, other: ProjectedChange | undefined): boolean {
  if (one === other) return true
  return one?.message === other?.message && one?.item === other?.item && one?.text === other?.text
}

function removedBefore(end: number, { read, changes }: EagerRequest): number {
  let removed = 0
  for (const { message, item, text } of changes) {
    if (message >= end) break
    const original = read.messages[message]?.items[item]?.text.length ?? 0
    removed += original - (text?.length ?? 0)
  }
  return removed
}

function charactersOf(lengths: readonly number[], messages: number): number {
  let characters = 0
  for (let at = 0; at < messages; at++) characters += lengths[at] ?? 0
  return characters
}
