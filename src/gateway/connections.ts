import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from './access.ts'
import { credentialOf } from './identity.ts'
import type { Limits } from './limits.ts'

/** Counts connections and requests of each client, so that none takes the place of the others. */
export interface Connections {
  /** Why a new connection is refused. Connections that wait for a request are closed first, the oldest before the others. */
  open(socket: Socket): Refusal | null
  /** Why a request is refused. */
  begin(request: IncomingMessage, response: ServerResponse): Refusal | null
  /** A connection that was handed over for another protocol is not one that waits for a request. */
  handOver(socket: Socket): void
  /** Whether the connection was refused; its requests get no other answer. */
  isRefused(socket: Socket): boolean
}

export function createConnections(limits: Limits): Connections {
  const open = new Map<Socket, string>()
  const perAddress = createCounts()
  const perClient = createCounts()
  /** Connections without a request, the oldest first. */
  const waiting = new Set<Socket>()
  const refused = new WeakSet<Socket>()

  /** Closes a connection on which nothing is lost; false when there is none. */
  function makeRoom(isFit: (socket: Socket) => boolean): boolean {
    for (const socket of waiting) {
      if (!isFit(socket)) continue
      leave(socket)
      socket.destroy()
      return true
    }
    return false
  }

  function leave(socket: Socket): void {
    const address = open.get(socket)
    waiting.delete(socket)
    if (address === undefined) return
    open.delete(socket)
    perAddress.add(address, -1)
  }

  function fault(address: string): Refusal | null {
    const isMine = (socket: Socket): boolean => open.get(socket) === address
    if (perAddress.of(address) >= limits.connectionsPerClient && !makeRoom(isMine))
      return { status: 429, message: `${address} has too many connections to the gateway` }
    if (open.size >= limits.connections && !makeRoom(() => true))
      return { status: 503, message: 'the gateway has too many connections' }
    return null
  }

  return {
    open(socket) {
      const address = socket.remoteAddress ?? ''
      const problem = fault(address)
      if (problem !== null) {
        refused.add(socket)
        return problem
      }
      open.set(socket, address)
      perAddress.add(address, 1)
      waiting.add(socket)
      socket.once('close', () => leave(socket))
      return null
    },
    begin(request, response) {
      const { socket, headers, url = '/' } = request
      waiting.delete(socket)
      const client = `${socket.remoteAddress} ${credentialOf(headers, url)}`
      const isTooMany = perClient.of(client) >= limits.requestsPerClient
      if (!isTooMany) perClient.add(client, 1)
      response.once('close', () => {
        if (!isTooMany) perClient.add(client, -1)
        if (open.has(socket) && !socket.destroyed) waiting.add(socket)
      })
      if (!isTooMany) return null
      return { status: 429, message: 'too many requests at once: wait for an answer first' }
    },
    handOver: (socket) => void waiting.delete(socket),
    isRefused: (socket) => refused.has(socket),
  }
}

interface Counts {
  of(name: string): number
  add(name: string, count: number): void
}

function createCounts(): Counts {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    of,
    add(name, count) {
      const sum = of(name) + count
      if (sum <= 0) counts.delete(name)
      else counts.set(name, sum)
    },
  }
}
