import type { Registry } from 'prom-client'
import { addToList } from '../../../core/words/lists.ts'
import { otlpAttributes, otlpTime, sendOtlp } from './send.ts'
import type { OtlpTarget } from './settings.ts'

export interface MetricExportOptions {
  readonly target: OtlpTarget
  readonly registry: Registry
  readonly intervalMs: number
  readonly resource: Readonly<Record<string, string>>
  onFault(fault: unknown): void
}

/** Exports the metrics of `/metrics` at an interval. */
export function exportMetrics(options: MetricExportOptions): { stop(): Promise<void> } {
  const { target, registry, intervalMs, resource, onFault } = options
  const startedAt = Date.now()
  const exportNow = async (): Promise<void> => {
    const metrics = otlpMetrics(await registry.getMetricsAsJSON(), startedAt, Date.now())
    const scopeMetrics = [{ scope: { name: 'palimpsest' }, metrics }]
    const body = {
      resourceMetrics: [{ resource: { attributes: otlpAttributes(resource) }, scopeMetrics }],
    }
    await sendOtlp(target, body, onFault)
  }
  const timer = setInterval(exportNow, intervalMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await exportNow()
    },
  }
}

type RegistryMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
type Sample = RegistryMetric['values'][number] & { readonly metricName?: string }

/** Sums since the start, as OTLP calls it. */
const cumulative = 2

function otlpMetrics(
  metrics: readonly RegistryMetric[],
  startedAt: number,
  at: number,
): readonly object[] {
  const times = { startTimeUnixNano: otlpTime(startedAt), timeUnixNano: otlpTime(at) }
  return metrics.map(({ name, help, type, values }) => {
    const about = { name, description: help, ...(name.includes('_seconds') ? { unit: 's' } : {}) }
    // The types are an enum, but the registry gives the names.
    const kind = String(type)
    if (kind === 'histogram')
      return {
        ...about,
        histogram: {
          aggregationTemporality: cumulative,
          dataPoints: histogramPoints(values, times),
        },
      }
    const dataPoints = values.map(({ value, labels }) => ({
      ...times,
      asDouble: value,
      attributes: otlpAttributes(labels as Record<string, string>),
    }))
    return kind === 'counter'
      ? { ...about, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
      : { ...about, gauge: { dataPoints } }
  })
}

/** Prometheus has one sample for each bucket, which includes the smaller ones; OTLP has one point with a count of each. */
function histogramPoints(samples: readonly Sample[], times: object): readonly object[] {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels as Record<string, string | number>
    addToList(series, JSON.stringify(labels), sample)
  }
  return [...series].map(([key, each]) => {
    const ending = (suffix: string): number =>
      each.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0
    const buckets = each.filter(({ metricName }) => metricName?.endsWith('_bucket'))
    const upTo = buckets.map(({ value }) => value)
    return {
      ...times,
      attributes: otlpAttributes(JSON.parse(key)),
      count: String(ending('_count')),
      sum: ending('_sum'),
      explicitBounds: buckets
        .map(({ labels }) => Number((labels as Record<string, unknown>).le))
        .filter(Number.isFinite),
      bucketCounts: upTo.map((count, at) => String(count - (upTo[at - 1] ?? 0))),
    }
  })
}
