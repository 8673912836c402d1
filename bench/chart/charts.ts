import type { PolicyScore } from '../score/pool.ts'
import { createCanvas, dot, line, palette, polyline, text } from './svg.ts'

export interface Series {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** What a policy costs, evidence fetched back, against the evidence that it leaves where it is. */
export function dollarsChart(scores: readonly PolicyScore[], own: ReadonlySet<string>): string {
  const points = scores.map((score) => ({
    name: score.policy,
    x: score.dollarsWithRecalls['anthropic-5m'].pooled,
    y: score.E1.current * 100,
  }))
  const lowest = Math.floor(Math.min(60, ...points.map(({ y }) => y)) / 10) * 10
  const highest = Math.max(1.1, Math.ceil(Math.max(...points.map(({ x }) => x)) * 5) / 5)
  const canvas = createCanvas({
    title: 'Dollars against evidence (Anthropic, 5 minutes; 1.00 is no pruning)',
    xTitle: 'input dollars, with the price of fetching missing evidence back →',
    yTitle: '% of edit anchors that stood there, current',
    x: {
      from: 0.5,
      to: highest,
      ticks: stepsOf(0.5, highest, 0.25),
      label: (value) => value.toFixed(2),
    },
    y: { from: lowest, to: 102, ticks: stepsOf(lowest, 100, 10), label: String },
  })
  canvas.add(
    line(canvas.place({ x: 1, y: lowest }), canvas.place({ x: 1, y: 102 }), 'stroke="#999"'),
  )
  const taken: { x: number; y: number }[] = []
  for (const { name, x, y } of points.toSorted((a, b) => a.x - b.x)) {
    const at = canvas.place({ x, y })
    const colour = own.has(name) ? '#c8553d' : '#1d4e89'
    let label = at.y + 4
    while (taken.some((other) => Math.abs(other.y - label) < 12 && Math.abs(other.x - at.x) < 130))
      label += 12
    taken.push({ x: at.x, y: label })
    if (label > at.y + 4) canvas.add(line(at, { x: at.x + 7, y: label - 4 }, 'stroke="#bbb"'))
    const weight = own.has(name) ? 'font-weight="bold"' : ''
    canvas.add(
      dot(at, colour),
      text({ x: at.x + 8, y: label }, name, `font-size="11" fill="${colour}" ${weight}`),
    )
  }
  return canvas.svg()
}

/** The size of each request of one session, under several policies. */
export function sessionChart(series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const requests = Math.max(1, ...all.map(({ x }) => x))
  const tokens = Math.max(1_000, ...all.map(({ y }) => y))
  const canvas = createCanvas({
    title: 'Tokens of each request over one long session',
    xTitle: 'request →',
    yTitle: 'tokens without system prompt and tools',
    x: { from: 1, to: requests, ticks: roundSteps(requests), label: String },
    y: { from: 0, to: tokens, ticks: roundSteps(tokens), label: (value) => `${value / 1_000}k` },
  })
  for (const [index, { name, points }] of series.entries()) {
    const colour = palette[index % palette.length] as string
    canvas.add(
      polyline(points.map(canvas.place), colour),
      text({ x: 622, y: 60 + index * 18 }, name, `fill="${colour}" font-weight="bold"`),
    )
  }
  return canvas.svg()
}

/** How the time of one more request grows with the session. */
export function growthChart(series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const powers = (values: readonly number[]): readonly number[] => {
    const low = Math.floor(Math.log10(Math.min(...values)))
    const high = Math.ceil(Math.log10(Math.max(...values)))
    return Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step))
  }
  const x = powers(all.map((point) => point.x))
  const y = powers(all.map((point) => point.y))
  const canvas = createCanvas({
    title: 'Growth: the time of one more request',
    xTitle: 'items in the session →',
    yTitle: 'milliseconds (a slope of one square a square is linear)',
    x: { from: x[0] ?? 1, to: x.at(-1) ?? 10, ticks: x, label: String, logarithmic: true },
    y: { from: y[0] ?? 1, to: y.at(-1) ?? 10, ticks: y, label: String, logarithmic: true },
  })
  for (const [index, { name, points }] of series.entries()) {
    const colour = palette[index % palette.length] as string
    canvas.add(
      polyline(points.map(canvas.place), colour),
      ...points.map((point) => dot(canvas.place(point), colour)),
      text({ x: 622, y: 60 + index * 18 }, name, `fill="${colour}" font-weight="bold"`),
    )
  }
  return canvas.svg()
}

function stepsOf(from: number, to: number, step: number): readonly number[] {
  return Array.from(
    { length: Math.floor((to - from) / step + 1e-9) + 1 },
    (_, at) => from + at * step,
  )
}

function roundSteps(to: number): readonly number[] {
  const rough = to / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  return stepsOf(0, to, step).slice(1)
}
