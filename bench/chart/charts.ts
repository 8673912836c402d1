import type { PolicyScore } from '../score/pool.ts'
import {
  area,
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
  readonly name: string
  readonly x: number
  readonly y: number
}

/** The policies that stand for all: ours, nothing, and what others do most. */
const wellKnown: readonly string[] = [
  'palimpsest balanced',
  'none',
  'keep-last-10',
  'clear-tool-uses',
  'dcp-auto',
]
const mostNamed = 5
/** Dollars and evidence that a policy in the good corner has at most and at least. */
const goodCorner = { x: 0.95, y: 97 }

/** The cost of each policy with recalls, against the evidence that it keeps. Five have names; the table has the others. */
export function dollarsChart(scores: readonly PolicyScore[], own: ReadonlySet<string>): string {
  const rankOf = ({ name }: Policy): number =>
    wellKnown.includes(name) ? wellKnown.indexOf(name) : wellKnown.length + Number(!own.has(name))
  const policies = scores
    .map(
      (score): Policy => ({
        name: score.policy,
        x: score.dollarsWithRecalls['anthropic-5m'].pooled,
        y: score.E1.current * 100,
      }),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.x - b.x || b.y - a.y)
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
    legend: 30,
  })
  const corner = canvas.place({ x: from, y: 104 })
  canvas.add(
    area(corner, canvas.place(goodCorner), 'fill="#3a7d44" fill-opacity="0.12"'),
    text({ x: corner.x + 6, y: corner.y + 14 }, 'the good corner', 'font-size="11" fill="#3a7d44"'),
    line(canvas.place({ x: 1, y: lowest }), canvas.place({ x: 1, y: 104 }), 'stroke="#999"'),
  )
  const colourOf = ({ name }: Policy): string => (own.has(name) ? ownColour : otherColour)
  const named = policies.slice(0, mostNamed)
  for (const policy of policies.slice(mostNamed)) canvas.add(dot(canvas.place(policy), '#b8bec6'))
  for (const policy of named.toReversed()) canvas.add(dot(canvas.place(policy), colourOf(policy)))
  const taken: Box[] = policies.map((policy) => boxAt(canvas.place(policy), 0))
  for (const policy of named) {
    const words = `${policy.name}: ${policy.x.toFixed(2)}, ${policy.y.toFixed(1)} %`
    const at = freePlace(canvas.place(policy), words, {
      taken,
      right: canvas.place({ x: highest, y: 0 }).x,
    })
    const start = canvas.place(policy)
    if (Math.abs(at.y - start.y) > 20)
      canvas.add(line(start, { x: at.x + 12, y: at.y - 10 }, 'stroke="#999" stroke-width="0.8"'))
    taken.push(boxAt(at, words.length * letterWidth))
    const weight = own.has(policy.name) ? 'font-weight="bold"' : ''
    canvas.add(text(at, words, `font-size="11" fill="${colourOf(policy)}" ${weight}`))
  }
  return canvas.svg()
}

const letterWidth = 6.2

interface Box {
  readonly left: number
  readonly right: number
  readonly y: number
}

/** What a dot or a label covers. */
function boxAt({ x, y }: Point, width: number): Box {
  return width === 0 ? { left: x - 5, right: x + 5, y } : { left: x, right: x + width, y: y - 4 }
}

/** A place for a label beside its dot where no other dot or label is. */
function freePlace(
  { x, y }: Point,
  words: string,
  { taken, right }: { readonly taken: readonly Box[]; readonly right: number },
): Point {
  const width = words.length * letterWidth
  const choices = [4, 18, -10, 32, -24, 46, 60, 74].flatMap((down) => [
    { x: x + 9, y: y + down },
    { x: x - 9 - width, y: y + down },
  ])
  const isFree = (place: Point): boolean =>
    place.x > 74 &&
    place.x + width < right &&
    place.y > 60 &&
    !taken.some(
      (box) =>
        box.right > place.x - 2 &&
        box.left < place.x + width + 2 &&
        Math.abs(box.y - place.y + 4) < 11,
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
  const ends = series.map(({ points }) => canvas.place(points.at(-1) ?? { x: 0, y: 0 }).y)
  const places = spread(ends)
  for (const [index, { name, points }] of series.entries()) {
    const isOwn = index === series.length - 1
    const colour = isOwn ? ownColour : (palette[index % palette.length] as string)
    const end = { x: canvas.beside(0).x - 16, y: (places[index] as number) + 4 }
    canvas.add(
      polyline(points.map(canvas.place), colour),
      ...(dots ? points.map((point) => dot(canvas.place(point), colour)) : []),
      text(end, name, `fill="${colour}" font-weight="bold"`),
    )
  }
}

const lineHeight = 15

/** Heights of labels at the ends of lines, moved down where they would lie on each other. */
function spread(ends: readonly number[]): readonly number[] {
  const places = [...ends]
  let last = Number.NEGATIVE_INFINITY
  for (const index of [...ends.keys()].toSorted(
    (a, b) => (ends[a] as number) - (ends[b] as number),
  )) {
    last = Math.max(ends[index] as number, last + lineHeight)
    places[index] = last
  }
  return places
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
