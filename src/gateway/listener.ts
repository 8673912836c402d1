import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Refusal } from './access.ts'
import { type Connections, createConnections } from './connections.ts'
import { withoutUpgrade } from './ignored-upgrade.ts'
import type { Limits } from './limits.ts'
import { createStallWatch } from './stalled.ts'
import type { FaultCounts } from './status.ts'
import { refuseUpgrade } from './tunnel.ts'

/** The longest time in which a request may arrive. */
const requestTimeout = 1_800_000
const keepAliveTimeout = 75_000

export interface ListenerOptions {
  readonly host: string
  readonly port: number
  readonly limits: Limits
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Handles a request for another protocol. `ignore` has it handled as a plain one. */
  upgrade(request: IncomingMessage, client: Socket, head: Buffer, ignore: () => void): void
  /** Gets what went wrong. `fault` is missing when there is nothing to log. */
  onFault(kind: keyof FaultCounts, reason: string, fault?: unknown): void
}

export interface Listener {
  readonly port: number
  /** Takes no more requests, and waits for open ones to finish for at most this long. */
  close(patienceMs: number): Promise<void>
}

/** Starts the HTTP server. No connection can stop the others or the process. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host, port, onFault } = options
  const open: OpenWork = { requests: new Set(), upgraded: new Set() }
  const server = createServer(options, open)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // Too many open files, for example: the next connection may be accepted again.
  server.on('error', (fault) => onFault('internal', 'connection', fault))
  return {
    port: (server.address() as AddressInfo).port,
    close: (patienceMs) => close(server, open, patienceMs),
  }
}

interface OpenWork {
  readonly requests: Set<Promise<void>>
  /** Connections that the server has handed over. */
  readonly upgraded: Set<Socket>
}

function createServer(options: ListenerOptions, open: OpenWork): http.Server {
  const { onFault, limits } = options
  const { idleMs } = limits
  const connections = createConnections(limits)
  const stalls = createStallWatch({
    idleMs,
    onStalled(response) {
      onFault('connections', 'connection')
      refuse(response, { status: 408, message: 'the rest of the request did not come' })
      const { req: request } = response
      response.once('finish', () => request.socket.destroySoon())
      // Node forgets a request once it is answered, even an incomplete one.
      response.once('close', () => request.destroy())
    },
  })
  const timeouts = {
    requestTimeout,
    headersTimeout: idleMs,
    connectionsCheckingInterval: Math.min(1_000, idleMs / 4),
  }
  const server = http.createServer(timeouts, (request, response) => {
    if (connections.isRefused(request.socket)) return
    response.on('error', () => onFault('connections', 'connection'))
    stalls.add(request, response)
    const refused = connections.begin(request, response)
    if (refused !== null) return refuse(response, refused)
    answer(options, open, request, response)
  })
  server.keepAliveTimeout = keepAliveTimeout
  server.on('close', stalls.close)
  acceptConnections(server, options, connections)
  acceptUpgrades(server, options, { connections, open })
  return server
}

function answer(
  { handle, onFault }: ListenerOptions,
  { requests }: OpenWork,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const work = handle(request, response).catch((fault: unknown) => {
    // A client that disconnects is not an internal error.
    if (request.socket.destroyed) return
    onFault('internal', 'request', fault)
    if (response.headersSent) response.destroy()
    else refuse(response, { status: 502, message: 'the gateway could not forward this request' })
  })
  requests.add(work)
  work.finally(() => requests.delete(work))
}

function acceptConnections(
  server: http.Server,
  { onFault }: ListenerOptions,
  connections: Connections,
): void {
  const seen = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    // A request whose upgrade is ignored arrives as a connection again.
    if (seen.has(socket)) return
    seen.add(socket)
    // The server removes its own error listener when a request asks for another protocol.
    socket.on('error', () => onFault('connections', 'connection'))
    const refused = connections.open(socket)
    if (refused !== null) refuseUpgrade(socket, refused)
  })
}

function acceptUpgrades(
  server: http.Server,
  { upgrade, onFault }: ListenerOptions,
  { connections, open: { upgraded } }: { connections: Connections; open: OpenWork },
): void {
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // Only TCP is listened to.
    const socket = duplex as Socket
    if (connections.isRefused(socket)) return
    connections.handOver(socket)
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    try {
      upgrade(request, socket, head, () => {
        socket.unshift(withoutUpgrade(request, head))
        server.emit('connection', socket)
      })
    } catch (fault) {
      onFault('internal', 'upgrade', fault)
      socket.destroy()
    }
  })
}

async function close(
  server: http.Server,
  { requests, upgraded }: OpenWork,
  patienceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of upgraded) socket.destroy()
  }, patienceMs)
  // Connections that become idle while we wait would otherwise be kept for their next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
  await Promise.all(requests)
}

export function refuse(response: ServerResponse, { status, message }: Refusal): void {
  const body = JSON.stringify({ type: 'error', error: { type: 'palimpsest', message } })
  const retry = status === 429 || status === 503 ? { 'retry-after': '1' } : {}
  const last = status === 408 || status === 413 ? { connection: 'close' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...retry, ...last })
  response.end(body)
}
