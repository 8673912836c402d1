import type { ComponentChildren } from 'preact'
import type { CacheSums } from '../../../src/dashboard/types.ts'
import { hitRate, percent, tokens } from '../data/format.ts'

interface MetricProps {
  readonly label: string
  readonly value: string
  /** A sentence below the value. */
  readonly note?: ComponentChildren
  readonly tone?: 'good' | 'bad'
}

/** One figure with its name. */
export function Metric({ label, value, note, tone }: MetricProps) {
  return (
    <div class="metric">
      <dt>{label}</dt>
      <dd class={tone === undefined ? 'metric-value' : `metric-value ${tone}`}>{value}</dd>
      {note !== undefined && <dd class="metric-note">{note}</dd>}
    </div>
  )
}

/** The share of the input that came from the provider's cache. */
export function HitRate({ cache }: { readonly cache: CacheSums | null }) {
  const note = cache === null ? 'no usage reported' : `${tokens(cache.read)} read`
  return <Metric label="Cache hit rate" value={percent(hitRate(cache))} note={note} />
}

export function Metrics({ children }: { readonly children: ComponentChildren }) {
  return <dl class="metrics">{children}</dl>
}
