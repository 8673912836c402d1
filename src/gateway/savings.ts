import { priceOf } from '../core/schedule/bank.ts'
import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import { type Regime, regimeOf } from '../core/schedule/regimes.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { type Branch, balanceIn, type SentRequest } from '../session/branch.ts'

export interface Savings {
  /** How much less the newest turn of a branch costs than without us, in dollars; null when it is not counted. */
  savedBy(branch: Branch, request: Omit<EagerRequest, 'lengths'>): number | null
}

export interface SavingsOptions {
  readonly models: readonly ModelOverride[] | undefined
  /** Replaces the model's own prices. */
  readonly regime: Regime | undefined
  /** Whether changes are made at once. The engine then does not count what they save. */
  readonly isEager: boolean
}

/** Tokens; for a model whose limit is not known. */
const largestContext = 2_000_000
/** Tokens are estimated. */
const limitCaution = 1.2

export function createSavings({ models, regime, isEager }: SavingsOptions): Savings {
  return {
    savedBy(branch, request) {
      const facts = modelFacts(request.model, models)
      const paid = regime ?? regimeOf(facts)
      const characters = savedInBank(branch) ?? (isEager ? savedNow(branch, request, paid) : null)
      if (characters === null) return null
      // The provider would have refused the original, so it would have cost nothing.
      if (branch.tokens > limitCaution * (facts.contextLimit ?? largestContext)) return null
      const tokensPerCharacter = branch.characters === 0 ? 0 : branch.tokens / branch.characters
      return (characters * tokensPerCharacter * paid.inputPrice) / 1_000_000
    },
  }
}

/** What the newest turn added to the bank; null when the engine keeps none. */
function savedInBank(branch: Branch): number | null {
  const balance = balanceIn(branch.engine.ledger.entries)
  if (balance === null) return null
  const saved = balance - branch.balance
  branch.balance = balance
  return saved
}

function savedNow(branch: Branch, request: Omit<EagerRequest, 'lengths'>, paid: Regime): number {
  const { at, model, changes, read } = request
  const cached = branch.sentBefore.filter(
    (before) =>
      before.model === model && paid.lifetimeMs !== null && at - before.at <= paid.lifetimeMs,
  )
  const saved = savedEagerly({ ...request, lengths: branch.lengths }, cached, paid)
  const sent = { at, model, changes, messages: read.messages.length }
  branch.sentBefore = [...cached, sent].slice(-mostKept)
  return saved
}

/** How many earlier requests are compared. An item that is shown in full again makes the prompt that of an older one. */
const mostKept = 20

interface EagerRequest extends SentRequest {
  readonly read: RequestRead<Body>
  /** Characters of each of its messages, as they came. */
  readonly lengths: readonly number[]
  /** How many of its messages are those of the request before. */
  readonly shared: number
}

/** In characters at the base price; negative when the provider had more of the original cached. */
function savedEagerly(request: EagerRequest, cached: Branch['sentBefore'], regime: Regime): number {
  const { lengths, shared, changes } = request
  const unchanged = cached.reduce(
    (most, before) =>
      Math.max(most, Math.min(shared, before.messages, firstDifference(before.changes, changes))),
    0,
  )
  const readWithout = cached.length > 0 ? charactersOf(lengths, shared) : 0
  const readWith = charactersOf(lengths, unchanged) - removedBefore(unchanged, request)
  const all = charactersOf(lengths, lengths.length)
  const shown = all - removedBefore(lengths.length, request)
  const without = priceOf(regime, { read: readWithout, written: all - readWithout })
  return without - priceOf(regime, { read: readWith, written: shown - readWith })
}

/** The first message that two requests show differently. Both list their changes in the order of the messages. */
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
