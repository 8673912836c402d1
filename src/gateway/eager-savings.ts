import { createPage, type Page } from '../core/record/page.ts'
import { savedAt } from '../core/schedule/gate.ts'
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
  const { shared, changes } = request
  const isWarm =
    before !== null &&
    before.model === request.model &&
    regime.lifetimeMs !== null &&
    request.at - before.at <= regime.lifetimeMs
  const shown = Math.min(shared, firstDifference(before?.changes ?? [], changes))
  const cached = isWarm ? { original: shared, shown } : { original: 0, shown: 0 }
  return savedAt(0, { page: pageOf(request), regimes: [regime], cached: [cached] }, null)
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

/** The sizes of the messages, as they came and as they are shown. */
function pageOf({ read, lengths, changes }: EagerRequest): Page {
  const page = createPage()
  for (const [message, length] of lengths.entries()) page.push(message, length)
  for (const { message, item, text } of changes) {
    const original = read.messages[message]?.items[item]?.text.length ?? 0
    page.show(message, page.shownSize(message) - original + (text?.length ?? 0))
  }
  return page
}
