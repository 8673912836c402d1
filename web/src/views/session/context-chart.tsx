import { useMemo, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import {
  type ContextKind,
  contextKinds,
  type RequestPoint,
  type SessionDetail,
} from '../../../../src/dashboard/types.ts'
import { tokens } from '../../data/format.ts'
import { kindNames } from '../../data/kinds.ts'
import { axes, Chart, type Colors } from '../../parts/chart.tsx'

interface ContextChartProps {
  readonly detail: SessionDetail
  readonly at: number
  pick(request: number): void
}

/** The context by kind, stacked, with what was removed behind it and marks for epochs and cache misses. */
export function ContextChart({ detail, at, pick }: ContextChartProps) {
  const { requests } = detail
  const kinds = useMemo(() => usedKinds(requests), [requests])
  const data = useMemo(() => stack(requests, kinds), [requests, kinds])
  const last = requests.at(-1)
  const label =
    last === undefined
      ? 'Context by kind'
      : `Context by kind over ${requests.length} requests; the last has ${tokens(last.tokens.with)} tokens, ${tokens(last.tokens.without)} without Palimpsest`
  const chosen = useRef(at)
  chosen.current = at
  return (
    <>
      <Legend kinds={kinds} />
      <Chart
        label={label}
        height={260}
        data={data}
        pick={(index) => pick(index + 1)}
        options={(colors) => ({
          legend: { show: false },
          cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
          padding: [16, 12, 0, 0],
          scales: {
            x: { time: false, range: () => [1, Math.max(2, requests.length)] },
            y: { range: (_, _low, high) => [0, high * 1.06] },
          },
          axes: axes(
            colors,
            { values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? `${n}` : '')) },
            { values: (_, splits) => splits.map(tokens) },
          ),
          series: [
            {},
            { stroke: colors('muted'), width: 1, dash: [4, 3], fill: hatch(colors), ...plain },
            ...[...kinds].reverse().map((kind) => ({
              stroke: colors('card'),
              width: 0.5,
              fill: colors(`kind-${kind}`),
              ...plain,
            })),
          ],
          hooks: { draw: [(plot) => drawMarks(plot, requests, colors, chosen.current)] },
        })}
      />
    </>
  )
}

const plain = { points: { show: false } } as const

function usedKinds(requests: readonly RequestPoint[]): readonly ContextKind[] {
  return contextKinds.filter((_, index) => requests.some(({ shown }) => (shown[index] ?? 0) > 0))
}

/** The whole without us first, then the sums from the top of the stack down, so that later ones paint over earlier ones. */
function stack(
  requests: readonly RequestPoint[],
  kinds: readonly ContextKind[],
): uPlot.AlignedData {
  const positions = kinds.map((kind) => contextKinds.indexOf(kind))
  const sums = positions.map((_, upTo) =>
    requests.map(({ shown }) =>
      positions.slice(0, upTo + 1).reduce((sum, position) => sum + (shown[position] ?? 0), 0),
    ),
  )
  return [
    requests.map(({ n }) => n),
    requests.map(({ tokens: sizes }) => Math.max(sizes.with, sizes.without)),
    ...sums.reverse(),
  ]
}

function hatch(colors: Colors): CanvasPattern | string {
  const tile = document.createElement('canvas')
  tile.width = 8
  tile.height = 8
  const context = tile.getContext('2d')
  if (context === null) return colors('grid')
  context.strokeStyle = colors('hatch')
  context.lineWidth = 1.5
  context.beginPath()
  for (const shift of [-8, 0, 8]) {
    context.moveTo(shift, 8)
    context.lineTo(shift + 8, 0)
  }
  context.stroke()
  return context.createPattern(tile, 'repeat') ?? colors('grid')
}

/** Epochs as triangles below, misses as dots above, and the chosen request as a line. */
function drawMarks(
  plot: uPlot,
  requests: readonly RequestPoint[],
  colors: Colors,
  at: number,
): void {
  const { ctx: context, bbox } = plot
  const scale = devicePixelRatio
  context.save()
  for (const { n, epoch, cache, bypass } of requests) {
    const x = plot.valToPos(n, 'x', true)
    if (epoch !== null) {
      context.fillStyle = colors('epoch')
      context.beginPath()
      context.moveTo(x, bbox.top + bbox.height - 9 * scale)
      context.lineTo(x - 5 * scale, bbox.top + bbox.height)
      context.lineTo(x + 5 * scale, bbox.top + bbox.height)
      context.fill()
    }
    if (bypass !== null || (cache !== null && cache.outcome !== 'hit')) {
      context.fillStyle = colors(bypass !== null ? 'bad' : 'miss')
      context.beginPath()
      context.arc(x, bbox.top - 7 * scale, 3.5 * scale, 0, 2 * Math.PI)
      context.fill()
      if (cache?.outcome === 'part') {
        context.fillStyle = colors('card')
        context.beginPath()
        context.arc(x, bbox.top - 7 * scale, 1.6 * scale, 0, 2 * Math.PI)
        context.fill()
      }
    }
  }
  const x = plot.valToPos(at, 'x', true)
  context.strokeStyle = colors('text')
  context.lineWidth = 1.5 * scale
  context.beginPath()
  context.moveTo(x, bbox.top)
  context.lineTo(x, bbox.top + bbox.height)
  context.stroke()
  context.restore()
}

function Legend({ kinds }: { readonly kinds: readonly ContextKind[] }) {
  return (
    <ul class="legend">
      {[...kinds].reverse().map((kind) => (
        <li key={kind}>
          <span class={`swatch kind-${kind}`} aria-hidden="true" />
          {kindNames[kind]}
        </li>
      ))}
      <li>
        <span class="swatch removed" aria-hidden="true" />
        Removed
      </li>
      <li>
        <span class="mark-epoch" aria-hidden="true" />
        Epoch
      </li>
      <li>
        <span class="mark-miss" aria-hidden="true" />
        Cache miss
      </li>
      <li>
        <span class="mark-miss part" aria-hidden="true" />
        Part read
      </li>
    </ul>
  )
}
