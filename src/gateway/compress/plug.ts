import { createEngineMaker, type EngineMaker } from '../../config/engine-maker.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { longHandle } from '../../core/record/handles.ts'
import { findRegime } from '../../core/schedule/regimes.ts'
import type { Settings } from '../../core/words/settings.ts'
import { clientFacts } from '../../formats/client-facts.ts'
import type { Identity } from '../../session/identity.ts'
import { LiveSessions } from '../../session/live-sessions.ts'
import { createBodyBudget } from '../body-budget.ts'
import { createDecider, type IncomingRequest } from '../decide.ts'
import { bypassed, type Decided } from '../decided.ts'
import {
  type Arrival,
  type DecisionQueue,
  decideInTurn,
  type QueuedWork,
} from '../decision-queue.ts'
import type { GatewayOptions } from '../gateway.ts'
import type { OwnRoute } from '../own-routes.ts'
import { busyReason } from '../receive.ts'
import { record } from '../record.ts'
import type { StatusCounter } from '../status.ts'
import { mayBindReasoning } from '../take-turn.ts'
import type { UsageWriter } from '../usage-writer.ts'
import type { Verifier } from '../verify/verifier.ts'
import { answerCompress } from './compress-route.ts'
import type { Conversation } from './conversation.ts'
import { answerGuardrail } from './guardrail-route.ts'
import { hashPrefix, retrieveHint } from './marks.ts'
import { answerRetrieve } from './retrieve-route.ts'

/** A call of another gateway, which sends the messages of a request and wants them back shorter. */
export interface PlugCall {
  readonly request: Request
  readonly arrived: Arrival
  readonly conversation: Conversation
  readonly identity: Identity
  readonly model: string | null
  /** The caller sends the original, so nothing is counted as saved. */
  readonly isAudit: boolean
  /** Whether the agent gets a tool for hashes. Without one, only what newer work has replaced is left out. */
  readonly canRetrieve: boolean
  /** For a caller that can change texts only: whether a change is one. */
  readonly canChange?: IncomingRequest['canChange']
}

export interface Plug {
  readonly store: GatewayOptions['store']
  decide(call: PlugCall): Promise<Decided>
  onFault(reason: string, fault: unknown): void
}

type QueuedDecider = (work: QueuedWork<IncomingRequest>) => Promise<Decided | null>

export interface PlugOptions
  extends Pick<GatewayOptions, 'store' | 'config' | 'memoryBytes' | 'pauses'> {
  readonly usageWriter: UsageWriter
  readonly counter: StatusCounter
  /** See `Limits`. */
  readonly bodyBytes: number
  readonly onFault: NonNullable<GatewayOptions['onFault']>
  readonly onAnswered: NonNullable<GatewayOptions['onAnswered']>
  /** Milliseconds since 1970, and the clock by which a session is idle. */
  now(): number
  clock(): number
  readonly queue: DecisionQueue
  /** Measures how long decisions take. */
  timed(decide: QueuedDecider): QueuedDecider
  /** What checks requests afterwards, for decisions of this maker; null when nothing does. */
  verifierFor(maker: EngineMaker): Verifier | null
}

/** What other gateways call: LiteLLM, Portkey, Kong. Their sessions are handled as on the model routes. */
export interface PlugService {
  readonly routes: readonly OwnRoute[]
  sessionsInMemory(): number
  /** Waits for the checks that are running. */
  settle(): Promise<void>
}

export function createPlugService(options: PlugOptions): PlugService {
  const deciders = createDeciders(options)
  return {
    routes: routesOf(createPlug(options, deciders), options),
    sessionsInMemory: () => deciders.all.sessions.size + deciders.texts.sessions.size,
    settle: async () => deciders.verifier?.settle(),
  }
}

function routesOf(plug: Plug, options: PlugOptions): readonly OwnRoute[] {
  const budget = createBodyBudget(options.bodyBytes)
  const withBody =
    (answer: typeof answerCompress): OwnRoute['fetch'] =>
    async (request, viewer) => {
      const arrived = options.queue.arrival()
      const share = budget.share()
      try {
        return await answer(plug, { request, viewer, share, arrived })
      } finally {
        share.release()
      }
    }
  return [
    { path: '/v1/compress', fetch: withBody(answerCompress) },
    {
      path: '/v1/retrieve',
      fetch: (request, viewer) => answerRetrieve(plug, { request, viewer }),
    },
    { path: '/beta/litellm_basic_guardrail_api', fetch: withBody(answerGuardrail) },
  ]
}

/** Decides, with the sessions that it has in memory. */
interface DecidingSessions {
  readonly decide: QueuedDecider
  readonly sessions: LiveSessions
}

interface Deciders {
  readonly all: DecidingSessions
  /** For callers that can change texts only. */
  readonly texts: DecidingSessions
  readonly verifier: Verifier | null
}

function createDeciders(options: PlugOptions): Deciders {
  const { store, config, memoryBytes, usageWriter, clock } = options
  const { models, regime } = config
  const kept = memoryBytes === undefined ? {} : { memoryBytes }
  const makerWith = (settings: Settings): EngineMaker =>
    createEngineMaker(config, { settings, handleLength: longHandle })
  const decidingWith = (maker: EngineMaker, verifier: Verifier | null): DecidingSessions => {
    const sessions = new LiveSessions({
      ...{ store, maker, ...kept },
      origin: 'plug',
      isLive: true,
      keepsApart: true,
      settle: usageWriter.settle,
    })
    const decide = createDecider({
      sessions,
      maker,
      models,
      regime: regime === undefined ? undefined : findRegime(regime),
      delegation: null,
      memory: null,
      pauses: options.pauses ?? { isPaused: () => false },
      restoreCommand: null,
      now: clock,
    })
    const watched = verifier === null ? decide : verifier.watching(decide)
    return { sessions, decide: options.timed(decideInTurn(options.queue, watched)) }
  }
  const settings = resolveSettings(config)
  const maker = makerWith(settings)
  const verifier = options.verifierFor(maker)
  return {
    all: decidingWith(maker, verifier),
    texts: decidingWith(makerWith(withoutInputs(settings)), null),
    verifier,
  }
}

function createPlug(options: PlugOptions, deciders: Deciders): Plug {
  const { store, usageWriter, counter, onFault, onAnswered, now } = options
  return {
    store,
    onFault(reason, fault) {
      counter.countFault('internal')
      onFault(reason, fault)
    },
    async decide(call) {
      const { request, conversation, identity, model, isAudit, canChange } = call
      const at = now()
      const { format, body } = conversation
      const route = { format, purpose: 'answer', model } as const
      const { decide, sessions } = canChange === undefined ? deciders.all : deciders.texts
      const inTurn = await decide({
        queued: {
          arrived: call.arrived,
          isKnown: sessions.has(identity),
          mayPass: () => !mayBindReasoning(body),
        },
        request: {
          route,
          upstream: 'compress',
          identity: conversation.isWhole ? identity : { ...identity, isPart: true },
          body,
          isLocal: false,
          restore: call.canRetrieve ? retrieveHint : hashPrefix,
          // The caller has the system prompt and the tools, where clients ask for caching too.
          mayBeCached: true,
          ...(canChange === undefined ? {} : { canChange }),
        },
      })
      if (inTurn === null) sessions.notePassed(options.clock())
      const decided = inTurn ?? bypassed(body, busyReason)
      const { receipt, turn, fault } = decided
      if (fault !== null) onFault(receipt.bypass ?? 'unknown', fault)
      if (isAudit) {
        if (turn !== null) turn.branch?.noteAnswer(turn, null, {})
        return decided
      }
      counter.countRequest(receipt, decided.body !== body)
      const viewer = { owner: identity.owner ?? null }
      const client = clientFacts(Object.fromEntries(request.headers), request.url)
      onAnswered(
        record({ model: route, decided, answered: handedBack, client, at, viewer }, usageWriter),
      )
      return decided
    },
  }
}

/** For callers that can change texts only: inputs of calls stay, so no note may say that they were left out. */
function withoutInputs(settings: Settings): Settings {
  return {
    ...settings,
    pruneToolInputs: false,
    supersedeWrites: false,
    pruneReplacedText: false,
    oldInputs: { ...settings.oldInputs, enabled: false },
    history: { ...settings.history, compressEdits: false },
  }
}

/** The caller sends the request, and says nothing about its answer. */
const handedBack = {
  status: 200,
  usage: null,
  firstByteMs: null,
  error: null,
  isFallback: false,
  limits: null,
} as const
