import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Access, callerRefusal, isLoopback, type Refusal, tokenRefusal } from './access.ts'
import type { Exchange } from './exchange.ts'
import type { ForwardedBody, Forwarder } from './forward.ts'
import { receiptHeader } from './forward-headers.ts'
import { asksForWebSocket } from './ignored-upgrade.ts'
import { type ListenerOptions, refuse } from './listener.ts'
import type { OwnRoutes } from './own-routes.ts'
import { forwardedReceipt, switchedOffReceipt } from './receipt.ts'
import { type Route, routeOf, targetRefusal, unknownPathRefusal } from './route.ts'
import type { TokenCheck } from './tokens/token-check.ts'
import { refuseUpgrade, tunnel } from './tunnel.ts'
import type { Upstreams } from './upstreams.ts'

export interface DispatchOptions {
  readonly access: Access
  readonly upstreams: Upstreams
  readonly ownRoutes: OwnRoutes
  readonly forwarder: Forwarder
  readonly tokenCheck: TokenCheck
  exchange(exchange: Exchange): Promise<void>
  onBrokenConnection(): void
}

/** Checks the caller, and passes each request to one of the gateway's own routes, to the engine, or straight to the upstream. */
export function createDispatcher(
  options: DispatchOptions,
): Pick<ListenerOptions, 'handle' | 'upgrade'> {
  const { access, upstreams, ownRoutes, forwarder, exchange, onBrokenConnection } = options
  const { tokenCheck } = options
  const { token } = access
  const isShared = !isLoopback(access.host)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const isOwn = ownRoutes.includes(url)
    const route = routeOf(method, url, headers, upstreams)
    const refused =
      targetRefusal(url) ??
      callerRefusal(request, access) ??
      (isOwn ? null : unknownPathRefusal(route, request, { isShared }))
    if (refused !== null) return refuse(response, refused)
    const isOpen = isOwn ? ownRoutes.isOpen(url) : route.model !== null || isModelList(route)
    const asked = await tokenCheck(request, { isForwarded: !isOwn, isOpen })
    if (asked.kind === 'refused') return refuse(response, asked.refusal)
    const { viewer } = asked
    if (isOwn) return ownRoutes.handle(request, response, viewer)
    const { model, path } = route
    const upstream = addressOf(route, upstreams)
    const isOff = route.off || String(headers[receiptHeader] ?? '').toLowerCase() === 'off'
    if (model !== null && !isOff)
      return exchange({ request, response, route, model, upstream, viewer })
    const receipt = isOff ? switchedOffReceipt : forwardedReceipt
    const format = model?.format ?? null
    await forwarder.forward({ request, response, upstream, path, format, body: streamed, receipt })
  }

  const upgrade: ListenerOptions['upgrade'] = (request, client, head, ignore) => {
    const { url = '/', headers } = request
    const route = routeOf('POST', url, headers, upstreams)
    const isIgnored = !asksForWebSocket(request) || ownRoutes.includes(url)
    const refused =
      targetRefusal(url) ??
      callerRefusal(request, access) ??
      (isIgnored ? null : unknownPathRefusal(route, request, { isShared })) ??
      (isIgnored ? null : webSocketRefusal(request, route, token))
    if (refused !== null) return refuseUpgrade(client, refused)
    if (isIgnored) return ignore()
    const upstream = addressOf(route, upstreams)
    const to = {
      upstream,
      path: route.path,
      receipt: forwardedReceipt,
      onBroken: onBrokenConnection,
    }
    tunnel(request, client, head, to)
  }

  return { handle, upgrade }
}

function webSocketRefusal(
  request: IncomingMessage,
  { model, off }: Route,
  token: string | null,
): Refusal | null {
  // Clients that could use a web socket fall back to plain requests, which can be pruned.
  if (model !== null && !off)
    return {
      status: 426,
      message: 'models are only served over plain HTTP requests, not web sockets',
    }
  return tokenRefusal(request, token, { isForwarded: true })
}

const streamed: ForwardedBody = { kind: 'stream', begin: null }

function addressOf({ upstream }: Route, upstreams: Upstreams): URL {
  const url = upstreams.get(upstream)
  if (url === undefined) throw new Error(`there is no upstream ${upstream}`)
  return url
}

/** Clients of models ask for lists of models with nothing but the provider's credential. */
function isModelList({ path }: Route): boolean {
  return /^\/v1(beta)?\/models([/?]|$)/.test(path)
}
