import { visible } from '../data/visible-text.ts'

export interface Bar {
  readonly name: string
  /** The name in full, where `name` is short. */
  readonly title?: string
  readonly value: number
  /** The value in words. */
  readonly label: string
  readonly note?: string
  readonly href?: string
}

/** Names with bars; the longest bar is the largest value. */
export function BarList({
  bars,
  empty,
}: {
  readonly bars: readonly Bar[]
  readonly empty: string
}) {
  if (bars.length === 0) return <p class="muted">{empty}</p>
  const largest = Math.max(...bars.map(({ value }) => value), 0)
  return (
    <ul class="bars">
      {bars.map(({ name, title, value, label, note, href }) => (
        <li key={title ?? name}>
          <div class="bar-head">
            <span class="bar-name" title={visible(title ?? name)}>
              {href === undefined ? visible(name) : <a href={href}>{visible(name)}</a>}
            </span>
            <span class="bar-value">
              {label}
              {note !== undefined && <small>{note}</small>}
            </span>
          </div>
          <div class="bar-track" aria-hidden="true">
            <div
              class="bar-fill"
              style={{ width: `${largest <= 0 ? 0 : (Math.max(0, value) / largest) * 100}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}
