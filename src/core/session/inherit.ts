import { type Decision, decisionKey, type RenditionProposal } from '../words/decision.ts'
import type { Item, Message } from '../words/item.ts'
import type { EpochEntry, Ledger, LedgerEntry, LimitEntry, RestoreEntry } from '../words/ledger.ts'
import { createLedger } from './ledger.ts'

/** What a person or the agent asked for; it is carried over when a history is edited or forked. */
export interface AskedFor {
  readonly handle: string
  readonly turn: number
  /** Index of the newest message of the history for which it was asked; null when it is no longer known. */
  readonly after: number | null
  /** null takes back the decision that stands or is to come. */
  readonly proposal: AskedRendition | null
}

export type AskedRendition = Pick<RenditionProposal, 'rendition' | 'reason' | 'strategy'>

/** What was asked for, and the turn at which it holds in another history. */
export interface InheritedRequest {
  readonly asked: AskedFor
  readonly due: number
}

export interface StandingDecision {
  readonly decision: Decision
  /** Handle of the item that replaced it, where one did. */
  readonly by: string | null
}

/** What a history takes over from the one that it was made of, or from an earlier process. */
export interface Inheritance {
  readonly asked: readonly InheritedRequest[]
  /** Requests at which sent bytes changed; they change again at the same ones. */
  readonly epochs: readonly EpochEntry[]
  /** The context limits that were used, each from the request that it names on. */
  readonly limits: readonly LimitEntry[]
  /** What renditions named to bring originals back, each from the request that it names on. */
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

/** From the ledger of an earlier process. */
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

/** What is known of the history before an edited or forked one. */
export interface EarlierHistory {
  readonly ledger: Ledger
  /** All that was asked for in the session. */
  readonly asked: readonly AskedFor[]
  /** Of it, what is taken over whichever branch it was asked on. */
  readonly kept: readonly AskedFor[]
  /** All items of the session. */
  readonly items: readonly Item[]
}

/** From the history before, of which `messages` has the first `shared` in common. */
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

/** What a person or the agent had asked for, from a stored ledger. */
export function askedIn(entries: readonly LedgerEntry[]): readonly AskedFor[] {
  return entries.flatMap((entry): readonly AskedFor[] => {
    if (entry.kind !== 'decision' && entry.kind !== 'revert') return []
    const { handle, turn } = entry
    if (entry.kind === 'revert') return [{ handle, turn, after: null, proposal: null }]
    const { rendition, reason, strategy } = entry
    const isAsked = reason === 'agent' || reason === 'user'
    return isAsked ? [{ handle, turn, after: null, proposal: { rendition, reason, strategy } }] : []
  })
}

/** What had been asked for by the request that followed these messages; it may have had another last message. */
export function askedBy(
  messages: readonly Message[],
  asked: readonly AskedFor[],
): readonly AskedFor[] {
  const turns = countTurns(messages)
  return asked.filter(({ turn }) => turn <= turns + 1)
}

/**
 * What was asked for on the way to these messages, at the turn at which it was. `kept` is taken over from another
 * history, which may count its turns differently, so it holds now at the latest.
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

/** The decisions that hold in a ledger, with the handles of what replaced their items. */
function standingIn(ledger: Ledger, items: readonly Item[] = []): readonly StandingDecision[] {
  // Indexes are those of the process that wrote them; only handles are the same everywhere.
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
 * The limit of the context at each request: that of the model of the request, and while a history is replayed the one
 * that was used then. It is written to the ledger when it is used, so that a replay decides the same.
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

  /** The limit of the model that the messages to come are for; it counts from the start when none is known yet. */
  expect(tokens: number | null): void {
    if (this.#tokens === undefined) this.#tokens = tokens
  }

  /** A request is replayed, or made with the limit of its model. */
  pass(turn: number, tokens: number | null | undefined): void {
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
 * What renditions name to bring originals back, at each request. It is written to the ledger when it changes, so that a
 * replay names the same and sent bytes stay as they are.
 */
export class RestoreCommand {
  readonly #ledger: Ledger
  readonly #inherited: Pick<Inheritance, 'restores' | 'lastTurn'>
  readonly #usual: string | null
  #live: string | null
  #written: string | null

  constructor(
    ledger: Ledger,
    inherited: Pick<Inheritance, 'restores' | 'lastTurn'>,
    usual: string | null,
  ) {
    this.#ledger = ledger
    this.#inherited = inherited
    this.#usual = usual
    this.#live = usual
    this.#written = usual
  }

  /** What the request that the messages to come belong to has; undefined takes the usual one. */
  expect(by: string | null | undefined): void {
    this.#live = by === undefined ? this.#usual : by
  }

  at(turn: number): string | null {
    const by = turn > this.#inherited.lastTurn ? this.#live : this.#inheritedAt(turn)
    if (this.#written !== by) this.#ledger.restore({ kind: 'restore', turn, by })
    this.#written = by
    return by
  }

  #inheritedAt(turn: number): string | null {
    const entry = this.#inherited.restores.findLast((each) => each.turn <= turn)
    return entry === undefined ? this.#usual : entry.by
  }
}
