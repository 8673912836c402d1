import type { EngineMaker } from '../config/engine-maker.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import { remembered } from '../core/render/remembered.ts'
import {
  type ModelFacts,
  type ModelOverride,
  modelFacts,
} from '../core/schedule/models/model-facts.ts'
import { type Regime, regimeOf } from '../core/schedule/regimes.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { offeredTools } from '../formats/offered-tools.ts'
import { type AwaitedTurn, type Branch, balanceIn, type Moment } from '../session/branch.ts'
import type { Identity } from '../session/identity.ts'
import type { LiveSession, Placement } from '../session/live-session.ts'
import type { LiveSessions } from '../session/live-sessions.ts'
import { commonLength } from '../session/placement.ts'
import type { ReadRequest } from '../session/read-request.ts'
import type { Turn } from '../session/session.ts'
import type { AppendOutcome } from '../store/index.ts'
import type { Clears, Delegation } from './delegation.ts'
import { type EagerRequest, savedEagerly } from './eager-savings.ts'
import { isContinuation } from './identity.ts'
import { outgoing } from './outgoing.ts'
import type { PassageReceipt } from './receipt.ts'
import { restoreWords } from './restore-hint.ts'
import type { ModelRoute } from './route.ts'
import type { Telling, ToldRequest } from './telling.ts'
import { workingDirectoryIn } from './working-directory.ts'

export interface IncomingRequest {
  readonly route: ModelRoute
  /** The name of the one that it goes to. */
  readonly upstream?: string
  readonly identity: Identity
  readonly body: Body
  /** Whether it comes from this machine. */
  readonly isLocal?: boolean
}

/** What goes out in the place of a request, and what is said about it. */
export interface Decided {
  readonly body: Body
  readonly receipt: PassageReceipt
  /** The turn of a branch that it is; null when it is none. */
  readonly turn: AwaitedTurn | null
  /** Clears that are left to the provider. */
  readonly clears: Clears | null
  /** What went wrong inside, for whoever looks after the gateway. */
  readonly fault: unknown
}

export interface DecideOptions {
  readonly sessions: LiveSessions
  readonly maker: EngineMaker
  readonly models: readonly ModelOverride[] | undefined
  /** Takes the place of the model's own prices. */
  readonly regime: Regime | undefined
  /** Leaves clears to the provider; without it none are. */
  readonly delegation?: Delegation | null
  /** Puts what is remembered beside the messages; without it nothing is. */
  readonly telling?: Telling | undefined
  /** Brings an original back in a shell on this machine; without it there is no such command. */
  readonly restoreCommand?: string | null
  now(): number
}

/** After a fault of the store, requests pass by it for so long: each new try could hold up all streams. */
const restMs = 10_000
/** So often a request is decided anew because another gateway wrote first. */
const mostTries = 4

/** Decides about requests, one after the other for each session. Never rejects: what goes wrong lets the original out. */
export function createDecider(
  options: DecideOptions,
): (request: IncomingRequest) => Promise<Decided> {
  const { sessions, maker, models, regime, delegation = null, telling, now } = options
  const { restoreCommand = null } = options
  const isEager = maker.settings.schedule === 'eager'
  let storeRests: { readonly until: number; readonly reason: string } | null = null

  const factsOf = (model: string | null): ModelFacts => modelFacts(model, models)

  async function decide({
    route,
    identity,
    body,
    upstream = '',
    isLocal = false,
  }: IncomingRequest): Promise<Decided> {
    if (route.format === 'openai-responses' && isContinuation(body))
      return passing(body, 'the provider keeps the history')
    const request = sessions.read(identity, route.format, body)
    const { read } = request
    if (read.problem !== null) {
      const { where, message } = read.problem
      return passing(body, `not understood at ${where}: ${message}`)
    }
    if (read.messages.length === 0) return unchanged(body, sizeOf(read))
    const model = read.model ?? route.model
    const resting = storeRests !== null && now() < storeRests.until ? storeRests.reason : null
    if (resting !== null && !isBound(read, model)) return passing(body, resting)
    const { contextLimit } = factsOf(model)
    const clears = delegation?.clearsFor({ route, upstream, model, contextLimit, read }) ?? null
    const moment = {
      at: now(),
      model,
      cwd: request.from === null ? workingDirectoryIn(read) : request.from.cwd,
      restore: restoreWords(read, { command: restoreCommand, isLocal }),
      ...(clears === null ? {} : { isDelegated: true }),
    }
    const decided = await sessions.use(identity, request, async (session) => {
      if (route.purpose !== 'answer') return onlyProject(route, session, request, moment)
      if (isAside(read) && session.project(null, request, moment).changes.length === 0) {
        const { sent } = request
        session.remember({ messages: read.messages, sent, at: moment.at, model })
        return unchanged(body, sizeOf(read))
      }
      return takeTurn(route, session, request, moment)
    })
    return decided.receipt.bypass === null ? { ...decided, clears } : decided
  }

  async function takeTurn(
    route: ModelRoute,
    session: LiveSession,
    request: ReadRequest,
    moment: Moment,
    tries = mostTries,
  ): Promise<Decided> {
    const placement = await session.place({ sent: request.sent, ...moment })
    const { branch, standing } = placement
    // A question beside the conversation would leave the branch where the conversation does not go on.
    if (standing.kind === 'earlier' || standing.kind === 'asked')
      return projected(route, session, request, moment, placement)
    const before = standing.kind === 'grown' && request.from === branch ? branch.passed : null
    const shared = isEager ? commonLength(branch.sent, request.sent) : 0
    const turn = session.turn(placement, request, moment)
    const { changes } = turn
    const { epoch, fault } = turn.receipt
    const sent = outgoing(route.format, request.read, changes, { model: moment.model, before })
    branch.passed = sent.passed
    const outcome = await written(turn, request.read, moment.model).catch((unwritten: unknown) => {
      branch.markBypassed()
      branch.balance = balanceIn(branch.engine.ledger.entries) ?? 0
      throw unwritten
    })
    if (outcome.kind !== 'done') {
      // Another gateway was first: its decisions hold, and this request is decided upon them.
      session.drop(branch)
      if (tries <= 1) return passing(request.read.source, 'store-contended')
      const anew = { ...request, from: null, since: undefined }
      return takeTurn(route, session, anew, moment, tries - 1)
    }
    if (fault !== null)
      return { ...passing(request.read.source, 'engine', epochsOf(branch)), fault }
    const isShown = sent.violation === null
    if (!isShown) branch.markBypassed()
    const opened = [...branch.unshown, ...(epoch === null ? [] : [epoch.reason])]
    branch.unshown = isShown ? [] : opened
    const page = { ...moment, changes: isShown ? changes : [] }
    const saved = savedBy(branch, moment.model) ?? savedNow(branch, { ...page, ...request, shared })
    const decided = result(request, sent, {
      branch,
      epoch: epochsOf(branch),
      opened: isShown ? (opened.at(-1) ?? null) : null,
      saved,
    })
    return told(decided, { format: route.format, session: session.name, request, moment, sent })
  }

  /** What is remembered, in its places. A memory that cannot be read changes nothing else. */
  async function told(
    decided: Decided,
    asked: Omit<ToldRequest, 'isTurn' | 'opened' | 'isBound'>,
  ): Promise<Decided> {
    if (telling === undefined || decided.receipt.bypass !== null) return decided
    const { opened } = decided.receipt
    const isBoundNow = isBound(asked.request.read, asked.moment.model)
    try {
      const isTurn = decided.turn !== null
      const { body, tokens } = await telling.tell({ ...asked, isTurn, opened, isBound: isBoundNow })
      return { ...decided, body, receipt: { ...decided.receipt, memory: tokens } }
    } catch (fault) {
      return { ...decided, fault }
    }
  }

  /**
   * Has what was decided written. Where the provider checks what stands before its reasoning, the original would be
   * refused: there the request goes out as decided, and what could not be written waits for the next one.
   */
  async function written(
    turn: Turn,
    read: RequestRead<Body>,
    model: string | null,
  ): Promise<{ readonly kind: AppendOutcome['kind'] }> {
    const bound = isBound(read, model)
    if (bound && storeRests !== null && now() < storeRests.until) return { kind: 'done' }
    try {
      return await turn.commit()
    } catch (fault) {
      if (!bound) throw fault
      storeRests = { until: now() + restMs, reason: reasonOf(fault) }
      return { kind: 'done' }
    }
  }

  /** Whether the history holds reasoning that is valid only behind the very bytes that were sent before it. */
  function isBound({ messages }: RequestRead<Body>, model: string | null): boolean {
    if (factsOf(model).reasoning !== 'prefix-checked') return false
    return messages.some(({ items }) =>
      items.some((item) => item.kind === 'reasoning' && item.binding !== 'plain'),
    )
  }

  async function onlyProject(
    route: ModelRoute,
    session: LiveSession,
    request: ReadRequest,
    moment: Moment,
  ): Promise<Decided> {
    const placement = await session.find({ sent: request.sent, ...moment })
    return projected(route, session, request, moment, placement)
  }

  /** A request that is no turn of any branch, as it would go out if it were. */
  async function projected(
    route: ModelRoute,
    session: LiveSession,
    request: ReadRequest,
    moment: Moment,
    placement: Placement | null,
  ): Promise<Decided> {
    const { changes, fault } = session.project(placement, request, moment)
    if (fault !== null) return { ...passing(request.read.source, 'engine'), fault }
    const { model } = moment
    const sent = outgoing(route.format, request.read, changes, { model, before: null })
    const epoch = placement === null ? 0 : epochsOf(placement.branch)
    const decided = result(request, sent, { branch: null, epoch, opened: null, saved: null })
    return told(decided, { format: route.format, session: session.name, request, moment, sent })
  }

  /** What the newest request added to the bank, in dollars. */
  function savedBy(branch: Branch, model: string | null): number | null {
    const balance = balanceIn(branch.engine.ledger.entries)
    if (balance === null) return null
    const saved = balance - branch.balance
    branch.balance = balance
    const { inputPrice } = regime ?? factsOf(model)
    return (saved * tokensPerCharacter(branch) * inputPrice) / 1_000_000
  }

  /** The same where the engine books nothing. */
  function savedNow(branch: Branch, request: Omit<EagerRequest, 'lengths'>): number | null {
    if (!isEager) return null
    const paid = regime ?? regimeOf(factsOf(request.model))
    const saved = savedEagerly({ ...request, lengths: branch.lengths }, branch.page, paid)
    branch.page = { at: request.at, model: request.model, changes: request.changes }
    return (saved * tokensPerCharacter(branch) * paid.inputPrice) / 1_000_000
  }

  return async (request) => {
    try {
      return await decide(request)
    } catch (fault) {
      const reason = reasonOf(fault)
      if (reason.startsWith('store-')) storeRests = { until: now() + restMs, reason }
      return { ...passing(request.body, reason), fault }
    }
  }
}

function reasonOf(fault: unknown): string {
  return PalimpsestError.is(fault) ? fault.code : 'internal error'
}

/** A request that only asks something beside the work, for a title for example: nothing of it can be replaced. */
function isAside(read: RequestRead<Body>): boolean {
  const hasResults = read.messages.some(({ items }) => items.some(({ kind }) => kind === 'result'))
  return !hasResults && offeredTools(read).length === 0
}

function passing(body: Body, bypass: string, epoch: number | null = null): Decided {
  const receipt = { bypass, tokens: null, epoch, opened: null, saved: null }
  return { body, receipt, turn: null, clears: null, fault: null }
}

function unchanged(body: Body, size: number): Decided {
  const tokens = { before: size, after: size }
  const receipt = { bypass: null, tokens, epoch: 0, opened: null, saved: 0 }
  return { body, receipt, turn: null, clears: null, fault: null }
}

function result(
  { read }: ReadRequest,
  { body, removedTokens, violation }: ReturnType<typeof outgoing>,
  about: { readonly branch: Branch | null } & Pick<PassageReceipt, 'epoch' | 'opened' | 'saved'>,
): Decided {
  const { branch, epoch, opened, saved } = about
  const before = sizeOf(read, branch)
  const bypass = violation === null ? null : `invalid ${violation.rule}`
  const tokens = { before, after: before - removedTokens }
  const receipt = { bypass, tokens, epoch, opened, saved }
  const turn = branch === null ? null : branch.awaitAnswer()
  return { body, receipt, turn, clears: null, fault: violation }
}

function sizeOf({ prefix, messages }: RequestRead<Body>, branch: Branch | null = null): number {
  const head = prefixSize(prefix.system) + prefixSize(prefix.tools)
  if (branch !== null) return head + branch.tokens
  const texts = messages.flatMap(({ items }) => items.map(({ text }) => text))
  return texts.reduce((sum, text) => sum + estimateTokens(text), head)
}

/** System prompts and tool definitions are the same in nearly all requests of a client. */
const prefixSize = remembered(estimateTokens, { most: 32, longest: Number.POSITIVE_INFINITY })

function epochsOf({ earlier, engine, unshown }: Branch): number {
  let epochs = -unshown.length
  for (const { kind } of earlier ?? engine.ledger.entries) if (kind === 'epoch') epochs++
  return epochs
}

function tokensPerCharacter({ tokens, characters }: Branch): number {
  return characters === 0 ? 0 : tokens / characters
}
