import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { theme } from '../data/theme.ts'

interface ChartProps {
  /** The chart in words, for screen readers. */
  readonly label: string
  readonly height: number
  readonly data: uPlot.AlignedData
  /** Created again when data or colours change. */
  options(colors: Colors): Omit<uPlot.Options, 'width' | 'height'>
  /** Called with the index of the point that was clicked. */
  pick?(index: number): void
}

/** Reads a colour of the stylesheet by the name of its variable, without the dashes. */
export type Colors = (name: string) => string

/** A chart on a canvas, as wide as its container. */
export function Chart({ label, height, data, options, pick }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const picked = useRef(pick)
  picked.current = pick
  const shade = theme.value

  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const style = getComputedStyle(document.documentElement)
    const colors: Colors = (name) => style.getPropertyValue(`--${name}`).trim()
    const made = new uPlot(
      { ...options(colors), width: element.clientWidth, height },
      data,
      element,
    )
    plot.current = made
    const click = (): void => {
      if (typeof made.cursor.idx === 'number') picked.current?.(made.cursor.idx)
    }
    made.over.addEventListener('click', click)
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
    // The options depend on the data only, so a new function does not redraw the chart.
  }, [data, height, shade])

  useEffect(() => plot.current?.redraw(false))
  return (
    <div
      ref={place}
      class="chart"
      role="img"
      aria-label={label}
      style={{ height: `${height}px` }}
    />
  )
}

/** The end of a line with its name. */
export interface LineEnd {
  readonly value: number
  readonly color: string
  readonly text: string
}

const lineEndGap = 15

/** Writes names at the right ends of lines, apart from each other. */
export function drawLineEnds(plot: uPlot, ends: readonly LineEnd[]): void {
  const { ctx: context, bbox } = plot
  const scale = devicePixelRatio
  const x = bbox.left + bbox.width + 6 * scale
  context.save()
  context.font = `600 ${12 * scale}px system-ui, sans-serif`
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  let free = Number.NEGATIVE_INFINITY
  for (const { value, color, text } of ends.toSorted((one, other) => other.value - one.value)) {
    const y = Math.max(plot.valToPos(value, 'y', true), free)
    free = y + lineEndGap * scale
    context.fillStyle = color
    context.fillText(text, x, y)
  }
  context.restore()
}

/** Axes in the page's colours. */
export function axes(colors: Colors, x: Partial<uPlot.Axis>, y: Partial<uPlot.Axis>): uPlot.Axis[] {
  const common: uPlot.Axis = {
    stroke: colors('muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colors('grid'), width: 1 },
    ticks: { show: false },
  }
  return [
    { ...common, grid: { show: false }, size: 28, ...x },
    { ...common, size: 52, ...y },
  ]
}
