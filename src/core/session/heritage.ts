import { type Decision, decisionKey } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import type { EpochEntry, Ledger, LedgerEntry, LimitEntry, RestoreEntry } from '../words/ledger.ts'
import type { Inherited } from './asked-for.ts'

/** What a history takes over from the one that it was made of, or from an earlier process. */
export interface Heritage {
  readonly asked: readonly Inherited[]
  /** Requests at which sent bytes changed; they change again at the same ones. */
  readonly epochs: readonly EpochEntry[]
  /** The limits of the context by which was decided, from the requests on that they name. */
  readonly limits: readonly LimitEntry[]
  /** What renditions named, from the requests on that they name. */
  readonly restores: readonly RestoreEntry[]
  /** The last request for which anything was decided. */
  readonly lastTurn: number
  /** How many of its messages went out, in this order, with the last request. */
  readonly sharedMessages: number
  /** The handle of their last item, where that is all that is known of them. */
  readonly sharedNewest: string | null
  /** What was ever decided about items of those messages; see `decisionKey`. */
  readonly decided: ReadonlySet<string>
  /** The decisions that held when they went out. */
  readonly standing: readonly StandingDecision[]
  /** The client changed what it had sent. */
  readonly isRewritten: boolean
}

export interface StandingDecision {
  readonly decision: Decision
  /** Handle of the item that replaced it, where one did. */
  readonly by: string | null
}

export const nothingInherited: Heritage = {
  asked: [],
  epochs: [],
  limits: [],
  restores: [],
  lastTurn: 0,
  sharedMessages: 0,
  sharedNewest: null,
  decided: new Set(),
  standing: [],
  isRewritten: false,
}

export function epochsIn(entries: readonly LedgerEntry[]): readonly EpochEntry[] {
  return entries.filter((entry) => entry.kind === 'epoch')
}

export function lastTurnIn(entries: readonly LedgerEntry[]): number {
  return entries.reduce((last, { turn }) => Math.max(last, turn), 0)
}

/** Everything that was ever decided in a history. */
export function decidedIn(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) =>
      entry.kind === 'decision' ? [decisionKey(entry.handle, entry.rendition)] : [],
    ),
  )
}

/** The decisions that hold in a ledger, with the handles of what replaced their items. */
export function standingIn(
  ledger: Ledger,
  entries: readonly LedgerEntry[],
  items: readonly Item[] = [],
): readonly StandingDecision[] {
  // Indexes are those of the process that wrote them; only handles are the same everywhere.
  const handles = new Map<number, string>()
  for (const entry of entries) {
    if (entry.kind === 'decision' || entry.kind === 'revert') handles.set(entry.item, entry.handle)
  }
  return ledger.decided().flatMap((index): readonly StandingDecision[] => {
    const decision = ledger.of(index)
    if (decision === undefined) return []
    const { by } = decision
    if (by === null) return [{ decision, by }]
    return [{ decision, by: items[by]?.handle ?? handles.get(by) ?? null }]
  })
}
