import { type Decision, decisionKey, type RenditionProposal } from '../words/decision.ts'
import type { Item, Message } from '../words/item.ts'
import type { EpochEntry, Ledger, LedgerEntry, LimitEntry, RestoreEntry } from '../words/ledger.ts'
import { createLedger } from './ledger.ts'

/** A rendition that the user or the agent requested. It is carried over when a history is edited or forked. */
export interface AskedFor {
  readonly handle: string
  readonly turn: number
  /** Index of the newest message at the time; null when it is no longer known. */
  readonly after: number | null
  /** null reverts the current or a pending decision. */
  readonly proposal: AskedRendition | null
}

export type AskedRendition = Pick<RenditionProposal, 'rendition' | 'reason' | 'strategy'>

/** A requested rendition, and the turn at which it applies in another history. */
export interface InheritedRequest {
  readonly asked: AskedFor
  readonly due: number
}

export interface StandingDecision {
  readonly decision: Decision
  /** Handle of the item that replaced it, if any. */
  readonly by: string | null
}

/** What a history takes over from the one that it continues or forks, or from an earlier process. */
export interface Inheritance {
  readonly asked: readonly InheritedRequest[]
  /** Earlier epochs, which open again at the same requests. */
  readonly epochs: readonly EpochEntry[]
  /** Earlier context limits; each applies from its turn on. */
  readonly limits: readonly LimitEntry[]
  /** Earlier restore commands; each applies from its turn on. */
  readonly restores: readonly RestoreEntry[]
  /** The last request for which anything was decided. */
  readonly lastTurn: number
  /** How many of its messages were sent, in this order, with the last request. */
  readonly sharedMessages: number
  /** The handle of their last item, when only the ledger is known. */
  readonly sharedNewest: string | null
  /** Every earlier decision about items of those messages; see `decisionKey`. */
  readonly decided: ReadonlySet<string>
  /** The decisions in effect when they were sent. */
  readonly standing: readonly StandingDecision[]
  /** True when the client changed messages that it had sent. */
  readonly isRewritten: boolean
}

/** The inheritance from the ledger of an earlier process. */
export function inheritStored(
  entries: readonly LedgerEntry[],
  asked: readonly AskedFor[],
): Inheritance {
  const last = entries.findLast((entry) => entry.kind === 'request')
  return {
    asked: asked.map((each) => ({ asked: each, due: each.turn })),
    epochs: entriesOf(entries, 'epoch'),
    limits: entriesOf(entries, 'limit'),
    restores: entriesOf(entries, 'restore'),
    lastTurn: lastTurnIn(entries),
    sharedMessages: last?.messages ?? 0,
    sharedNewest: last?.newest ?? null,
    decided: decidedIn(entries),
    standing: standingIn(createLedger(entries)),
    isRewritten: false,
  }
}

/** The history that was edited or forked. */
export interface EarlierHistory {
  readonly ledger: Ledger
  /** All requested renditions of the session. */
  readonly asked: readonly AskedFor[]
  /** Those that are taken over from any branch. */
  readonly kept: readonly AskedFor[]
  /** All items of the session. */
  readonly items: readonly Item[]
}

/** The inheritance from an earlier history with which `messages` shares the first `shared` messages. */
export function inheritFrom(
  { ledger, asked, kept, items }: EarlierHistory,
  messages: readonly Message[],
  shared: number,
): Inheritance {
  const { entries } = ledger
  const next = countTurns(messages.slice(0, shared)) + 1
  const isBefore = ({ turn }: LedgerEntry): boolean => turn <= next
  return {
    asked: requestsFor(messages, asked, kept),
    epochs: entriesOf(entries, 'epoch').filter(isBefore),
    limits: entriesOf(entries, 'limit').filter(isBefore),
    restores: entriesOf(entries, 'restore').filter(isBefore),
    lastTurn: Math.min(next, lastTurnIn(entries)),
    sharedMessages: shared,
    sharedNewest: null,
    decided: decidedIn(entries),
    standing: standingIn(ledger, items),
    isRewritten: true,
  }
}

/** The requested renditions in a stored ledger. */
export function askedIn(entries: readonly LedgerEntry[]): readonly AskedFor[] {
  return entries.flatMap((entry): readonly AskedFor[] => {
    if (entry.kind !== 'decision' && entry.kind !== 'revert') return []
    const { handle, turn } = entry
    // The strategy that showed it again does so again.
    if (entry.kind === 'revert' && entry.again === true) return []
    if (entry.kind === 'revert') return [{ handle, turn, after: null, proposal: null }]
    const { rendition, reason, strategy } = entry
    const isAsked = reason === 'agent' || reason === 'user'
    return isAsked ? [{ handle, turn, after: null, proposal: { rendition, reason, strategy } }] : []
  })
}

/** The renditions requested up to the request that followed these messages. */
export function askedBy(
  messages: readonly Message[],
  asked: readonly AskedFor[],
): readonly AskedFor[] {
  const turns = countTurns(messages)
  return asked.filter(({ turn }) => turn <= turns + 1)
}

/**
 * The renditions requested along these messages, each at its own turn. Those in `kept` come from another history, which
 * may count turns differently, so they apply now at the latest.
 */
function requestsFor(
  messages: readonly Message[],
  asked: readonly AskedFor[],
  kept: readonly AskedFor[],
): readonly InheritedRequest[] {
  const indexes = new Set(messages.map(({ index }) => index))
  const turns = countTurns(messages)
  return asked.flatMap((each): readonly InheritedRequest[] => {
    if (each.after !== null && indexes.has(each.after)) return [{ asked: each, due: each.turn }]
    if (each.after !== null && !kept.includes(each)) return []
    return [{ asked: each, due: Math.min(each.turn, turns + 1) }]
  })
}

function countTurns(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length
}

function entriesOf<Kind extends LedgerEntry['kind']>(
  entries: readonly LedgerEntry[],
  kind: Kind,
): readonly Extract<LedgerEntry, { kind: Kind }>[] {
  return entries.filter((entry): entry is Extract<LedgerEntry, { kind: Kind }> => {
    return entry.kind === kind
  })
}

function lastTurnIn(entries: readonly LedgerEntry[]): number {
  return entries.reduce((last, { turn }) => Math.max(last, turn), 0)
}

function decidedIn(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  const decisions = entriesOf(entries, 'decision')
  return new Set(decisions.map(({ handle, rendition }) => decisionKey(handle, rendition)))
}

/** The decisions in effect in a ledger, with the handles of the replacing items. */
function standingIn(ledger: Ledger, items: readonly Item[] = []): readonly StandingDecision[] {
  // Indexes differ between processes; only handles stay the same.
  const handles = new Map<number, string>()
  for (const entry of ledger.entries) {
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

/**
 * The context limit at each request: the limit of the request's model, or the earlier one while a history is replayed. It
 * is written to the ledger when it is used, so that a replay decides the same.
 */
export class ContextLimit {
  readonly #ledger: Ledger
  readonly #inherited: ReadonlyMap<number, LimitEntry>
  #tokens: number | null | undefined
  #written: number | null | undefined

  constructor(ledger: Ledger, inherited: readonly LimitEntry[]) {
    this.#ledger = ledger
    this.#inherited = new Map(inherited.map((entry) => [entry.turn, entry]))
    this.#tokens = inherited[0]?.tokens
  }

  /** The limit of the model that the next messages are for. It applies from the start when none is known yet. */
  expect(tokens: number | null): void {
    if (this.#tokens === undefined) this.#tokens = tokens
  }

  /** Sets the limit for a request, replayed or live. */
  set(turn: number, tokens: number | null | undefined): void {
    const inherited = this.#inherited.get(turn)
    if (inherited !== undefined) this.#tokens = inherited.tokens
    if (tokens !== undefined) this.#tokens = tokens
  }

  at(turn: number): number | null {
    const tokens = this.#tokens ?? null
    this.#tokens = tokens
    if (this.#written !== tokens) this.#ledger.limit({ kind: 'limit', turn, tokens })
    this.#written = tokens
    return tokens
  }
}

/**
 * The restore tool or command that renditions name at each request: null when the agent has none, undefined when
 * unknown. Changes are written to the ledger, so that a replay names the same one and sent bytes stay the same.
 */
export class RestoreCommand {
  readonly #ledger: Ledger
  readonly #inherited: Pick<Inheritance, 'restores' | 'lastTurn'>
  readonly #usual: string | null | undefined
  #live: string | null | undefined
  #written: string | null | undefined

  constructor(
    ledger: Ledger,
    inherited: Pick<Inheritance, 'restores' | 'lastTurn'>,
    usual: string | null | undefined,
  ) {
    this.#ledger = ledger
    this.#inherited = inherited
    this.#usual = usual
    this.#live = usual
    this.#written = usual
  }

  /** The command of the request that the next messages belong to; undefined means the usual one. */
  expect(by: string | null | undefined): void {
    this.#live = by === undefined ? this.#usual : by
  }

  at(turn: number): string | null | undefined {
    const by = turn > this.#inherited.lastTurn ? this.#live : this.#inheritedAt(turn)
    if (this.#written !== by) this.#ledger.restore({ kind: 'restore', turn, by })
    this.#written = by
    return by
  }

  #inheritedAt(turn: number): string | null | undefined {
    const entry = this.#inherited.restores.findLast((each) => each.turn <= turn)
    return entry === undefined ? this.#usual : entry.by
  }
}
