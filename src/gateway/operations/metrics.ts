import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { RequestReceipt } from '../receipt.ts'
import type { RequestReport } from '../record.ts'
import type { FaultCounts } from '../status.ts'
import { type Breach, promiseNames } from '../verify/sample.ts'
import { bypassReason } from './bypass-reason.ts'

/** What the gateway counts for operators. `docs/team.md` lists every metric; a test compares it with what is served. */
export interface Metrics {
  readonly registry: Registry
  countRequest(receipt: RequestReceipt, isChanged: boolean): void
  countFault(kind: keyof FaultCounts): void
  countVerified(breaches: readonly Breach[]): void
  countAnswer(report: RequestReport): void
  /** A finished answer to any request. */
  countResponse(status: number): void
  noteOpenRequests(change: 1 | -1): void
  observeDecision(milliseconds: number): void
  observeStore(operation: string, milliseconds: number, fault: unknown): void
}

export interface MetricsOptions {
  readonly version: string
  sessionsInMemory(): number
}

/** What a decision may take: from a small request to one that loads a long session. */
const addedBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const storeBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const answerBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function createMetrics({ version, sessionsInMemory }: MetricsOptions): Metrics {
  const registry = new Registry()
  const family = familiesIn(registry)
  const metrics = {
    registry,
    ...requestMetrics(family),
    ...answerMetrics(family),
    ...checkMetrics(family),
    ...serverMetrics(family),
    ...storeMetrics(family),
  }
  family.gauge('palimpsest_sessions_in_memory', 'Sessions in memory', sessionsInMemory)
  new Gauge({
    name: 'palimpsest_build_info',
    help: 'Always 1; the label is the version',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  addProcessMetrics(registry, family)
  return metrics
}

/** Creates metrics in a registry. */
interface Families {
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames?: readonly Label[],
  ): Counter<Label>
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames?: readonly Label[],
  ): Histogram<Label>
  /** A gauge that reads its value at each scrape. */
  gauge(name: string, help: string, read: () => number): void
}

function familiesIn(registry: Registry): Families {
  const registers = [registry]
  return {
    counter: (name, help, labelNames = []) =>
      new Counter({ name, help, labelNames: [...labelNames], registers }),
    histogram: (name, help, buckets, labelNames = []) =>
      new Histogram({ name, help, buckets, labelNames: [...labelNames], registers }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
  }
}

/** What became of the requests for a model. */
function requestMetrics({
  counter,
  histogram,
}: Families): Pick<Metrics, 'countRequest' | 'observeDecision'> {
  const requests = counter('palimpsest_requests_total', 'Requests for a model', ['outcome'])
  const bypasses = counter(
    'palimpsest_bypasses_total',
    'Requests whose original was sent, by reason',
    ['reason'],
  )
  const estimated = counter(
    'palimpsest_estimated_tokens_total',
    'Estimated input tokens: received from agents, and sent to providers',
    ['stage'],
  )
  const saved = counter('palimpsest_saved_dollars_total', 'Dollars saved, by the price table')
  const overspent = counter(
    'palimpsest_overspent_dollars_total',
    'Dollars that single requests cost more; the net saving is saved minus this',
  )
  const epochs = counter('palimpsest_epochs_total', 'Epochs, by reason', ['reason'])
  const restores = counter(
    'palimpsest_restores_total',
    'Originals that agents restored, by the rendition that stood for them',
    ['rendition'],
  )
  const added = histogram(
    'palimpsest_added_seconds',
    'Time from a received request to the decision what to send, which is what the gateway adds',
    addedBuckets,
  )
  for (const outcome of ['changed', 'unchanged', 'bypassed']) requests.inc({ outcome }, 0)
  return {
    countRequest({ bypass, tokens, saved: dollars, opened, restored = {} }, isChanged) {
      requests.inc({
        outcome: bypass !== null ? 'bypassed' : isChanged ? 'changed' : 'unchanged',
      })
      if (bypass !== null) bypasses.inc({ reason: bypassReason(bypass) })
      estimated.inc({ stage: 'received' }, tokens?.before ?? 0)
      estimated.inc({ stage: 'sent' }, Math.max(0, tokens?.after ?? 0))
      if (dollars !== null && dollars >= 0) saved.inc(dollars)
      if (dollars !== null && dollars < 0) overspent.inc(-dollars)
      if (opened !== null) epochs.inc({ reason: opened })
      for (const [rendition, count] of Object.entries(restored)) restores.inc({ rendition }, count)
    },
    observeDecision: (milliseconds) => added.observe(milliseconds / 1000),
  }
}

/** What providers answered. */
function answerMetrics({ counter, histogram, gauge }: Families): Pick<Metrics, 'countAnswer'> {
  const usage = counter(
    'palimpsest_usage_tokens_total',
    'Tokens that providers reported: uncached input, cache_read, cache_write and output',
    ['kind'],
  )
  const answers = counter(
    'palimpsest_upstream_answers_total',
    'Answers of providers to requests for a model, by status; none when no answer came',
    ['status'],
  )
  const firstByte = histogram(
    'palimpsest_upstream_first_byte_seconds',
    'Time from sending a request to the first byte of its answer',
    answerBuckets,
  )
  const cache = { read: 0, all: 0 }
  gauge(
    'palimpsest_cache_hit_ratio',
    'Share of the reported input tokens that providers read from their cache, since the start',
    () => (cache.all === 0 ? 0 : cache.read / cache.all),
  )
  return {
    countAnswer({ status, usage: reported, firstByteMs }) {
      answers.inc({ status: status === null ? 'none' : String(status) })
      if (firstByteMs !== null) firstByte.observe(firstByteMs / 1000)
      if (reported === null) return
      const { input, output, cacheRead, cacheWrite } = reported
      usage.inc({ kind: 'input' }, Math.max(0, input - cacheRead - cacheWrite))
      usage.inc({ kind: 'cache_read' }, cacheRead)
      usage.inc({ kind: 'cache_write' }, cacheWrite)
      usage.inc({ kind: 'output' }, output)
      cache.read += cacheRead
      cache.all += input
    },
  }
}

/** Requests that were checked after they were sent. */
function checkMetrics({ counter }: Families): Pick<Metrics, 'countVerified'> {
  const verified = counter(
    'palimpsest_verified_requests_total',
    'Requests that were checked after they were sent, with `verify`',
  )
  const breaches = counter(
    'palimpsest_promise_breaches_total',
    'Checked requests that broke a promise, by promise',
    ['promise'],
  )
  for (const promise of promiseNames) breaches.inc({ promise }, 0)
  return {
    countVerified(found) {
      verified.inc()
      for (const { promise } of found) breaches.inc({ promise })
    },
  }
}

/** The HTTP server and its errors. */
function serverMetrics({
  counter,
  gauge,
}: Families): Pick<Metrics, 'countResponse' | 'countFault' | 'noteOpenRequests'> {
  const responses = counter('palimpsest_http_responses_total', 'HTTP answers, by status', [
    'status',
  ])
  const faults = counter('palimpsest_faults_total', 'Errors besides bypasses', ['kind'])
  let open = 0
  gauge('palimpsest_open_requests', 'HTTP requests whose answer has not ended', () => open)
  for (const kind of ['connections', 'internal']) faults.inc({ kind }, 0)
  return {
    countResponse: (status) => responses.inc({ status: String(status) }),
    countFault: (kind) => faults.inc({ kind }),
    noteOpenRequests(change) {
      open += change
    },
  }
}

function storeMetrics({ counter, histogram }: Families): Pick<Metrics, 'observeStore'> {
  const errors = counter('palimpsest_store_errors_total', 'Failed store calls, by code', ['code'])
  const time = histogram('palimpsest_store_seconds', 'Time of store calls', storeBuckets, [
    'operation',
  ])
  return {
    observeStore(operation, milliseconds, fault) {
      time.observe({ operation }, milliseconds / 1000)
      if (fault !== null) errors.inc({ code: PalimpsestError.is(fault) ? fault.code : 'unknown' })
    },
  }
}

/** The few figures of the process that alerts need, the same on every platform. */
function addProcessMetrics(registry: Registry, { gauge }: Families): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  gauge(
    'process_start_time_seconds',
    'Start of the process, in seconds since 1970',
    () => startedAt,
  )
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
  gauge('process_heap_bytes', 'Used heap of the main thread', () => process.memoryUsage().heapUsed)
  gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last scrape', () => {
    const lag = delay.percentile(99) / 1e9
    delay.reset()
    return lag
  })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
}
