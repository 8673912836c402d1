import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import { findRegime } from '../core/schedule/regimes.ts'
import type { Store } from '../store/index.ts'
import {
  callerRefusal,
  checkToken,
  isFromThisMachine,
  isLoopback,
  type Refusal,
  tokenRefusal,
} from './access.ts'
import { accessTo } from './access-table.ts'
import { createBodyRoom } from './body-room.ts'
import { createDecider, type Decided } from './decide.ts'
import { clearingBeta, createDelegation, withClears } from './delegation.ts'
import { type Answered, createForwarder, type ForwardedBody, type Forwarding } from './forward.ts'
import { identityOf } from './identity.ts'
import { asksForWebSocket } from './ignored-upgrade.ts'
import { createLateFigures } from './late-figures.ts'
import { listen, refuse } from './listener.ts'
import { receiptHeader } from './passing-headers.ts'
import { passedOn, receiptText, switchedOff } from './receipt.ts'
import { collectBody, decodeBody } from './request-body.ts'
import { type ModelRoute, type Route, routeOf, targetRefusal } from './route.ts'
import { createSessions } from './sessions.ts'
import { aftermathOf, createTally, type GatewayStatus } from './statistics.ts'
import { createTelling, type MemoryToTell } from './telling.ts'
import { refuseUpgrade, tunnel } from './tunnel.ts'
import type { Upstreams } from './upstreams.ts'

/** A page or an interface of our own, beside the models' routes: `/mcp`, the dashboard, … */
export interface OwnRoute {
  /** A first segment of a path, such as `/mcp`; all below it belongs to it. */
  readonly path: string
  handle(request: IncomingMessage, response: ServerResponse): void | Promise<void>
}

export interface GatewayOptions {
  readonly store: Store
  readonly config: Config
  readonly upstreams: Upstreams
  /** 127.0.0.1 unless somebody says otherwise. */
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
  /** Required for everything but the models' routes, and where the gateway can be reached from elsewhere. */
  readonly token?: string | null
  /** See `Access`. */
  readonly allowedHosts?: readonly string[]
  readonly ownRoutes?: readonly OwnRoute[]
  /** What is remembered, to be told where the configuration says so. */
  readonly memory?: Pick<MemoryToTell, 'use'> | undefined
  /** Told what went wrong inside; the request in question went through as it came. */
  readonly onFault?: (reason: string, fault: unknown) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** See `SessionsOptions`. */
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
  /** Lets the answers that are on their way come to their end, for so long at most, and takes no more requests. */
  close(patienceMs?: number): Promise<void>
}

/** Listens between agents and their providers. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { store, config, upstreams, host = '127.0.0.1', port = 0, now = Date.now } = options
  const { token = null, ownRoutes = [], onFault = () => {} } = options
  for (const { path } of ownRoutes) accessTo('HTTP', path)
  const access = { host, token, allowedHosts: options.allowedHosts ?? [] }
  checkToken(access)
  const maker = createEngineMaker(config)
  const kept = options.memoryBytes === undefined ? {} : { memoryBytes: options.memoryBytes }
  const figures = createLateFigures((fault) => onFault('figures were not kept', fault))
  const sessions = createSessions({ store, maker, settle: figures.settle, ...kept })
  const regime = config.regime === undefined ? undefined : findRegime(config.regime)
  const inject = config.memory?.inject === true ? options.memory : undefined
  const telling = inject && createTelling({ ...inject, budgetTokens: config.memory?.budgetTokens })
  const delegation =
    config.delegateClears === true ? createDelegation(maker.settings, maker.protection) : null
  const { models } = config
  const decide = createDecider({
    ...{ sessions, maker, models, regime, delegation, telling, now },
    restoreCommand: options.restoreCommand ?? null,
  })
  const forwarder = createForwarder()
  const tally = createTally(now())
  const room = createBodyRoom()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const own = ownRouteFor(url)
    const route = routeOf(method, url, headers, upstreams)
    const isOpen = own === undefined && (route.model !== null || isModelList(route))
    const refused =
      targetRefusal(url) ??
      callerRefusal(request, access) ??
      (isOpen ? null : tokenRefusal(request, token, { isPassedOn: own === undefined }))
    if (refused !== null) return refuse(response, refused)
    if (own !== undefined) return own.handle(request, response)
    const { model } = route
    const off = route.off || String(headers[receiptHeader] ?? '').toLowerCase() === 'off'
    if (model === null || off) {
      const receipt = off ? switchedOff : passedOn
      await send(request, response, route, streamed, receipt)
      return
    }
    await pass(request, response, route, model)
  }

  function ownRouteFor(url: string): OwnRoute | undefined {
    const path = url.split('?', 1)[0] as string
    return [...ownRoutes, statusRoute].find(
      (route) => path === route.path || path.startsWith(`${route.path}/`),
    )
  }

  /** Nothing here holds on to the body while its answer is on its way. */
  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    model: ModelRoute,
  ): Promise<void> {
    return prepare(request, route, model).then(({ body, receipt, more, over }) =>
      send(request, response, route, body, receipt, more).then(over),
    )
  }

  async function prepare(
    request: IncomingMessage,
    route: Route,
    model: ModelRoute,
  ): Promise<Prepared> {
    const leave = await room.take(Number(request.headers['content-length'] ?? 0) || 0)
    try {
      return await decideAbout(request, route, model)
    } finally {
      leave()
    }
  }

  async function decideAbout(
    request: IncomingMessage,
    route: Route,
    model: ModelRoute,
  ): Promise<Prepared> {
    const collected = await collectBody(request)
    if (collected.kind === 'large') {
      const body = { kind: 'stream', begin: collected.begin } as const
      return bypassing(body, 'the body is too large')
    }
    const original = { kind: 'original', bytes: collected.bytes } as const
    const decoded = await decodeBody(collected.bytes, request.headers['content-encoding'])
    if (decoded.kind === 'refused') return bypassing(original, decoded.reason)
    const { headers, url = '/' } = request
    const identity = identityOf({ headers, url, format: model.format, body: decoded.bytes })
    const at = now()
    const { upstream } = route
    const { body, ...decided } = await decide({
      route: model,
      upstream,
      identity,
      body: decoded.bytes,
      isLocal: isFromThisMachine(request),
    })
    const isChanged = body !== decoded.bytes
    tally.add(decided, isChanged)
    if (decided.fault !== null) onFault(decided.receipt.bypass ?? 'unknown', decided.fault)
    const outgoing = isChanged ? ({ kind: 'changed', bytes: bytesOf(body) } as const) : original
    const receipt = receiptText(decided.receipt)
    if (decided.clears === null)
      return { body: outgoing, receipt, more: {}, over: ending(model, decided, at) }
    const delegated = { ...decided, receipt: { ...decided.receipt, isDelegated: true } }
    return {
      body: { kind: 'changed', bytes: withClears(body, decided.clears) },
      receipt: receiptText(delegated.receipt),
      more: { beta: clearingBeta, fallback: { body: outgoing, receipt } },
      over: ending(model, decided, at, delegated),
    }
  }

  /** What is done when an answer is over. */
  function ending(
    model: ModelRoute,
    decided: Passed,
    at: number,
    delegated: Passed = decided,
  ): Prepared['over'] {
    return (answered) => {
      if (answered.isFallback && answered.status !== 400) decided.clears?.refused()
      keep(model, answered.isFallback ? decided : delegated, answered, at)
    }
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    body: ForwardedBody,
    receipt: string,
    more: Pick<Forwarding, 'beta' | 'fallback'> = {},
  ): Promise<Answered> {
    const [upstream, { path }] = [addressOf(route), route]
    return forwarder.forward({ request, response, upstream, path, body, receipt, ...more })
  }

  function addressOf({ upstream }: Route): URL {
    const url = upstreams.get(upstream)
    if (url === undefined) throw new Error(`no upstream is called ${upstream}`)
    return url
  }

  function keep(model: ModelRoute, decided: Passed, answered: Answered, at: number): void {
    const { turn } = decided
    if (turn === null) return
    const { receipt, statistics } = aftermathOf(model, decided, answered, at)
    const besides = { receipts: [receipt], statistics }
    const { line, writer } = turn
    line?.awaited.delete(turn)
    let isNew = false
    if (line?.anchor === undefined) writer.noteBesides(besides)
    else {
      // What the provider cleared is in what was sent, and not in its figures.
      const { usage } = answered
      if (usage !== null && !usage.cleared) isNew = line.engine.usage(usage, line.model)
      writer.note(line.engine, { anchor: line.anchor }, besides)
    }
    figures.noted(writer)
    // What an answer shows of the cache's lifetime decides about later requests.
    if (isNew) void figures.settle()
  }

  const statusRoute: OwnRoute = {
    path: accessTo('HTTP', '/palimpsest/status').name,
    handle: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(tally.status(sessions.size)))
    },
  }

  function upgrade(
    request: IncomingMessage,
    client: Socket,
    head: Buffer,
    ignore: () => void,
  ): void {
    const { url = '/', headers } = request
    const route = routeOf('POST', url, headers, upstreams)
    const isOfModel = route.model !== null && !route.off
    const isIgnored = !asksForWebSocket(request) || ownRouteFor(url) !== undefined
    const refused =
      targetRefusal(url) ??
      callerRefusal(request, access) ??
      (isIgnored
        ? null
        : isOfModel
          ? plainOnly
          : tokenRefusal(request, token, { isPassedOn: true }))
    if (refused !== null) refuseUpgrade(client, refused)
    else if (isIgnored) ignore()
    else {
      const onBroken = (): void => tally.fault('connections')
      const to = { upstream: addressOf(route), path: route.path, receipt: passedOn, onBroken }
      tunnel(request, client, head, to)
    }
  }

  const listener = await listen({
    host,
    port,
    handle,
    upgrade,
    onFault(kind, reason, fault) {
      tally.fault(kind)
      if (fault !== undefined) onFault(reason, fault)
    },
  })
  const shown = isLoopback(host) || host.includes('.') ? host : `[${host.replace(/^\[|\]$/g, '')}]`
  return {
    url: `http://${shown}:${listener.port}`,
    port: listener.port,
    status: () => tally.status(sessions.size),
    noteFault: () => tally.fault('internal'),
    async close(patienceMs = 30_000) {
      await listener.close(patienceMs)
      await figures.settle()
      forwarder.close()
    },
  }
}

/** What was decided, without the body, which may be large. */
type Passed = Omit<Decided, 'body'>

interface Prepared {
  readonly body: ForwardedBody
  readonly receipt: string
  readonly more: Pick<Forwarding, 'beta' | 'fallback'>
  over(answered: Answered): void
}

function bypassing(body: ForwardedBody, reason: string): Prepared {
  return { body, receipt: bypassText(reason), more: {}, over() {} }
}

/** Clients that may talk to a model over a web socket fall back to plain requests, which can be pruned. */
const plainOnly: Refusal = { status: 426, message: 'send plain requests to models, no web socket' }

const streamed: ForwardedBody = { kind: 'stream', begin: null }

function bypassText(reason: string): string {
  return receiptText({ bypass: reason, tokens: null, epoch: null, opened: null, saved: null })
}

function bytesOf(body: Decided['body']): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** Lists of models are asked for by the clients of models, with nothing but the provider's credential. */
function isModelList({ path }: Route): boolean {
  return /^\/v1(beta)?\/models([/?]|$)/.test(path)
}
