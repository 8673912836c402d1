import type { IncomingMessage, ServerResponse } from 'node:http'

/** Closes connections whose client neither sends the body that it announced nor reads its answer. */
export interface StallWatch {
  add(request: IncomingMessage, response: ServerResponse): void
  close(): void
}

export interface StallOptions {
  /** How long no byte of a body may come. */
  readonly idleMs: number
  /** Called for a request that has stalled before it was answered. */
  onStalled(response: ServerResponse): void
}

/** A client that does not read may be a program that a person has stopped for a while. */
const unreadMs = 600_000
const longestSweepMs = 1_000

interface Watched {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  bytes: number
  since: number
}

export function createStallWatch({ idleMs, onStalled }: StallOptions): StallWatch {
  const watched = new Set<Watched>()

  function look(each: Watched, now: number): void {
    const { request, response } = each
    const { socket } = request
    const isAnswered = response.writableFinished
    if (socket.destroyed || (isAnswered && request.complete)) {
      watched.delete(each)
      return
    }
    const isReceiving = !request.complete
    const bytes = isReceiving ? socket.bytesRead : socket.bytesWritten
    // The upstream is slow, not the client.
    const isHeldUp = isReceiving
      ? !isAnswered && (request.isPaused() || request.readableLength > 0)
      : !response.writableNeedDrain
    if (bytes !== each.bytes || isHeldUp) {
      each.bytes = bytes
      each.since = now
    } else if (now - each.since >= (isReceiving ? idleMs : unreadMs)) {
      watched.delete(each)
      if (isReceiving && !response.headersSent) onStalled(response)
      else socket.destroy()
    }
  }

  const sweep = (): void => {
    const now = performance.now()
    for (const each of watched) look(each, now)
  }
  const timer = setInterval(sweep, Math.min(longestSweepMs, idleMs / 4)).unref()

  return {
    add(request, response) {
      watched.add({ request, response, bytes: -1, since: performance.now() })
    },
    close: () => clearInterval(timer),
  }
}
