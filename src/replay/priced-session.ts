import { createPrefixCost } from '../core/schedule/cache-model.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'
import { createDecidedItems } from '../report/decided-items.ts'
import type { Session } from '../session/session.ts'
import { pieceOf } from './prompt-pieces.ts'
import { type ReplayedRequest, type ReplayStep, replay } from './replay.ts'
import { finish, type Work } from './work.ts'

/** With Palimpsest, and as the session ran. */
export interface Comparison {
  readonly with: number
  readonly without: number
}

/** What the session has saved so far, in dollars. */
export interface Bank {
  readonly end: number
  /** Its lowest value, and the request after which it was reached. */
  readonly lowest: number
  readonly lowestAt: number
}

export interface RegimePrice {
  readonly regime: Regime
  readonly dollars: Comparison
  readonly bank: Bank
}

/** What one session sent and cost. System prompt and tool definitions are not in a recording, so not in here. */
export interface PricedSession {
  readonly requests: number
  /** Summed over all requests. */
  readonly tokens: Comparison
  /** One for each requested regime. */
  readonly prices: readonly RegimePrice[]
  /** How many items each strategy decided in the end, in all histories of the session. */
  readonly decisions: Readonly<Record<string, number>>
  /** What the agent restored with `context_restore` while it was recorded. */
  readonly recalled: { readonly items: number; readonly tokens: number }
}

export interface PriceOptions {
  readonly regimes: readonly Regime[]
  /** Decides about the requests; without it nothing is changed. */
  readonly session?: Session | undefined
  /** The session that pruned the recording while it ran. Its effect counts on both sides. */
  readonly ranWith?: Session | undefined
  readonly onRequest?: (request: ReplayedRequest) => void
}

export function priceSession(recording: Recording, options: PriceOptions): PricedSession {
  return finish(pricing(recording, options))
}

/** `priceSession`, with pauses at each request. */
export function* pricing(recording: Recording, options: PriceOptions): Work<PricedSession> {
  const { regimes, session, ranWith, onRequest } = options
  const ran = ranWith === undefined ? null : replay(recording, ranWith)
  const bills = regimes.map(createBill)
  const decided = createDecidedItems()
  const tokens = { with: 0, without: 0 }
  const recalled = { items: 0, tokens: 0 }
  let requests = 0
  for (const step of replay(recording, session)) {
    yield
    if (step.kind === 'items') {
      for (const item of step.items) {
        if (item.kind !== 'result' || !item.tool.endsWith('context_restore')) continue
        recalled.items++
        recalled.tokens += item.tokens
      }
      continue
    }
    requests++
    onRequest?.(step)
    if (session !== undefined && step.turn !== null) decided.observe(session.engine, step.turn)
    const without = ran === null ? step.unchanged : nextRequest(ran).view
    const pieces = { with: step.view.map(pieceOf), without: without.map(pieceOf) }
    for (const side of ['with', 'without'] as const)
      tokens[side] += pieces[side].reduce((sum, piece) => sum + piece.tokens, 0)
    for (const bill of bills) bill.add(pieces, step)
    yield
  }
  const decisions: Record<string, number> = {}
  for (const { decision, isApplied } of decided.all()) {
    if (isApplied) decisions[decision.strategy] = (decisions[decision.strategy] ?? 0) + 1
  }
  return { requests, tokens, prices: bills.map((bill) => bill.total()), decisions, recalled }
}

function nextRequest(steps: Generator<ReplayStep>): ReplayedRequest {
  for (;;) {
    const { value, done } = steps.next()
    if (done === true) throw new RangeError('both replays have the same requests')
    if (value.kind === 'request') return value
  }
}

type Pieces = Readonly<Record<'with' | 'without', ReturnType<typeof pieceOf>[]>>

function createBill(regime: Regime): {
  add(pieces: Pieces, request: ReplayedRequest): void
  total(): RegimePrice
} {
  const cost = { with: createPrefixCost(regime), without: createPrefixCost(regime) }
  const dollars = { with: 0, without: 0 }
  let lowest = 0
  let lowestAt = 0
  return {
    add(pieces, { n, at }) {
      dollars.with += cost.with.price(pieces.with, at)
      dollars.without += cost.without.price(pieces.without, at)
      const saved = dollars.without - dollars.with
      if (saved < lowest) {
        lowest = saved
        lowestAt = n
      }
    },
    total: () => ({
      regime,
      dollars,
      bank: { end: dollars.without - dollars.with, lowest, lowestAt },
    }),
  }
}
