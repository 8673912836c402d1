import type { ServerResponse } from 'node:http'
import type { Store } from '../../store/index.ts'
import type { ListenerOptions } from '../listener.ts'
import type { OwnRoute } from '../own-routes.ts'
import type { RequestReport } from '../record.ts'
import type { StatusCounter } from '../status.ts'
import { healthRoutes } from './health-routes.ts'
import { createMetrics } from './metrics.ts'
import { observedStore } from './observed-store.ts'

export interface OperationsOptions {
  readonly store: Store
  readonly version: string
  sessionsInMemory(): number
}

/** What an operator sees of a gateway: health, metrics and traces. */
export interface Operations {
  /** The same store, observed. */
  readonly store: Store
  readonly routes: readonly OwnRoute[]
  /** Counts what the counter counts, too. */
  counting(counter: StatusCounter): StatusCounter
  timed<Request, Decided>(
    decide: (request: Request) => Promise<Decided>,
  ): (request: Request) => Promise<Decided>
  handling(handle: ListenerOptions['handle']): ListenerOptions['handle']
  answered(report: RequestReport): void
  /** Readiness ends. */
  stopping(): void
}

export function createOperations(options: OperationsOptions): Operations {
  const metrics = createMetrics(options)
  let isStopping = false
  const { store } = options
  return {
    store: observedStore(store, metrics.observeStore),
    routes: [
      ...healthRoutes({ store, isStopping: () => isStopping }),
      {
        path: '/metrics',
        fetch: async () =>
          new Response(await metrics.registry.metrics(), {
            headers: { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' },
          }),
      },
    ],
    counting: (counter) => ({
      ...counter,
      countRequest(receipt, isChanged) {
        counter.countRequest(receipt, isChanged)
        metrics.countRequest(receipt, isChanged)
      },
      countFault(kind) {
        counter.countFault(kind)
        metrics.countFault(kind)
      },
    }),
    timed: (decide) => async (request) => {
      const from = performance.now()
      try {
        return await decide(request)
      } finally {
        metrics.observeDecision(performance.now() - from)
      }
    },
    handling: (handle) => (request, response) => {
      noteOpen(response, metrics)
      return handle(request, response)
    },
    answered: (report) => metrics.countAnswer(report),
    stopping() {
      isStopping = true
    },
  }
}

function noteOpen(
  response: ServerResponse,
  { noteOpenRequests, countResponse }: ReturnType<typeof createMetrics>,
): void {
  noteOpenRequests(1)
  response.once('close', () => {
    noteOpenRequests(-1)
    if (response.headersSent) countResponse(response.statusCode)
  })
}
