import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Refusal } from './access.ts'
import { withoutUpgrade } from './ignored-upgrade.ts'
import type { FaultCounts } from './status.ts'

/** Connections that send no whole request head in this time are closed. Bodies may take longer. */
const headersTimeout = 60_000
const keepAliveTimeout = 75_000

export interface ListenerOptions {
  readonly host: string
  readonly port: number
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Told of a request for another protocol. `ignore` has it handled as a plain one. */
  upgrade(request: IncomingMessage, client: Socket, head: Buffer, ignore: () => void): void
  /** Told what went wrong, and of what kind it is; `fault` is missing where there is nothing to log. */
  onFault(kind: keyof FaultCounts, reason: string, fault?: unknown): void
}

export interface Listener {
  readonly port: number
  /** Lets open requests finish, for so long at most, and takes no more. */
  close(patienceMs: number): Promise<void>
}

/** The HTTP server. Whatever a connection does, the others and the process go on. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host, port, handle, upgrade, onFault } = options
  const underWay = new Set<Promise<void>>()
  const seen = new WeakSet<Socket>()
  /** Connections that the server does not know any more. */
  const upgraded = new Set<Socket>()
  const broken = (): void => onFault('connections', 'connection')
  const server = http.createServer({ requestTimeout: 0, headersTimeout }, (request, response) => {
    response.on('error', broken)
    const work = handle(request, response).catch((fault: unknown) => {
      // A client that went away is no fault of ours.
      if (request.socket.destroyed) return
      onFault('internal', 'request', fault)
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 502, message: 'the gateway could not pass this request on' })
    })
    underWay.add(work)
    work.finally(() => underWay.delete(work))
  })
  server.keepAliveTimeout = keepAliveTimeout

  server.on('connection', (socket: Socket) => {
    // A request whose wish for another protocol is ignored arrives as a connection once more.
    if (seen.has(socket)) return
    seen.add(socket)
    // The server removes its own listener when a request asks for another protocol.
    socket.on('error', broken)
  })

  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // Only TCP is listened to.
    const socket = duplex as Socket
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
    async close(patienceMs) {
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
      await Promise.all(underWay)
    },
  }
}

export function refuse(response: ServerResponse, { status, message }: Refusal): void {
  const body = JSON.stringify({ type: 'error', error: { type: 'palimpsest', message } })
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}
