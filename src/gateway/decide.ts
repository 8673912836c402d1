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
import type { AppendOutcome } from '../store/index.ts'
import { advance, type Moment, project } from './advance.ts'
import type { Clears, Delegation } from './delegation.ts'
import { type EagerRequest, savedEagerly } from './eager-savings.ts'
import { type Identity, isContinuation } from './identity.ts'
import { type AwaitedTurn, awaitAnswer, balanceIn, type Line, passBy } from './line.ts'
import type { ClientSession, Placement } from './lines.ts'
import { outgoing } from './outgoing.ts'
import { commonLength } from './placement.ts'
import type { ReadRequest } from './read-request.ts'
import type { PassageReceipt } from './receipt.ts'
import { restoreWords } from './restore-hint.ts'
import type { ModelRoute } from './route.ts'
import type { Sessions } from './sessions.ts'
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
  /** The turn that it is of a line; null when it is none. */
  readonly turn: AwaitedTurn | null
  /** Clears that are left to the provider. */
  readonly clears: Clears | null
  /** What went wrong inside, for whoever looks after the gateway. */
  readonly fault: unknown
}

export interface DecideOptions {
  readonly sessions: Sessions
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
const mostModels = 64

/** Decides about requests, one after the other for each session. Never rejects: what goes wrong lets the original out. */
export function createDecider(
  options: DecideOptions,
): (request: IncomingRequest) => Promise<Decided> {
  const { sessions, maker, models, regime, delegation = null, telling, now } = options
  const { restoreCommand = null } = options
  const isEager = maker.settings.schedule === 'eager'
  let storeRests: { readonly until: number; readonly reason: string } | null = null

  /** Looking a model up costs more than the rest of most requests. */
  const facts = new Map<string | null, ModelFacts>()
  function factsOf(model: string | null): ModelFacts {
    const known = facts.get(model)
    if (known !== undefined) return known
    const found = modelFacts(model, models)
    if (facts.size >= mostModels) facts.clear()
    facts.set(model, found)
    return found
  }

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
      if (isAside(read) && project(null, request, moment, maker).changes.length === 0) {
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
    session: ClientSession,
    request: ReadRequest,
    moment: Moment,
    tries = mostTries,
  ): Promise<Decided> {
    const placement = await session.place({ sent: request.sent, ...moment })
    const { line, standing } = placement
    // A question beside the conversation would leave the line where the conversation does not go on.
    if (standing.kind === 'earlier' || standing.kind === 'asked')
      return projected(route, session, request, moment, placement)
    const beginning = session.beginningOf(request.sent, moment.model)
    const before = standing.kind === 'grown' && request.from === line ? line.passed : null
    const shared = isEager ? commonLength(line.sent, request.sent) : 0
    const { changes, epoch, fault } = advance(placement, request, moment, maker, beginning)
    const writing = written(line, request.read, moment.model)
    const sent = outgoing(route.format, request.read, changes, { model: moment.model, before })
    line.passed = sent.passed
    const outcome = await writing.catch((unwritten: unknown) => {
      passBy(line)
      line.balance = balanceIn(line.engine.ledger.entries) ?? 0
      throw unwritten
    })
    if (outcome.kind !== 'done') {
      // Another gateway was first: its decisions hold, and this request is decided upon them.
      session.drop(line)
      if (tries <= 1) return passing(request.read.source, 'store-contended')
      const anew = { ...request, from: null, since: undefined }
      return takeTurn(route, session, anew, moment, tries - 1)
    }
    if (fault !== null) return { ...passing(request.read.source, 'engine', epochsOf(line)), fault }
    const isShown = sent.violation === null
    if (!isShown) passBy(line)
    const opened = [...line.unshown, ...(epoch === null ? [] : [epoch.reason])]
    line.unshown = isShown ? [] : opened
    const page = { ...moment, changes: isShown ? changes : [] }
    const saved = savedBy(line, moment.model) ?? savedNow(line, { ...page, ...request, shared })
    const decided = result(request, sent, {
      line,
      epoch: epochsOf(line),
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
    line: Line,
    read: RequestRead<Body>,
    model: string | null,
  ): Promise<{ readonly kind: AppendOutcome['kind'] }> {
    const bound = isBound(read, model)
    if (bound && storeRests !== null && now() < storeRests.until) return { kind: 'done' }
    try {
      return await line.writer.flush()
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
    session: ClientSession,
    request: ReadRequest,
    moment: Moment,
  ): Promise<Decided> {
    const placement = await session.find({ sent: request.sent, ...moment })
    return projected(route, session, request, moment, placement)
  }

  /** A request that is no turn of any line, as it would go out if it were. */
  async function projected(
    route: ModelRoute,
    session: ClientSession,
    request: ReadRequest,
    moment: Moment,
    placement: Placement | null,
  ): Promise<Decided> {
    const { changes, fault } = project(placement, request, moment, maker)
    if (fault !== null) return { ...passing(request.read.source, 'engine'), fault }
    const { model } = moment
    const sent = outgoing(route.format, request.read, changes, { model, before: null })
    const epoch = placement === null ? 0 : epochsOf(placement.line)
    const decided = result(request, sent, { line: null, epoch, opened: null, saved: null })
    return told(decided, { format: route.format, session: session.name, request, moment, sent })
  }

  /** What the newest request added to the bank, in dollars. */
  function savedBy(line: Line, model: string | null): number | null {
    const balance = balanceIn(line.engine.ledger.entries)
    if (balance === null) return null
    const saved = balance - line.balance
    line.balance = balance
    const { inputPrice } = regime ?? factsOf(model)
    return (saved * tokensPerCharacter(line) * inputPrice) / 1_000_000
  }

  /** The same where the engine books nothing. */
  function savedNow(line: Line, request: Omit<EagerRequest, 'lengths'>): number | null {
    if (!isEager) return null
    const paid = regime ?? regimeOf(factsOf(request.model))
    const saved = savedEagerly({ ...request, lengths: line.lengths }, line.page, paid)
    line.page = { at: request.at, model: request.model, changes: request.changes }
    return (saved * tokensPerCharacter(line) * paid.inputPrice) / 1_000_000
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
  about: { readonly line: Line | null } & Pick<PassageReceipt, 'epoch' | 'opened' | 'saved'>,
): Decided {
  const { line, epoch, opened, saved } = about
  const before = sizeOf(read, line)
  const bypass = violation === null ? null : `invalid ${violation.rule}`
  const tokens = { before, after: before - removedTokens }
  const receipt = { bypass, tokens, epoch, opened, saved }
  const turn = line === null ? null : awaitAnswer(line)
  return { body, receipt, turn, clears: null, fault: violation }
}

function sizeOf({ prefix, messages }: RequestRead<Body>, line: Line | null = null): number {
  const head = prefixSize(prefix.system) + prefixSize(prefix.tools)
  if (line !== null) return head + line.tokens
  const texts = messages.flatMap(({ items }) => items.map(({ text }) => text))
  return texts.reduce((sum, text) => sum + estimateTokens(text), head)
}

/** System prompts and tool definitions are the same in nearly all requests of a client. */
const prefixSize = remembered(estimateTokens, { most: 32, longest: Number.POSITIVE_INFINITY })

function epochsOf({ inherited, engine, unshown }: Line): number {
  let epochs = -unshown.length
  for (const { kind } of inherited ?? engine.ledger.entries) if (kind === 'epoch') epochs++
  return epochs
}

function tokensPerCharacter({ tokens, characters }: Line): number {
  return characters === 0 ? 0 : tokens / characters
}
