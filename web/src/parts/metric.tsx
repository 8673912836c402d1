import type { ComponentChildren } from 'preact'

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

export function Metrics({ children }: { readonly children: ComponentChildren }) {
  return <dl class="metrics">{children}</dl>
}
