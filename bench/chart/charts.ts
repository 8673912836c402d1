import type { PolicyScore } from '../score/pool.ts'
import {
  type Canvas,
  createCanvas,
  dot,
  line,
  otherColour,
  ownColour,
  type Point,
  palette,
  polyline,
  text,
} from './svg.ts'

export interface Series {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

interface Policy {
  readonly number: number
  readonly name: string
  readonly x: number
  readonly y: number
}

/** The cost of each policy with recalls, against the evidence that it keeps. */
export function dollarsChart(scores: readonly PolicyScore[], own: ReadonlySet<string>): string {
  const policies = scores
    .map((score) => ({
      name: score.policy,
      x: score.dollarsWithRecalls['anthropic-5m'].pooled,
      y: score.E1.current * 100,
    }))
    .toSorted((a, b) => a.x - b.x || b.y - a.y)
    .map((policy, index): Policy => ({ number: index + 1, ...policy }))
  const lowest = Math.floor(Math.min(60, ...policies.map(({ y }) => y)) / 10) * 10
  const highest = Math.max(1.1, ...policies.map(({ x }) => x * 1.08))
  const from = Math.min(0.6, ...policies.map(({ x }) => x * 0.93))
  const canvas = createCanvas({
    title: 'Dollars against evidence (Anthropic, 5 minutes; 1.00 is no pruning)',
    xTitle: 'input dollars with missing evidence fetched back, logarithmic; left is cheaper',
    yTitle: '% of edit anchors that stood there, current; up is better',
    x: {
      from,
      to: highest,
      ticks: [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5].filter(
        (tick) => tick >= from && tick <= highest,
      ),
      label: (value) => value.toFixed(1),
      logarithmic: true,
    },
    y: { from: lowest, to: 104, ticks: stepsOf(lowest, 100, 10), label: String },
    legend: 270,
  })
  canvas.add(
    line(canvas.place({ x: 1, y: lowest }), canvas.place({ x: 1, y: 104 }), 'stroke="#999"'),
  )
  const colourOf = ({ name }: Policy): string => (own.has(name) ? ownColour : otherColour)
  const isOwn = (policy: Policy): boolean => own.has(policy.name)
  for (const policy of policies.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b))))
    canvas.add(dot(canvas.place(policy), colourOf(policy)))
  const dots = policies.map(canvas.place)
  for (const { at, numbers } of clustersOf(policies, canvas.place))
    canvas.add(text(freePlace(at, numbers, dots), numbers, 'font-size="11" fill="#333"'))
  for (const [row, policy] of policies.entries()) {
    const { number, name, x, y } = policy
    const weight = own.has(name) ? 'font-weight="bold"' : ''
    const figures = `${x.toFixed(2)}, ${y.toFixed(1)} %`
    canvas.add(
      text(
        canvas.beside(row),
        `${number}  ${name}: ${figures}`,
        `font-size="11" fill="${colourOf(policy)}" ${weight}`,
      ),
    )
  }
  return canvas.svg()
}

/** Overlapping dots share one label. */
function clustersOf(
  policies: readonly Policy[],
  place: (point: Policy) => Point,
): readonly { readonly at: Point; readonly numbers: string }[] {
  const clusters: { at: Point; members: number[] }[] = []
  for (const policy of policies) {
    const at = place(policy)
    const near = clusters.find(
      (cluster) => Math.abs(cluster.at.x - at.x) < 22 && Math.abs(cluster.at.y - at.y) < 12,
    )
    if (near === undefined) clusters.push({ at, members: [policy.number] })
    else {
      near.members.push(policy.number)
      if (at.x > near.at.x) near.at = { x: at.x, y: near.at.y }
    }
  }
  return clusters.map(({ at, members }) => ({ at, numbers: members.join(', ') }))
}

const letterWidth = 6

/** A free place for a label: below right of the dot, else above, else left. */
function freePlace({ x, y }: Point, words: string, dots: readonly Point[]): Point {
  const width = words.length * letterWidth
  const choices: readonly Point[] = [
    { x: x + 8, y: y + 14 },
    { x: x + 8, y: y - 6 },
    { x: x - 8 - width, y: y + 14 },
  ]
  const isFree = (place: Point): boolean =>
    !dots.some(
      (dot) =>
        dot.x > place.x - 4 && dot.x < place.x + width + 4 && Math.abs(dot.y - place.y + 4) < 9,
    )
  return choices.find(isFree) ?? (choices[0] as Point)
}

/** The size of each request of one session, under several policies; ours is the last. */
export function sessionChart(series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const requests = Math.max(1, ...all.map(({ x }) => x))
  const tokens = Math.max(1_000, ...all.map(({ y }) => y))
  const canvas = createCanvas({
    title: 'Tokens of each request over one long session',
    xTitle: 'request',
    yTitle: 'tokens, without system prompt and tools',
    x: { from: 1, to: requests, ticks: roundSteps(requests), label: String },
    y: {
      from: 0,
      to: tokens,
      ticks: [0, ...roundSteps(tokens)],
      label: (value) => `${value / 1_000}k`,
    },
    legend: 160,
  })
  drawSeries(canvas, series)
  return canvas.svg()
}

/** How the time of one more request grows with the session, compared with linear growth. */
export function growthChart(series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const first = all[0] ?? { x: 1, y: 1 }
  const longest = Math.max(...all.map(({ x }) => x))
  const linear = [first, { x: longest, y: (first.y * longest) / first.x }]
  const powers = (values: readonly number[]): readonly number[] => {
    const low = Math.floor(Math.log10(Math.min(...values)))
    const high = Math.ceil(Math.log10(Math.max(...values)))
    return Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step))
  }
  const x = powers(all.map((point) => point.x))
  const y = powers([...all, ...linear].map((point) => point.y))
  const canvas = createCanvas({
    title: 'Growth: the time of one more request',
    xTitle: 'items in the session, logarithmic',
    yTitle: 'milliseconds, logarithmic',
    x: { from: x[0] ?? 1, to: x.at(-1) ?? 10, ticks: x, label: grouped, logarithmic: true },
    y: { from: y[0] ?? 1, to: y.at(-1) ?? 10, ticks: y, label: grouped, logarithmic: true },
    legend: 160,
  })
  canvas.add(
    polyline(linear.map(canvas.place), '#999', 'stroke-dasharray="6 5"'),
    text(canvas.beside(series.length), 'if it grew as the session', 'fill="#777"'),
  )
  drawSeries(canvas, series, { dots: true })
  return canvas.svg()
}

function drawSeries(
  canvas: Canvas,
  series: readonly Series[],
  { dots = false }: { readonly dots?: boolean } = {},
): void {
  for (const [index, { name, points }] of series.entries()) {
    const isOwn = index === series.length - 1
    const colour = isOwn ? ownColour : (palette[index % palette.length] as string)
    canvas.add(
      polyline(points.map(canvas.place), colour),
      ...(dots ? points.map((point) => dot(canvas.place(point), colour)) : []),
      text(canvas.beside(index), name, `fill="${colour}" font-weight="bold"`),
    )
  }
}

const grouped = (value: number): string => value.toLocaleString('en')

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
