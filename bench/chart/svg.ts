/** A chart that reads on light and dark pages: it brings its own background, and no script or outside font. */
export interface Frame {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly x: Axis
  readonly y: Axis
}

export interface Axis {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  readonly label: (value: number) => string
  /** Equal distances for equal ratios instead of equal differences. */
  readonly logarithmic?: true
}

export interface Point {
  readonly x: number
  readonly y: number
}

const width = 760
const height = 440
const left = 70
const right = 150
const top = 44
const bottom = 52

export const palette: readonly string[] = [
  '#1d4e89',
  '#c8553d',
  '#3a7d44',
  '#8d5fa8',
  '#b8860b',
  '#4a4a4a',
]

export interface Canvas {
  place(point: Point): Point
  add(...elements: readonly string[]): void
  svg(): string
}

export function createCanvas({ title, xTitle, yTitle, x, y }: Frame): Canvas {
  const place = (point: Point): Point => ({
    x: left + shareOf(x, point.x) * (width - left - right),
    y: height - bottom - shareOf(y, point.y) * (height - top - bottom),
  })
  const elements: string[] = [
    `<rect width="${width}" height="${height}" fill="#fdfcf8"/>`,
    text({ x: left, y: 24 }, title, 'font-size="15" font-weight="bold"'),
    text({ x: left, y: height - 12 }, xTitle),
    text({ x: left, y: top - 6 }, yTitle, 'fill="#666"'),
  ]
  for (const tick of x.ticks) {
    const at = place({ x: tick, y: y.from })
    elements.push(line(at, { x: at.x, y: top }, 'stroke="#ddd"'))
    elements.push(text({ x: at.x, y: at.y + 18 }, x.label(tick), 'text-anchor="middle"'))
  }
  for (const tick of y.ticks) {
    const at = place({ x: x.from, y: tick })
    elements.push(line(at, { x: width - right, y: at.y }, 'stroke="#ddd"'))
    elements.push(text({ x: at.x - 8, y: at.y + 4 }, y.label(tick), 'text-anchor="end"'))
  }
  return {
    place,
    add: (...more) => {
      elements.push(...more)
    },
    svg: () =>
      [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">`,
        `<title>${escaped(title)}</title>`,
        ...elements,
        '</svg>\n',
      ].join('\n'),
  }
}

function shareOf({ from, to, logarithmic }: Axis, value: number): number {
  const scale = (each: number): number => (logarithmic ? Math.log(each) : each)
  return (scale(value) - scale(from)) / (scale(to) - scale(from))
}

const round = (value: number): string => value.toFixed(1)

export function text(at: Point, words: string, attributes = ''): string {
  return `<text x="${round(at.x)}" y="${round(at.y)}" ${attributes}>${escaped(words)}</text>`
}

export function line(from: Point, to: Point, attributes: string): string {
  return `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" ${attributes}/>`
}

export function polyline(points: readonly Point[], colour: string): string {
  const path = points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`
}

export function dot(at: Point, colour: string): string {
  return `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="4.5" fill="${colour}"/>`
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
