/** A chart for light and dark pages, with its own background and without scripts or external fonts. */
export interface Frame {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly x: Axis
  readonly y: Axis
  /** Room for names beside the chart, in pixels. */
  readonly legend: number
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

const plotWidth = 540
const height = 440
const left = 70
const gap = 24
const top = 52
const bottom = 52

/** The colour of our policy. */
export const ownColour = '#c8553d'
export const otherColour = '#1d4e89'

/** The colours of other policies. */
export const palette: readonly string[] = ['#1d4e89', '#3a7d44', '#8d5fa8', '#b8860b', '#4a4a4a']

export interface Canvas {
  place(point: Point): Point
  /** Where the line of that number stands beside the chart, from 0. */
  beside(row: number): Point
  add(...elements: readonly string[]): void
  svg(): string
}

export function createCanvas({ title, xTitle, yTitle, x, y, legend }: Frame): Canvas {
  const edge = left + plotWidth
  const width = edge + gap + legend
  const place = (point: Point): Point => ({
    x: left + shareOf(x, point.x) * plotWidth,
    y: height - bottom - shareOf(y, point.y) * (height - top - bottom),
  })
  const elements: string[] = [
    `<rect width="${width}" height="${height}" fill="#fdfcf8"/>`,
    text({ x: left, y: 24 }, title, 'font-size="15" font-weight="bold"'),
    text({ x: left, y: height - 12 }, xTitle, 'fill="#666"'),
    text({ x: left, y: top - 9 }, yTitle, 'fill="#666"'),
  ]
  for (const tick of x.ticks) {
    const at = place({ x: tick, y: y.from })
    elements.push(line(at, { x: at.x, y: top }, 'stroke="#ddd"'))
    elements.push(text({ x: at.x, y: at.y + 18 }, x.label(tick), 'text-anchor="middle"'))
  }
  for (const tick of y.ticks) {
    const at = place({ x: x.from, y: tick })
    elements.push(line(at, { x: edge, y: at.y }, 'stroke="#ddd"'))
    elements.push(text({ x: at.x - 8, y: at.y + 4 }, y.label(tick), 'text-anchor="end"'))
  }
  return {
    place,
    beside: (row) => ({ x: edge + gap, y: top + 10 + row * 16 }),
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

/** A rectangle between two corners. */
export function area(from: Point, to: Point, attributes: string): string {
  const size = `width="${round(to.x - from.x)}" height="${round(to.y - from.y)}"`
  return `<rect x="${round(from.x)}" y="${round(from.y)}" ${size} ${attributes}/>`
}

export function polyline(points: readonly Point[], colour: string, attributes = ''): string {
  const path = points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2" ${attributes}/>`
}

export function dot(at: Point, colour: string): string {
  return `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="4.5" fill="${colour}"/>`
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
