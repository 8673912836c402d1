import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from './access.ts'
import { credentialOf } from './identity.ts'
import type { Limits } from './limits.ts'

/** Limits connections and requests of each client, so that one client cannot block the others. */
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
  const open = new OpenSockets(limits)
  const perClient = createCounts()
  const refused = new WeakSet<Socket>()
  return {
    open(socket) {
      const problem = open.add(socket)
      if (problem === null) socket.once('close', () => open.leave(socket))
      else refused.add(socket)
      return problem
    },
    begin(request, response) {
      const { socket, headers, url = '/' } = request
      open.endWait(socket)
      const client = `${socket.remoteAddress} ${credentialOf(headers, url)}`
      const isTooMany = perClient.of(client) >= limits.requestsPerClient
      if (!isTooMany) perClient.add(client, 1)
      response.once('close', () => {
        if (!isTooMany) perClient.add(client, -1)
        open.wait(socket)
      })
      if (!isTooMany) return null
      return { status: 429, message: 'too many requests at once: wait for an answer first' }
    },
    handOver: (socket) => open.endWait(socket),
    isRefused: (socket) => refused.has(socket),
  }
}

/** The open connections, with those that wait for a request. */
class OpenSockets {
  readonly #limits: Limits
  readonly #addresses = new Map<Socket, string>()
  readonly #perAddress = createCounts()
  /** Connections without a request, the oldest first. */
  readonly #waiting = new Set<Socket>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Why there is no room for another connection; null when it was added. */
  add(socket: Socket): Refusal | null {
    const address = socket.remoteAddress ?? ''
    const isSame = (other: Socket): boolean => this.#addresses.get(other) === address
    const { connectionsPerClient, connections } = this.#limits
    if (this.#perAddress.of(address) >= connectionsPerClient && !this.#makeRoom(isSame))
      return { status: 429, message: `${address} has too many connections to the gateway` }
    if (this.#addresses.size >= connections && !this.#makeRoom(() => true))
      return { status: 503, message: 'the gateway has too many connections' }
    this.#addresses.set(socket, address)
    this.#perAddress.add(address, 1)
    this.#waiting.add(socket)
    return null
  }

  wait(socket: Socket): void {
    if (this.#addresses.has(socket) && !socket.destroyed) this.#waiting.add(socket)
  }

  endWait(socket: Socket): void {
    this.#waiting.delete(socket)
  }

  leave(socket: Socket): void {
    const address = this.#addresses.get(socket)
    this.#waiting.delete(socket)
    if (address === undefined) return
    this.#addresses.delete(socket)
    this.#perAddress.add(address, -1)
  }

  /** Closes a connection on which nothing is lost; false when there is none. */
  #makeRoom(isFit: (socket: Socket) => boolean): boolean {
    for (const socket of this.#waiting) {
      if (!isFit(socket)) continue
      this.leave(socket)
      socket.destroy()
      return true
    }
    return false
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
