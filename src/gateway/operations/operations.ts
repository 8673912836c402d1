import type { ServerResponse } from 'node:http'
import type { Store } from '../../store/index.ts'
import type { ListenerOptions } from '../listener.ts'
import type { OwnRoute } from '../own-routes.ts'
import type { RequestReport } from '../record.ts'
import type { StatusCounter } from '../status.ts'
import { healthRoutes } from './health-routes.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { observedStore } from './observed-store.ts'
import { exportMetrics } from './otlp/export-metrics.ts'
import { exportSpans } from './otlp/export-spans.ts'
import type { OtlpSettings } from './otlp/settings.ts'
import { createTracing } from './tracing.ts'

export interface OperationsOptions {
  readonly store: Store
  readonly version: string
  sessionsInMemory(): number
  /** Where traces and metrics are exported to; null for nowhere. */
  readonly otlp: OtlpSettings | null
  onFault(fault: unknown): void
}

/** What an operator sees of a gateway: health, metrics and traces. */
export interface Operations {
  /** The same store, observed. */
  readonly store: Store
  readonly routes: readonly OwnRoute[]
  /** The same counter, which also counts for `/metrics`. */
  counting(counter: StatusCounter): StatusCounter
  timed<Request, Decided>(
    decide: (request: Request) => Promise<Decided>,
  ): (request: Request) => Promise<Decided>
  handling(handle: ListenerOptions['handle']): ListenerOptions['handle']
  answered(report: RequestReport): void
  /** A request went back to the gateway that called, which sends it to a model itself. */
  handedBack(report: RequestReport): void
  /** From now on `/readyz` answers that the gateway is not ready. */
  stopping(): void
  /** Exports what is left. */
  close(): Promise<void>
}

export function createOperations(options: OperationsOptions): Operations {
  const metrics = createMetrics(options)
  const { store, otlp } = options
  const exports = otlp === null ? [] : exportsTo(otlp, metrics, options)
  const tracing = createTracing()
  let isStopping = false
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
      countVerified(breaches) {
        counter.countVerified(breaches)
        metrics.countVerified(breaches)
      },
      countFault(kind) {
        counter.countFault(kind)
        metrics.countFault(kind)
      },
    }),
    timed: (decide) => async (request) => {
      const from = performance.now()
      try {
        return await tracing.decision(() => decide(request))
      } finally {
        metrics.observeDecision(performance.now() - from)
      }
    },
    handling: (handle) => (request, response) => {
      noteOpen(response, metrics)
      return tracing.request(request, response, () => handle(request, response))
    },
    answered(report) {
      metrics.countAnswer(report)
      tracing.answered(report)
    },
    handedBack: tracing.answered,
    stopping() {
      isStopping = true
    },
    async close() {
      tracing.settle()
      await Promise.all(exports.map((each) => each.stop()))
    },
  }
}

function exportsTo(
  { traces, metrics: target, metricIntervalMs: intervalMs, sampledShare, resource }: OtlpSettings,
  { registry }: Metrics,
  { version, onFault }: OperationsOptions,
): readonly { stop(): Promise<void> }[] {
  let isReported = false
  const about = {
    resource: { 'service.version': version, ...resource },
    // Reported once, because a collector that is down fails every export.
    onFault(fault: unknown) {
      if (!isReported) onFault(fault)
      isReported = true
    },
  }
  return [
    ...(traces === null ? [] : [exportSpans({ target: traces, sampledShare, ...about })]),
    ...(target === null ? [] : [exportMetrics({ target, registry, intervalMs, ...about })]),
  ]
}

function noteOpen(response: ServerResponse, { noteOpenRequests, countResponse }: Metrics): void {
  noteOpenRequests(1)
  response.once('close', () => {
    noteOpenRequests(-1)
    if (response.headersSent) countResponse(response.statusCode)
  })
}
