import os from 'node:os'
import type { Config } from '../config/config.ts'
import { createEngineMaker, type EngineMaker } from '../config/engine-maker.ts'
import type { Pauses } from '../config/pauses.ts'
import { findRegime } from '../core/schedule/regimes.ts'
import { createListener, type Listener } from '../memory/listen/listener.ts'
import { LiveSessions } from '../session/live-sessions.ts'
import { createSteadyClock } from '../session/steady-clock.ts'
import type { Store } from '../store/index.ts'
import { checkToken } from './access.ts'
import { createPlugService, type PlugService } from './compress/plug.ts'
import { createDecider, type IncomingRequest } from './decide.ts'
import type { Decided } from './decided.ts'
import { createDecisionQueue, type DecisionQueue, decideInTurn } from './decision-queue.ts'
import { createDelegation } from './delegation.ts'
import { createDispatcher } from './dispatch.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { createForwarder, type Forwarder } from './forward.ts'
import { createMemoryInjector, type MemoryToInject } from './inject-memory.ts'
import { type Limits, limitsFrom } from './limits.ts'
import { listen } from './listener.ts'
import { peopleUrl } from './operations/address.ts'
import { createOperations, type Operations } from './operations/operations.ts'
import type { OtlpSettings } from './operations/otlp/settings.ts'
import { startRetention, unrecordedLimits } from './operations/retention.ts'
import { createOwnRoutes, type OwnRoute, type OwnRoutes } from './own-routes.ts'
import type { RequestReport } from './record.ts'
import { createStatusCounter, type GatewayStatus, type StatusCounter } from './status.ts'
import { createTokenCheck } from './tokens/token-check.ts'
import type { Upstreams } from './upstreams.ts'
import { createUsageWriter, type UsageWriter } from './usage-writer.ts'
import { createVerifier, type Verifier } from './verify/verifier.ts'

export interface GatewayOptions {
  readonly store: Store
  readonly config: Config
  readonly upstreams: Upstreams
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** Required for everything but the models' routes, and when the gateway listens on another address than loopback. */
  readonly token?: string | null
  /** See `Access`. */
  readonly allowedHosts?: readonly string[]
  readonly ownRoutes?: readonly OwnRoute[]
  /** The memory that is injected when the configuration says so. */
  readonly memory?: Pick<MemoryToInject, 'use'> | undefined
  /** Whether the user's turns are read into the memory. */
  readonly learn?: boolean
  /** Gets one line for everything that was read into the memory. */
  readonly onRemembered?: (line: string) => void
  /** Gets every error inside the gateway. The affected request was sent unchanged. */
  readonly onFault?: (reason: string, fault: unknown) => void
  /** Gets every request for a model when its answer has ended, unless its body could not be read. */
  readonly onAnswered?: (report: RequestReport) => void
  /** Whether pruning is paused; never, when left out. */
  readonly pauses?: Pick<Pauses, 'isPaused'>
  /** Where traces and metrics are exported to; nowhere, when left out. */
  readonly otlp?: OtlpSettings | null
  /** The version of Palimpsest, for `/metrics`. */
  readonly version?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** How long the machine has run, asleep or awake, in milliseconds. */
  readonly uptimeMs?: () => number
  /** See `LiveSessionsOptions`. */
  readonly memoryBytes?: number
  /** The command that brings an original back in a shell on this machine, without its handle. */
  readonly restoreCommand?: string | null
}

export interface Gateway {
  readonly url: string
  readonly port: number
  status(): GatewayStatus
  /** Counts an error that nothing caught. */
  noteFault(): void
  /** Takes no more requests, and waits for open ones to finish for at most this long. */
  close(patienceMs?: number): Promise<void>
}

/** Starts a gateway that listens between agents and their providers. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host = '127.0.0.1', port = 0, token = null, config, onFault = () => {} } = options
  const access = { host, token, allowedHosts: options.allowedHosts ?? [] }
  checkToken(access)
  const { now = Date.now, onAnswered = () => {} } = options
  const operations = createOperations({
    store: options.store,
    version: options.version ?? 'unknown',
    sessionsInMemory: () => pipeline.sessions.size + plug.sessionsInMemory(),
    otlp: options.otlp ?? null,
    onFault: (fault) => onFault('traces or metrics were not exported', fault),
  })
  const counter = operations.counting(createStatusCounter(now()))
  const usageWriter = createUsageWriter((fault) => onFault('usage was not written', fault))
  const limits = limitsFrom(config.limits)
  const shared = {
    ...{ ...options, now, onFault, onAnswered, operations, counter, usageWriter, limits },
    clock: clockOf(options),
    queue: createDecisionQueue(),
  }
  const pipeline = createPipeline(shared)
  const plug = createPlug(shared)
  const { forwarder, exchange, status } = pipeline
  const dispatcher = createDispatcher({
    access,
    upstreams: options.upstreams,
    ownRoutes: ownRoutes(shared, [...statusRoutes(status), ...plug.routes]),
    forwarder,
    tokenCheck: createTokenCheck({ token, team: options.store.team, now }),
    exchange,
    onBrokenConnection: () => counter.countFault('connections'),
  })
  const listener = await listen({
    host,
    port,
    limits,
    ...dispatcher,
    handle: operations.handling(dispatcher.handle),
    onFault(kind, reason, fault) {
      counter.countFault(kind)
      if (fault !== undefined) onFault(reason, fault)
    },
  })
  const retention = startRetention({
    store: options.store,
    limits: config.record === 'none' ? unrecordedLimits : config.gc,
    now,
    onFault: (fault) => onFault('old sessions were not removed', fault),
  })
  return {
    url: peopleUrl(host, listener.port, access.allowedHosts),
    port: listener.port,
    status,
    noteFault: () => counter.countFault('internal'),
    async close(patienceMs = 30_000) {
      operations.stopping()
      retention.stop()
      await listener.close(patienceMs)
      await pipeline.settle()
      await plug.settle()
      forwarder.close()
      await operations.close()
    },
  }
}

/** A clock that is given alone is the only one. */
function clockOf({ now, uptimeMs }: Pick<GatewayOptions, 'now' | 'uptimeMs'>): () => number {
  if (now !== undefined && uptimeMs === undefined) return now
  return createSteadyClock({ now, uptimeMs: uptimeMs ?? (() => os.uptime() * 1000) })
}

/** The options of a gateway with its defaults, and the parts that several others use. */
interface SharedParts extends GatewayOptions {
  readonly now: () => number
  /** See `clockOf`. */
  readonly clock: () => number
  /** For requests of agents and calls of other gateways. */
  readonly queue: DecisionQueue
  readonly onFault: NonNullable<GatewayOptions['onFault']>
  readonly onAnswered: NonNullable<GatewayOptions['onAnswered']>
  readonly operations: Operations
  readonly counter: StatusCounter
  readonly usageWriter: UsageWriter
  readonly limits: Limits
}

/** Takes requests for a model through receive → decide → forward → record. */
interface Pipeline {
  readonly sessions: LiveSessions
  readonly forwarder: Forwarder
  readonly exchange: (exchange: Exchange) => Promise<void>
  status(): GatewayStatus
  /** Waits for what is written, checked and remembered after an answer. */
  settle(): Promise<void>
}

function createPipeline(shared: SharedParts): Pipeline {
  const { operations, usageWriter, counter, limits, onFault, onAnswered, now, clock } = shared
  const heard = listenerOf(shared)
  const { decide, sessions, maker } = decisionParts(
    { ...shared, store: operations.store, listener: heard },
    usageWriter,
    clock,
  )
  const verifier = verifierOf(shared, maker)
  const forwarder = createForwarder()
  const exchange = createExchange({
    decide: operations.timed(
      decideInTurn(shared.queue, verifier === null ? decide : verifier.watching(decide)),
    ),
    isInMemory: (identity) => sessions.has(identity),
    onShed: () => sessions.notePassed(clock()),
    forwarder,
    usageWriter,
    counter,
    limits,
    queue: shared.queue,
    onFault,
    onAnswered(report) {
      operations.answered(report)
      onAnswered(report)
    },
    now,
  })
  return {
    sessions,
    forwarder,
    exchange,
    status: () =>
      counter.status({
        sessions: sessions.size,
        verifies: verifier !== null,
        storeRenewals: shared.store.renewals?.() ?? 0,
      }),
    async settle() {
      await usageWriter.settle()
      await verifier?.settle()
      await heard?.settle()
    },
  }
}

function createPlug(shared: SharedParts): PlugService {
  const { operations, limits, onAnswered } = shared
  return createPlugService({
    ...shared,
    store: operations.store,
    bodyBytes: limits.bodyBytes,
    timed: operations.timed,
    verifierFor: (maker) => verifierOf(shared, maker),
    onAnswered(report) {
      operations.handedBack(report)
      onAnswered(report)
    },
  })
}

function statusRoutes(status: () => GatewayStatus): readonly OwnRoute[] {
  return [{ path: '/palimpsest/status', fetch: () => Response.json(status()) }]
}

function ownRoutes(shared: SharedParts, others: readonly OwnRoute[]): OwnRoutes {
  const { operations, counter, onFault } = shared
  const routes = [...operations.routes, ...(shared.ownRoutes ?? []), ...others]
  return createOwnRoutes(routes, (fault) => {
    counter.countFault('internal')
    onFault('request', fault)
  })
}

/** null unless the configuration asks for checks. */
function verifierOf(
  { store, config, usageWriter, counter, onFault }: SharedParts,
  maker: EngineMaker,
): Verifier | null {
  if (config.verify !== true) return null
  return createVerifier({
    store,
    maker,
    settle: usageWriter.settle,
    onVerified(breaches) {
      counter.countVerified(breaches)
      for (const { promise, message } of breaches)
        onFault('promise broken', new Error(`${promise}: ${message}`))
    },
    onFault: (fault) => onFault('a request was not checked', fault),
  })
}

function listenerOf({ learn, memory, onRemembered, onFault }: GatewayOptions): Listener | null {
  if (learn !== true || memory === undefined) return null
  return createListener({
    use: memory.use,
    onFault: (fault) => onFault?.('the memory did not read a message', fault),
    ...(onRemembered === undefined ? {} : { onChange: onRemembered }),
  })
}

function decisionParts(
  options: GatewayOptions & { readonly listener: Listener | null },
  { settle }: UsageWriter,
  now: () => number,
): {
  readonly sessions: LiveSessions
  readonly maker: EngineMaker
  readonly decide: (request: IncomingRequest) => Promise<Decided>
} {
  const { store, config, memory, memoryBytes, listener, restoreCommand = null } = options
  const { pauses = { isPaused: () => false } } = options
  const { models, regime, delegateClears } = config
  const { inject, budgetTokens } = config.memory ?? {}
  const maker = createEngineMaker(config)
  const kept = memoryBytes === undefined ? {} : { memoryBytes }
  const sessions = new LiveSessions({ store, maker, settle, isLive: true, ...kept })
  const decide = createDecider({
    sessions,
    maker,
    models,
    regime: regime === undefined ? undefined : findRegime(regime),
    delegation: delegateClears === true ? createDelegation(maker.settings, maker.protection) : null,
    memory:
      inject === true && memory !== undefined
        ? createMemoryInjector({ ...memory, budgetTokens })
        : null,
    pauses,
    listener,
    restoreCommand,
    now,
  })
  return { sessions, maker, decide }
}
