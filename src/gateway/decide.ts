import type { EngineMaker } from '../config/engine-maker.ts'
import type { Pauses } from '../config/pauses.ts'
import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { ProjectedChange } from '../core/session/project.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { offeredTools } from '../formats/offered-tools.ts'
import type { Listener } from '../memory/listen/listener.ts'
import type { Moment } from '../session/branch.ts'
import type { Identity } from '../session/identity.ts'
import type { LiveSessions } from '../session/live-sessions.ts'
import type { ReadRequest } from '../session/read-request.ts'
import { bypassed, type Decided, unchanged } from './decided.ts'
import type { Clears, Delegation } from './delegation.ts'
import type { MemoryInjector } from './inject-memory.ts'
import { listenTo } from './listen.ts'
import { restoreWords } from './restore-hint.ts'
import { rewriteBody } from './rewrite-body.ts'
import type { ModelRoute } from './route.ts'
import { createSavings } from './savings.ts'
import { createStoreBreaker, faultReason } from './store-breaker.ts'
import {
  hasBoundReasoning,
  projectRequest,
  type SessionRequest,
  type TurnParts,
  takeTurn,
} from './take-turn.ts'
import { workingDirectoryIn } from './working-directory.ts'

export interface IncomingRequest {
  readonly route: ModelRoute
  /** The name of the upstream. */
  readonly upstream: string
  readonly identity: Identity
  readonly body: Body
  /** Whether the client is on this machine. */
  readonly isLocal: boolean
  /** Stands before handles, in place of what the request's tools offer. */
  readonly restore?: string
  /** Whether the provider may have the request cached; when left out, as its body says. */
  readonly mayBeCached?: boolean
  /** False for changes that the caller cannot make; all of them when left out. */
  canChange?(read: RequestRead<Body>, change: ProjectedChange): boolean
}

export interface DecideOptions {
  readonly sessions: LiveSessions
  readonly maker: EngineMaker
  readonly models: readonly ModelOverride[] | undefined
  /** Replaces the model's own prices. */
  readonly regime: Regime | undefined
  /** Leaves clears to the provider. */
  readonly delegation: Delegation | null
  /** Adds memory to requests. */
  readonly memory: MemoryInjector | null
  /** Whether pruning is paused. */
  readonly pauses: Pick<Pauses, 'isPaused'>
  /** Reads the user's turns into the memory. */
  readonly listener?: Listener | null
  /** The command that brings an original back in a shell on this machine. */
  readonly restoreCommand: string | null
  /** The agent's folder, for requests that name none. */
  readonly cwd?: string | null | undefined
  now(): number
}

/**
 * Decides what is sent in place of a request, one request after the other for each session. Never rejects: when something
 * goes wrong, the original is sent.
 */
export function createDecider(
  options: DecideOptions,
): (request: IncomingRequest) => Promise<Decided> {
  const { sessions, maker, models, regime, memory, pauses, now } = options
  const breaker = createStoreBreaker(now)
  const savings = createSavings({ models, regime, isEager: maker.settings.schedule === 'eager' })
  const parts = { breaker, savings, memory, models, pauses }
  sessions.notePassed(now())

  async function decideOrPass(request: IncomingRequest): Promise<Decided> {
    try {
      return await decide(options, parts, request)
    } catch (fault) {
      const reason = faultReason(fault)
      if (reason.startsWith('store-')) breaker.trip(fault)
      return { ...bypassed(request.body, reason), fault }
    }
  }

  return async (request) => {
    const at = now()
    const decided = await decideOrPass(request)
    if (decided.receipt.bypass?.startsWith('store-') === true) sessions.notePassed(at)
    return decided
  }
}

async function decide(
  options: DecideOptions,
  parts: TurnParts,
  incoming: IncomingRequest,
): Promise<Decided> {
  const { route, identity, body } = incoming
  if (bodyFormats[route.format].wire.isContinuation(body))
    return bypassed(body, 'the provider keeps the history')
  const request = options.sessions.read(identity, route.format, body)
  const { read } = request
  if (read.problem !== null) {
    const { where, message } = read.problem
    return bypassed(body, `not understood at ${where}: ${message}`)
  }
  if (read.messages.length === 0) return unchanged(read)
  const model = read.model ?? route.model
  const facts = modelFacts(model, options.models)
  const storeProblem = parts.breaker.openReason()
  const isKnown = storeProblem === null || options.sessions.holds(identity, request)
  if (!isKnown && !hasBoundReasoning(read, facts)) return bypassed(body, storeProblem)
  const { upstream } = incoming
  const { contextLimit } = facts
  const asked = { route, upstream, model, contextLimit, read }
  const clears = options.delegation?.clearsFor(asked) ?? null
  const moment = momentOf(options, incoming, request, clears)
  const { canChange } = incoming
  const applicable = (changes: readonly ProjectedChange[]): readonly ProjectedChange[] =>
    canChange === undefined ? changes : changes.filter((change) => canChange(read, change))
  const decided = await options.sessions.use(identity, request, async (session) => {
    const { format } = route
    const rewrite: SessionRequest['rewrite'] = (changes, how) =>
      rewriteBody(format, read, applicable(changes), how)
    const placed = { session, request, moment, format, rewrite }
    const turnParts = identity.isStranger === true ? { ...parts, memory: null } : parts
    if (route.purpose !== 'answer') return projectRequest(turnParts, placed)
    if (isAside(read) && session.project(null, request, moment).changes.length === 0) {
      session.remember({ messages: read.messages, sent: request.sent, at: moment.at, model })
      return unchanged(read)
    }
    if (options.listener)
      listenTo(options.listener, {
        read,
        identity,
        session: session.name,
        project: moment.cwd ?? 'unknown',
      })
    return takeTurn(turnParts, placed)
  })
  const isOurs = decided.receipt.bypass === null && decided.receipt.isPaused !== true
  return isOurs ? { ...decided, clears } : decided
}

function momentOf(
  { restoreCommand, cwd = null, now }: DecideOptions,
  { route, isLocal, restore, body, mayBeCached }: IncomingRequest,
  { read, from }: ReadRequest,
  clears: Clears | null,
): Moment {
  return {
    at: now(),
    model: read.model ?? route.model,
    lifetime: bodyFormats[route.format].wire.lifetimeIn(read.prefix),
    cwd: from === null ? (workingDirectoryIn(read) ?? cwd) : from.cwd,
    restore: restore ?? restoreWords(read, route.format, { command: restoreCommand, isLocal }),
    mayBeCached: mayBeCached ?? bodyFormats[route.format].wire.mayBeCached(body),
    prefixCharacters: read.prefix.system.length + read.prefix.tools.length,
    ...(clears === null ? {} : { isDelegated: true }),
  }
}

/** Whether a request is a side question, for example for a title, in which nothing can be replaced. */
export function isAside(read: RequestRead<Body>): boolean {
  const hasResults = read.messages.some(({ items }) => items.some(({ kind }) => kind === 'result'))
  return !hasResults && offeredTools(read).length === 0
}
