import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import { findRegime } from '../core/schedule/regimes.ts'
import { createLiveSessions, type LiveSessions } from '../session/live-sessions.ts'
import type { Store } from '../store/index.ts'
import { callerRefusal, checkToken, isLoopback, type Refusal, tokenRefusal } from './access.ts'
import { createDecider, type IncomingRequest } from './decide.ts'
import type { Decided } from './decided.ts'
import { createDelegation } from './delegation.ts'
import { createExchange } from './exchange.ts'
import { createForwarder, type ForwardedBody } from './forward.ts'
import { receiptHeader } from './forward-headers.ts'
import { asksForWebSocket } from './ignored-upgrade.ts'
import { createMemoryInjector, type MemoryToInject } from './inject-memory.ts'
import { listen, refuse } from './listener.ts'
import { createOwnRoutes, type OwnRoute } from './own-routes.ts'
import { passedReceipt, switchedOffReceipt } from './receipt.ts'
import { type Route, routeOf, targetRefusal } from './route.ts'
import { createStatusCounter, type GatewayStatus } from './status.ts'
import { refuseUpgrade, tunnel } from './tunnel.ts'
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
  const { upstreams, host = '127.0.0.1', port = 0, now = Date.now } = options
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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const isOwn = ownRoutes.includes(url)
    const route = routeOf(method, url, headers, upstreams)
    const isOpen = !isOwn && (route.model !== null || isModelList(route))
    const refused =
      targetRefusal(url) ??
      callerRefusal(request, access) ??
      (isOpen ? null : tokenRefusal(request, token, { isPassedOn: !isOwn }))
    if (refused !== null) return refuse(response, refused)
    if (isOwn) return ownRoutes.handle(request, response)
    const { model, path } = route
    const upstream = addressOf(route)
    const isOff = route.off || String(headers[receiptHeader] ?? '').toLowerCase() === 'off'
    if (model !== null && !isOff) return exchange({ request, response, route, model, upstream })
    const receipt = isOff ? switchedOffReceipt : passedReceipt
    await forwarder.forward({ request, response, upstream, path, body: streamed, receipt })
  }

  function upgrade(
    request: IncomingMessage,
    client: Socket,
    head: Buffer,
    ignore: () => void,
  ): void {
    const { url = '/', headers } = request
    const route = routeOf('POST', url, headers, upstreams)
    const isIgnored = !asksForWebSocket(request) || ownRoutes.includes(url)
    const refused =
      targetRefusal(url) ??
      callerRefusal(request, access) ??
      (isIgnored ? null : socketRefusal(request, route))
    if (refused !== null) refuseUpgrade(client, refused)
    else if (isIgnored) ignore()
    else {
      const onBroken = (): void => counter.countFault('connections')
      const to = { upstream: addressOf(route), path: route.path, receipt: passedReceipt, onBroken }
      tunnel(request, client, head, to)
    }
  }

  function socketRefusal(request: IncomingMessage, { model, off }: Route): Refusal | null {
    if (model !== null && !off) return plainOnly
    return tokenRefusal(request, token, { isPassedOn: true })
  }

  function addressOf({ upstream }: Route): URL {
    const url = upstreams.get(upstream)
    if (url === undefined) throw new Error(`no upstream is called ${upstream}`)
    return url
  }

  const listener = await listen({
    host,
    port,
    handle,
    upgrade,
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

/** Clients that could use a web socket fall back to plain requests, which can be pruned. */
const plainOnly: Refusal = { status: 426, message: 'send plain requests to models, no web socket' }

const streamed: ForwardedBody = { kind: 'stream', begin: null }

/** Clients of models ask for lists of models with nothing but the provider's credential. */
function isModelList({ path }: Route): boolean {
  return /^\/v1(beta)?\/models([/?]|$)/.test(path)
}
