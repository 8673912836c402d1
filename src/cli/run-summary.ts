import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import { addToList } from '../core/words/lists.ts'
import { createTotals } from '../dashboard/receipt-totals.ts'
import type { Totals } from '../dashboard/types.ts'
import type { RequestReport } from '../gateway/index.ts'
import { priceReceipts } from '../report/priced-receipts.ts'
import type { Store, StoredSession } from '../store/index.ts'
import { money, percent, plural, short } from './figures.ts'

/** What one run saved. */
export interface RunSummary {
  readonly totals: Totals
  /** Items that are shown shorter than they came, and how many of their originals cannot be found. */
  readonly shortened: number
  readonly lost: number
  /** The session with the most requests, as short as it is unique; null without one. */
  readonly session: string | null
}

export async function summaryOf(
  reports: readonly RequestReport[],
  store: Store,
  models: readonly ModelOverride[] | undefined,
): Promise<RunSummary> {
  const bySession = new Map<string, RequestReport[]>()
  for (const report of reports) addToList(bySession, report.session ?? '', report)
  const totals = createTotals(models)
  for (const [session, list] of bySession)
    for (const priced of priceReceipts(list, models)) totals.add(priced, session)
  const stored = await store.sessions()
  const used = stored.filter(({ id }) => bySession.has(id))
  let shortened = 0
  let lost = 0
  for (const session of used) {
    const handles = await shortenedIn(store, session)
    shortened += handles.length
    for (const handle of handles)
      if ((await store.original(handle, session)).kind === 'absent') lost++
  }
  const main = used.toSorted(
    (one, other) => (bySession.get(other.id)?.length ?? 0) - (bySession.get(one.id)?.length ?? 0),
  )[0]
  const session =
    main === undefined
      ? null
      : uniquePrefix(
          main.id,
          stored.map(({ id }) => id),
        )
  return { totals: totals.totals(), shortened, lost, session }
}

async function shortenedIn(store: Store, session: StoredSession): Promise<readonly string[]> {
  const { ledger } = await store.load(session)
  const handles = new Map<number, string>()
  for (const entry of ledger) {
    if (entry.kind === 'decision') handles.set(entry.item, entry.handle)
    if (entry.kind === 'revert') handles.delete(entry.item)
  }
  return [...handles.values()]
}

/** Six characters or as many as tell it from the others. Forks of a session begin with its id and stand for it. */
export function uniquePrefix(id: string, ids: readonly string[]): string {
  const others = ids.filter((each) => each.split('.')[0] !== id.split('.')[0])
  // Sessions that their client does not name are called `prefix-` and a hash.
  const least = /^prefix-/.test(id) ? 13 : 6
  for (let length = least; length < id.length; length++) {
    const prefix = id.slice(0, length)
    if (!others.some((each) => each.startsWith(prefix))) return prefix
  }
  return id
}

/** `saved $0.06 of $0.43 (14 %), 32 items shortened, nothing lost; palimpsest show 8437b9`. */
export function summaryLine(summary: RunSummary, showArguments: string): string {
  const { totals, shortened, lost, session } = summary
  const { requests } = totals
  if (requests === 0) return 'no request reached the gateway, so nothing was saved'
  const items =
    shortened === 0
      ? []
      : [
          `${plural(shortened, 'item')} shortened`,
          lost === 0 ? 'nothing lost' : `${plural(lost, 'original')} not found`,
        ]
  const count = shortened === 0 ? [`${plural(requests, 'request')}, nothing to shorten yet`] : []
  const what = [savedWords(totals), ...count, ...items].join(', ')
  return session === null ? what : `${what}; palimpsest show ${session}${showArguments}`
}

function savedWords({ billing, savedDollars, spentDollars, tokens }: Totals): string {
  if (billing === 'subscription' || savedDollars === null || spentDollars === null) {
    const saved = tokens.without - tokens.with
    return inWords(saved, tokens.without, short, ' tokens')
  }
  return inWords(savedDollars, spentDollars + savedDollars, cents, '')
}

/** How much was saved, or how much more it cost. */
function inWords(
  saved: number,
  without: number,
  shown: (amount: number) => string,
  unit: string,
): string {
  const share = without === 0 ? 0 : saved / without
  const of = `${shown(without)}${unit}`
  if (Math.abs(saved) < 0.000_000_5) return `saved nothing of ${of}`
  return saved > 0
    ? `saved ${shown(saved)} of ${of} (${percent(share)})`
    : `cost ${shown(-saved)} more than ${of} (${percent(-share)})`
}

function cents(dollars: number): string {
  return dollars >= 0.01 ? `$${dollars.toFixed(2)}` : money(dollars)
}
