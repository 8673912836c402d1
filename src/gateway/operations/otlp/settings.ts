/** Where traces and metrics go, by the standard variables of OpenTelemetry. */
export interface OtlpSettings {
  /** null: not exported. */
  readonly traces: OtlpTarget | null
  readonly metrics: OtlpTarget | null
  readonly metricIntervalMs: number
  /** Share of the traces that start here, from 0 to 1. Traces of callers follow the caller's decision. */
  readonly sampledShare: number
  readonly resource: Readonly<Record<string, string>>
}

export interface OtlpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

const usualIntervalMs = 60_000

/** The settings in the environment; null when they ask for no export. */
export function otlpSettings(env: Environment): OtlpSettings | null {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  const traces = targetOf(env, 'TRACES')
  const metrics = targetOf(env, 'METRICS')
  if (traces === null && metrics === null) return null
  const interval = Number(env.OTEL_METRIC_EXPORT_INTERVAL)
  return {
    traces,
    metrics,
    metricIntervalMs: interval > 0 ? interval : usualIntervalMs,
    sampledShare: shareOf(env),
    resource: {
      'service.name': 'palimpsest',
      ...pairsIn(env.OTEL_RESOURCE_ATTRIBUTES),
      ...(env.OTEL_SERVICE_NAME ? { 'service.name': env.OTEL_SERVICE_NAME } : {}),
    },
  }
}

function targetOf(env: Environment, signal: 'TRACES' | 'METRICS'): OtlpTarget | null {
  const exporters = (env[`OTEL_${signal}_EXPORTER`] ?? 'otlp').split(',')
  if (!exporters.some((name) => name.trim() === 'otlp')) return null
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = own || (base ? `${base.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}` : '')
  if (!URL.canParse(url)) return null
  const headers = {
    ...pairsIn(env.OTEL_EXPORTER_OTLP_HEADERS),
    ...pairsIn(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
  }
  return { url, headers }
}

function shareOf({
  OTEL_TRACES_SAMPLER: sampler = '',
  OTEL_TRACES_SAMPLER_ARG: given,
}: Environment): number {
  if (sampler.endsWith('always_off')) return 0
  if (!sampler.endsWith('traceidratio')) return 1
  const share = Number(given ?? 1)
  return share >= 0 && share <= 1 ? share : 1
}

/** `a=b,c=d`, with percent-encoded values. */
function pairsIn(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
