import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The clients' connections, upgraded ones included. */
export interface Connections {
  readonly open: number
  destroy(): void
}

/**
 * Gives every connection an error listener before anything else happens to it. The HTTP server removes its own when a
 * request asks for another protocol, and a reset would then end the process.
 */
export function watchConnections(server: Server, onBroken: (error: Error) => void): Connections {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    // A request whose wish for another protocol is ignored arrives as a connection once more.
    if (open.has(socket)) return
    open.add(socket)
    socket.on('error', onBroken)
    socket.once('close', () => open.delete(socket))
  })
  return {
    get open(): number {
      return open.size
    },
    destroy() {
      for (const socket of open) socket.destroy()
    },
  }
}
