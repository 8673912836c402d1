import { type Pauses, pauseKeys } from '../config/pauses.ts'
import {
  type ModelFacts,
  type ModelOverride,
  modelFacts,
} from '../core/schedule/models/model-facts.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { agentCutOf } from '../report/agent-cut.ts'
import { restoredCounts } from '../report/request-receipt.ts'
import type { Branch, Moment } from '../session/branch.ts'
import type { LiveSession, Placement } from '../session/live-session.ts'
import { commonLength } from '../session/placement.ts'
import type { ReadRequest } from '../session/read-request.ts'
import type { Turn } from '../session/session.ts'
import type { AppendOutcome } from '../store/index.ts'
import { bypassed, type Decided, type DecidedAbout, rewritten } from './decided.ts'
import type { MemoryInjector } from './inject-memory.ts'
import type { RewriteOptions, RewrittenBody } from './rewrite-body.ts'
import type { Savings } from './savings.ts'
import type { StoreBreaker } from './store-breaker.ts'

/** A request with exclusive use of its session. */
export interface SessionRequest {
  readonly session: LiveSession
  readonly request: ReadRequest
  readonly moment: Moment
  /** The format of its body; null for the prompt of a library, which gets no memory here. */
  readonly format: BodyFormatName | null
  /** Writes changes into the request; see `rewriteBody`. */
  rewrite(changes: readonly ProjectedChange[], options: RewriteOptions): RewrittenBody
}

export interface TurnParts {
  readonly breaker: StoreBreaker
  readonly savings: Savings
  readonly memory: MemoryInjector | null
  readonly models: readonly ModelOverride[] | undefined
  readonly pauses: Pick<Pauses, 'isPaused'>
}

/** How often a request is decided again because another gateway wrote first. */
const mostTries = 4

/**
 * Makes a request the next turn of its branch. When the store fails, what was decided before is sent again and nothing new is
 * left out; the next turn that finds the store working writes what is missing.
 */
export async function takeTurn(
  parts: TurnParts,
  placed: SessionRequest,
  tries: number = mostTries,
  fault: unknown = null,
): Promise<Decided> {
  const { session, request } = placed
  const unsaved = parts.breaker.openReason()
  const placement = await session.place({ sent: request.sent, ...placed.moment })
  const { branch, standing } = placement
  const isHeld = isPaused(parts, session, branch)
  const { account } = session
  const moment = { ...placed.moment, account, isPaused: isHeld || unsaved !== null }
  // A side question must not become the end of the branch, because the conversation continues without it.
  if (standing.kind === 'earlier' || standing.kind === 'asked') {
    const aside = { ...placed, moment: { ...placed.moment, isAside: true } }
    const decided = await project(parts, aside, placement)
    if (decided.receipt.bypass === null) branch.sentAgain(moment)
    return decided
  }
  const before = standing.kind === 'grown' && request.from === branch ? branch.forwarded : null
  const shared = commonLength(branch.sent, request.sent)
  const isPrefixChanged = branch.hasOtherPrefix(request.read.prefix)
  const earlier = session.itemsBefore(placement)
  const takeBack = branch.checkpoint()
  const turn = session.turn(placement, request, moment)
  const { model } = moment
  const body = placed.rewrite(turn.changes, { model, before, branch })
  branch.forwarded = body.forwarded
  const again = { ...placed, request: { ...request, from: null, since: undefined } }
  const outcome = unsaved === null ? await commit(parts, session, branch, turn) : 'done'
  if (typeof outcome === 'object') {
    parts.breaker.trip(outcome.fault)
    takeBack()
    return takeTurn(parts, again, tries, outcome.fault)
  }
  if (outcome !== 'done') {
    // Another gateway wrote first, so this request is decided again after its decisions.
    session.drop(branch)
    if (tries <= 1) return bypassed(request.read.source, 'store-contended')
    return takeTurn(parts, again, tries - 1)
  }
  if (turn.receipt.fault !== null)
    return {
      ...bypassed(request.read.source, 'engine', epochsOf(branch)),
      fault: turn.receipt.fault,
    }
  if (unsaved !== null && turn.changes.length === 0)
    return { ...bypassed(request.read.source, unsaved), fault }
  const opened = noteShown(branch, turn, body)
  const changes = body.violation === null ? turn.changes : []
  const saved = parts.savings.savedBy(branch, { ...moment, ...request, changes, shared })
  const agentCut = earlier === null ? null : agentCutOf(earlier, request.read.messages)
  const about = {
    ...aboutTurn(branch, turn),
    opened,
    saved,
    ...(agentCut === null ? {} : { agentCut }),
    ...(isPrefixChanged ? { isPrefixChanged } : {}),
    ...(isHeld ? { isPaused: true } : {}),
    ...(unsaved === null ? {} : { unsaved }),
  }
  const decided = rewritten(request.read, body, about)
  return withMemory(parts, { ...decided, fault: decided.fault ?? fault }, placed, body)
}

function aboutTurn(branch: Branch, { receipt }: Turn): Omit<DecidedAbout, 'opened' | 'saved'> {
  const { turn, relation } = receipt
  const restored = restoredCounts(receipt.restored)
  return {
    branch,
    turn,
    epoch: epochsOf(branch),
    relation,
    ...(Object.keys(restored).length === 0 ? {} : { restored }),
  }
}

/** Decides about a request that is not a turn, such as counting tokens, as if it were one. */
export async function projectRequest(parts: TurnParts, placed: SessionRequest): Promise<Decided> {
  const { session, request, moment } = placed
  return project(parts, placed, await session.find({ sent: request.sent, ...moment }))
}

async function project(
  parts: TurnParts,
  placed: SessionRequest,
  placement: Placement | null,
): Promise<Decided> {
  const { session, request } = placed
  const moment = pausedMoment(parts, placed, placement?.branch ?? null)
  const { changes, fault } = session.project(placement, request, moment)
  if (fault !== null) return { ...bypassed(request.read.source, 'engine'), fault }
  const { model } = moment
  const body = placed.rewrite(changes, { model, before: null, branch: null })
  const epoch = placement === null ? 0 : epochsOf(placement.branch)
  const about = { branch: null, epoch, opened: null, saved: null }
  return withMemory(parts, rewritten(request.read, body, about), placed, body)
}

/** The moment of a request, with whether pruning is paused for its session or its branch. */
function pausedMoment(
  parts: TurnParts,
  { session, moment }: SessionRequest,
  branch: Branch | null,
): Moment {
  const own = { ...moment, account: session.account }
  return isPaused(parts, session, branch) ? { ...own, isPaused: true } : own
}

function isPaused(
  { pauses }: TurnParts,
  { name, owner }: LiveSession,
  branch: Branch | null,
): boolean {
  const ids = branch === null ? [name] : [name, branch.id]
  return pauses.isPaused(...pauseKeys(owner, ids))
}

/** Writes a turn; the fault when the store fails. */
async function commit(
  { breaker }: TurnParts,
  session: LiveSession,
  branch: Branch,
  turn: Turn,
): Promise<AppendOutcome['kind'] | { readonly fault: unknown }> {
  try {
    const { kind } = await turn.commit()
    const isStored = kind === 'done' || (kind === 'gone' && (await session.storeAgain(branch)))
    breaker.reset()
    return isStored ? 'done' : kind
  } catch (fault) {
    return { fault }
  }
}

/** Why an epoch opened that this request is the first to show; null when it shows none. */
function noteShown(
  branch: Branch,
  { receipt }: Turn,
  { violation }: RewrittenBody,
): EpochReason | null {
  const opened = [...branch.unshown, ...(receipt.epoch === null ? [] : [receipt.epoch.reason])]
  if (violation !== null) branch.markBypassed()
  branch.unshown = violation === null ? [] : opened
  return violation === null ? (opened.at(-1) ?? null) : null
}

async function withMemory(
  { memory, models }: TurnParts,
  decided: Decided,
  { format, session, request, moment }: SessionRequest,
  body: RewrittenBody,
): Promise<Decided> {
  if (memory === null || format === null) return decided
  const isBound = hasBoundReasoning(request.read, modelFacts(moment.model, models))
  const { name, owner = null } = session
  return memory.inject(decided, { format, session: name, owner, request, moment, body, isBound })
}

/** Whether the history has reasoning that is valid only after the exact bytes that were sent before it. */
export function hasBoundReasoning(
  { messages }: RequestRead<Body>,
  { reasoning }: ModelFacts,
): boolean {
  if (reasoning !== 'prefix-checked') return false
  return messages.some(({ items }) =>
    items.some((item) => item.kind === 'reasoning' && item.binding !== 'plain'),
  )
}

/** Names of the fields that hold reasoning which is bound to what precedes it. */
const bindings = ['signature', 'Signature', 'encrypted_content']

/** Whether a provider may refuse a body after earlier requests of its session were changed. */
export function mayBindReasoning(body: Buffer): boolean {
  return bindings.some((name) => body.includes(name))
}

/** Epochs that requests have shown. */
function epochsOf({ earlier, engine, unshown }: Branch): number {
  const entries = earlier ?? engine.ledger.entries
  return entries.filter(({ kind }) => kind === 'epoch').length - unshown.length
}
