import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { Dashboard } from './dashboard.ts'
import type { LiveEvent } from './types.ts'

/** Sends changes to open pages. */
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

/** Usage is written to the store shortly after the answer. Changes within this time are sent as one. */
const settleMs = 250
/** Reading a long session takes a while, so the time until the next reading grows with it. */
const leastRestMs = 1_000
const restShare = 2
const keepAliveMs = 15_000
const encoder = new TextEncoder()

export function createLiveEvents({ dashboard, onFault }: LiveEventsOptions): LiveEvents {
  const pages = createEventStreams()
  /** The ids of sessions that have changed since they were last sent. */
  const changed = new Set<string>()
  const send = (event: LiveEvent): void =>
    pages.write(`data: ${JSON.stringify(withoutSecretsIn(event))}\n\n`)

  async function sendChanged(): Promise<void> {
    const ids = new Set(changed)
    changed.clear()
    for (const id of ids) dashboard.sessions.changed(id)
    if (pages.count() === 0) return
    for (const summary of await dashboard.sessions.all()) {
      if (!ids.has(summary.id) || summary.messages === 0) continue
      const session = await dashboard.row(summary)
      send({ kind: 'session', session })
      const request = (await dashboard.read(session.key)).requests.at(-1)
      if (request !== undefined) send({ kind: 'request', session: session.key, request })
    }
    send({ kind: 'status', status: await dashboard.status() })
  }

  const reading = createPacedWork({
    work: sendChanged,
    needsRest: () => pages.count() > 0,
    onFault,
  })
  return {
    answered(session) {
      if (session !== null) changed.add(session)
      reading.soon()
    },
    pauseChanged() {
      dashboard.status().then((status) => send({ kind: 'status', status }), onFault)
    },
    memoryChanged: () => send({ kind: 'memory' }),
    sessionChanged(key) {
      dashboard.sessions.source(key).then(({ id }) => {
        changed.add(id)
        reading.soon()
      }, onFault)
    },
    open: pages.open,
    close() {
      reading.stop()
      pages.close()
    },
  }
}

interface PacedWork {
  work(): Promise<void>
  /** True when the work kept others waiting and must pause. */
  needsRest(): boolean
  onFault(fault: unknown): void
}

/** Runs the work once at a time. A request in the meantime is served after a pause. */
function createPacedWork({ work, needsRest, onFault }: PacedWork): {
  /** Runs the work shortly. */
  soon(): void
  stop(): void
} {
  let timer: NodeJS.Timeout | null = null
  let isRunning = false
  let isStopped = false
  let restUntil = 0
  let isAsked = false

  async function run(): Promise<void> {
    timer = null
    isRunning = true
    isAsked = false
    const from = performance.now()
    try {
      await work()
    } catch (fault) {
      onFault(fault)
    } finally {
      isRunning = false
      const now = performance.now()
      if (needsRest()) restUntil = now + Math.max(leastRestMs, restShare * (now - from))
      if (isAsked) soon()
    }
  }

  function soon(): void {
    isAsked = true
    if (isRunning || isStopped) return
    timer ??= setTimeout(run, Math.max(settleMs, restUntil - performance.now()))
    timer.unref()
  }

  return {
    soon,
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

interface EventStreams {
  count(): number
  write(text: string): void
  open(): Response
  close(): void
}

/** The streams of server-sent events to the open pages. */
function createEventStreams(): EventStreams {
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>()

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

  const keepAlive = setInterval(() => write(': \n\n'), keepAliveMs)
  keepAlive.unref()
  return {
    count: () => readers.size,
    write,
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
