import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The current width of an element. */
export function useWidth<Element extends HTMLElement>(): readonly [
  { readonly current: Element | null },
  number,
] {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const found = element.current
    if (found === null) return
    const observer = new ResizeObserver(() => setWidth(found.clientWidth))
    observer.observe(found)
    setWidth(found.clientWidth)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
