import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly rowHeight: number
  keyOf(row: Row): string | number
  readonly selected: string | number | null
  select(row: Row): void
  readonly children: (row: Row) => ComponentChildren
}

/** Rows rendered outside the visible part, so that fast scrolling shows no gaps. */
const overscan = 8

/** A list of rows of equal height, of which only the visible ones are rendered. Arrow keys move the selection. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { label, rows, rowHeight, keyOf, selected, select, children } = props
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const id = useRef(`list-${Math.random().toString(36).slice(2)}`).current
  const at = rows.findIndex((row) => keyOf(row) === selected)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    setHeight(element.clientHeight)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = box.current
    if (element === null || at < 0) return
    const start = at * rowHeight
    if (start < element.scrollTop) element.scrollTop = start
    else if (start + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = start + rowHeight - element.clientHeight
  }, [selected, at, rowHeight])

  const move = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const target = targetOf(event.key, at, rows.length, page)
    const row = target === null ? undefined : rows[target]
    if (row === undefined) return
    event.preventDefault()
    select(row)
  }

  const first = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + overscan)
  return (
    <div
      ref={box}
      class="virtual-list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={at >= first && at < last ? `${id}-${at}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={move}
    >
      <div
        class="virtual-space"
        role="presentation"
        style={{ height: `${rows.length * rowHeight}px` }}
      >
        {rows.slice(first, last).map((row, offset) => {
          const position = first + offset
          return (
            // The list itself handles the keys, as its role requires.
            <div
              key={keyOf(row)}
              id={`${id}-${position}`}
              class="virtual-row"
              role="option"
              tabIndex={-1}
              aria-selected={position === at}
              aria-setsize={rows.length}
              aria-posinset={position + 1}
              style={{
                transform: `translateY(${position * rowHeight}px)`,
                height: `${rowHeight}px`,
              }}
              onClick={() => select(row)}
              onKeyDown={move}
            >
              {children(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function targetOf(key: string, at: number, length: number, page: number): number | null {
  if (length === 0) return null
  const within = (position: number): number => Math.min(length - 1, Math.max(0, position))
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return within(at + 1)
    case 'ArrowUp':
    case 'k':
      return within(at - 1)
    case 'PageDown':
      return within(at + page)
    case 'PageUp':
      return within(at - page)
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return null
  }
}
