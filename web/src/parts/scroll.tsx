import type { ComponentChildren } from 'preact'

interface ScrollProps {
  /** What is inside, for screen readers. */
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A part that scrolls by itself. It takes the focus, so that arrow keys can scroll it. */
export function Scroll({ label, class: name = 'table-box', children }: ScrollProps) {
  return (
    <section class={name} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
