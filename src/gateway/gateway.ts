import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import { findRegime } from '../core/schedule/regimes.ts'
import { createLiveSessions, type LiveSessions } from '../session/live-sessions.ts'
import type { Store } from '../store/index.ts'
import { checkToken, isLoopback } from './access.ts'
import { createDecider, type IncomingRequest } from './decide.ts'
import type { Decided } from './decided.ts'
import { createDelegation } from './delegation.ts'
import { createDispatcher } from './dispatch.ts'
import { createExchange } from './exchange.ts'
import { createForwarder } from './forward.ts'
import { createMemoryInjector, type MemoryToInject } from './inject-memory.ts'
import { listen } from './listener.ts'
import { createOwnRoutes, type OwnRoute } from './own-routes.ts'
import { createStatusCounter, type GatewayStatus } from './status.ts'
import type { Upstreams } from './upstreams.ts'
import { createUsageWriter, type UsageWriter } from './usage-writer.ts'

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
  /** Gets every error inside the gateway. The request in question was sent unchanged. */
  readonly onFault?: (reason: string, fault: unknown) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
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
  const { host = '127.0.0.1', port = 0, now = Date.now } = options
  const { token = null, onFault = () => {} } = options
  const access = { host, token, allowedHosts: options.allowedHosts ?? [] }
  checkToken(access)
  const counter = createStatusCounter(now())
  const usageWriter = createUsageWriter((fault) => onFault('usage was not written', fault))
  const { decide, sessions } = decisionParts(options, usageWriter, now)
  const forwarder = createForwarder()
  const exchange = createExchange({ decide, forwarder, usageWriter, counter, onFault, now })
  const status = (): GatewayStatus => counter.status(sessions.size)
  const ownRoutes = createOwnRoutes(
    [
      ...(options.ownRoutes ?? []),
      { path: '/palimpsest/status', fetch: () => Response.json(status()) },
    ],
    (fault) => {
      counter.countFault('internal')
      onFault('request', fault)
    },
  )

  const dispatcher = createDispatcher({
    access,
    upstreams: options.upstreams,
    ownRoutes,
    forwarder,
    exchange,
    onBrokenConnection: () => counter.countFault('connections'),
  })
  const listener = await listen({
    host,
    port,
    ...dispatcher,
    onFault(kind, reason, fault) {
      counter.countFault(kind)
      if (fault !== undefined) onFault(reason, fault)
    },
  })
  const shown = isLoopback(host) || host.includes('.') ? host : `[${host.replace(/^\[|\]$/g, '')}]`
  return {
    url: `http://${shown}:${listener.port}`,
    port: listener.port,
    status,
    noteFault: () => counter.countFault('internal'),
    async close(patienceMs = 30_000) {
      await listener.close(patienceMs)
      await usageWriter.settle()
      forwarder.close()
    },
  }
}

function decisionParts(
  { store, config, memory, memoryBytes, restoreCommand = null }: GatewayOptions,
  { settle }: UsageWriter,
  now: () => number,
): {
  readonly sessions: LiveSessions
  readonly decide: (request: IncomingRequest) => Promise<Decided>
} {
  const { models, regime, delegateClears } = config
  const { inject, budgetTokens } = config.memory ?? {}
  const maker = createEngineMaker(config)
  const kept = memoryBytes === undefined ? {} : { memoryBytes }
  const sessions = createLiveSessions({ store, maker, settle, ...kept })
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
    restoreCommand,
    now,
  })
  return { sessions, decide }
}
