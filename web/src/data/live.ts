import { signal } from '@preact/signals'
import {
  apiPaths,
  type DashboardStatus,
  type LiveEvent,
  type SessionList,
  type SessionRow,
} from '../../../src/dashboard/types.ts'
import { isKnown, refresh, update } from './answers.ts'
import { get, openEvents } from './api.ts'

/** The gateway's status; null until its first answer. */
export const status = signal<DashboardStatus | null>(null)

/** Whether live updates arrive. */
export const isLive = signal(false)

/** The current time, updated often enough for "3 min ago". */
export const clock = signal(Date.now())

export function keepTime(): void {
  setInterval(() => {
    clock.value = Date.now()
  }, 15_000)
}

const longestWaitMs = 15_000

export async function readStatus(): Promise<void> {
  status.value = await get<DashboardStatus>(apiPaths.status()).catch(() => status.value)
}

/** Follows the gateway's events for as long as the page is open, and reconnects when it restarts. */
export async function followEvents(stop: AbortSignal): Promise<void> {
  let waitMs = 500
  while (!stop.aborted) {
    try {
      const body = await openEvents(apiPaths.events(), stop)
      if (body !== null) {
        isLive.value = true
        waitMs = 500
        for await (const event of eventsIn(body)) apply(event)
      }
    } catch {
      // The gateway was stopped or restarted.
    }
    isLive.value = false
    if (stop.aborted) return
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, longestWaitMs)
    void readStatus()
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<LiveEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (rest + value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n')
      if (data !== '') yield JSON.parse(data) as LiveEvent
    }
  }
}

function apply(event: LiveEvent): void {
  switch (event.kind) {
    case 'session':
      update<SessionList>(apiPaths.sessions(), (list) => withSession(list, event.session))
      soon(apiPaths.session(event.session.key))
      break
    case 'request':
      soon(apiPaths.session(event.session))
      for (const range of ['week', 'month', 'all'] as const) soon(apiPaths.overview(range))
      break
    case 'status':
      status.value = event.status
      break
    case 'memory':
      soon(apiPaths.memory())
      break
  }
}

function withSession({ sessions }: SessionList, changed: SessionRow): SessionList {
  const others = sessions.filter(({ key }) => key !== changed.key)
  return { sessions: [changed, ...others] }
}

const waiting = new Set<string>()

/** Reads an address again after a short delay, once for many events. */
function soon(path: string): void {
  if (waiting.has(path) || !isKnown(path)) return
  waiting.add(path)
  setTimeout(() => {
    waiting.delete(path)
    void refresh(path)
  }, 250)
}
