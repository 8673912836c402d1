import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { Dashboard } from './dashboard.ts'
import type { LiveEvent } from './types.ts'

/** Sends changes to the pages that are open. */
export interface LiveEvents {
  /** A request of a session has ended; null when it is of none. */
  answered(session: string | null): void
  pauseChanged(): void
  memoryChanged(): void
  /** The key of a session that a person changed. */
  sessionChanged(key: string): void
  /** A stream of server-sent events. */
  open(): Response
  close(): void
}

export interface LiveEventsOptions {
  readonly dashboard: Dashboard
  onFault(fault: unknown): void
}

/** Usage is written to the store shortly after the answer, and several changes within this time are one. */
const settleMs = 250
/** Reading a long session takes a while, so that the time until the next reading grows with it. */
const leastRestMs = 1_000
const restShare = 2
const keepAliveMs = 15_000
const encoder = new TextEncoder()

export function createLiveEvents({ dashboard, onFault }: LiveEventsOptions): LiveEvents {
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let isReading = false
  let isClosed = false
  let restUntil = 0
  let isAsked = false
  const keepAlive = setInterval(() => write(': \n\n'), keepAliveMs)
  keepAlive.unref()

  function write(text: string): void {
    const bytes = encoder.encode(text)
    for (const reader of readers) {
      try {
        reader.enqueue(bytes)
      } catch {
        readers.delete(reader)
      }
    }
  }

  function send(event: LiveEvent): void {
    write(`data: ${JSON.stringify(withoutSecretsIn(event))}\n\n`)
  }

  async function sendChanged(): Promise<void> {
    const ids = new Set(waiting)
    waiting.clear()
    for (const id of ids) dashboard.sessions.changed(id)
    if (readers.size === 0) return
    for (const summary of await dashboard.sessions.all()) {
      if (!ids.has(summary.id) || summary.messages === 0) continue
      const session = await dashboard.row(summary)
      send({ kind: 'session', session })
      const request = (await dashboard.read(session.key)).requests.at(-1)
      if (request !== undefined) send({ kind: 'request', session: session.key, request })
    }
    send({ kind: 'status', status: await dashboard.status() })
  }

  /** One reading at a time: what changes meanwhile is read after a rest. */
  async function read(): Promise<void> {
    timer = null
    isReading = true
    isAsked = false
    const from = performance.now()
    try {
      await sendChanged()
    } catch (fault) {
      onFault(fault)
    } finally {
      isReading = false
      const now = performance.now()
      if (readers.size > 0) restUntil = now + Math.max(leastRestMs, restShare * (now - from))
      if (isAsked) soon()
    }
  }

  function soon(): void {
    isAsked = true
    if (isReading || isClosed) return
    timer ??= setTimeout(read, Math.max(settleMs, restUntil - performance.now()))
    timer.unref()
  }

  return {
    answered(session) {
      if (session !== null) waiting.add(session)
      soon()
    },
    pauseChanged() {
      dashboard.status().then((status) => send({ kind: 'status', status }), onFault)
    },
    memoryChanged: () => send({ kind: 'memory' }),
    sessionChanged(key) {
      dashboard.sessions.source(key).then(({ id }) => {
        waiting.add(id)
        soon()
      }, onFault)
    },
    open() {
      let own: ReadableStreamDefaultController<Uint8Array> | undefined
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller
          readers.add(controller)
          controller.enqueue(encoder.encode(': connected\n\n'))
        },
        cancel() {
          if (own !== undefined) readers.delete(own)
        },
      })
      return new Response(stream, {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      })
    },
    close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      clearInterval(keepAlive)
      for (const reader of readers) {
        try {
          reader.close()
        } catch {
          // The page has closed it.
        }
      }
      readers.clear()
    },
  }
}
