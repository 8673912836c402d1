import type { ComparedPolicy, Comparison } from '../../../src/dashboard/types.ts'
import { count, dollars, percent, savedShare, tokens } from '../data/format.ts'
import { visible } from '../data/visible-text.ts'
import { Scroll } from './scroll.tsx'
import { useWidth } from './use-width.ts'

/** Policies side by side: dollars against evidence that stayed visible. */
export function ComparisonCharts({ comparison }: { readonly comparison: Comparison }) {
  const { variants } = comparison
  const measured = variants.filter(({ evidence }) => evidence !== null && evidence.needed > 0)
  return (
    <>
      <section class="card">
        <h2>Dollars against evidence</h2>
        <p class="muted">
          <span class="sentence">{visible(comparison.subject)}</span>:{' '}
          {comparison.sessions > 1 && `${count(comparison.sessions, 'session')}, `}
          {count(comparison.requests, 'request')}. Further right is cheaper. Further up, more of the
          texts that the agent edits were still visible when it edited them.
        </p>
        {measured.length === 0 ? (
          <p>Evidence was not measured: the agent used nothing later that could be checked.</p>
        ) : (
          <Scatter variants={measured} />
        )}
      </section>
      <section class="card">
        <h2>In figures</h2>
        <Scroll label="In figures">
          <table>
            <thead>
              <tr>
                <th>Policy</th>
                <th class="number">Dollars</th>
                <th class="number">Saved</th>
                <th class="number">Tokens saved</th>
                <th class="number">Evidence visible</th>
                <th class="number">Epochs</th>
                <th class="number">Cost more</th>
              </tr>
            </thead>
            <tbody>
              {variants.map((each) => (
                <tr key={nameOf(each)}>
                  <td>
                    {nameOf(each)} {each.isCurrent && <span class="badge live">in force</span>}
                  </td>
                  <td class="number">{dollars(each.dollars.with)}</td>
                  <td class={each.dollars.with > each.dollars.without ? 'number bad' : 'number'}>
                    {percent(savedShare(each.dollars))}
                  </td>
                  <td class="number">{tokens(each.tokens.without - each.tokens.with)}</td>
                  <td class="number">
                    {each.evidence === null
                      ? '–'
                      : `${each.evidence.visible} of ${each.evidence.needed}`}
                  </td>
                  <td class="number">{each.epochs}</td>
                  <td class={each.costMore > 0 ? 'number bad' : 'number'}>
                    {each.costMore === 0 ? 'none' : count(each.costMore, 'session')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
    </>
  )
}

const height = 320
const edge = { left: 52, right: 20, top: 34, bottom: 44 }

function Scatter({ variants }: { readonly variants: readonly ComparedPolicy[] }) {
  const [place, measured] = useWidth<HTMLDivElement>()
  const width = Math.max(280, measured)
  const saved = variants.map(({ dollars: sums }) => savedShare(sums))
  const kept = variants.map(evidenceShare)
  const [low, high] = [Math.min(0, ...saved) - 0.02, Math.max(0.1, ...saved) + 0.02]
  const floor = Math.max(0, Math.min(0.9, ...kept) - 0.03)
  const x = (share: number): number =>
    edge.left + ((share - low) / (high - low)) * (width - edge.left - edge.right)
  const y = (share: number): number =>
    height - edge.bottom - ((share - floor) / (1 - floor)) * (height - edge.top - edge.bottom)
  const placed = spread(
    variants.map((each) => ({
      each,
      x: x(savedShare(each.dollars)),
      y: y(evidenceShare(each)),
    })),
  )
  const columns = ticks(low, high)
  const rows = ticks(floor, 1)
  const label = variants
    .map(
      (each) =>
        `${nameOf(each)}: ${percent(savedShare(each.dollars))} saved, ${percent(evidenceShare(each))} of the evidence visible`,
    )
    .join('; ')
  return (
    <div ref={place}>
      <svg class="scatter" width={width} height={height} role="img" aria-label={label}>
        {columns.map((share) => (
          <g key={share}>
            <line
              class="grid"
              x1={x(share)}
              x2={x(share)}
              y1={edge.top}
              y2={height - edge.bottom}
            />
            <text x={x(share)} y={height - edge.bottom + 16} text-anchor="middle">
              {percent(share)}
            </text>
          </g>
        ))}
        {rows.map((share) => (
          <g key={share}>
            <line class="grid" x1={edge.left} x2={width - edge.right} y1={y(share)} y2={y(share)} />
            <text x={edge.left - 8} y={y(share) + 4} text-anchor="end">
              {percent(share)}
            </text>
          </g>
        ))}
        <text x={width - edge.right} y={height - 6} text-anchor="end">
          Dollars saved
        </text>
        <text x={edge.left} y={14}>
          Evidence visible
        </text>
        {placed.map(({ each, x: left, y: top, labelY }) => {
          const isRight = left > width * 0.6
          return (
            <g key={nameOf(each)} class={each.isCurrent ? 'current' : ''}>
              {labelY - top > labelDrop && (
                <line class="leader" x1={left} x2={left} y1={top + 5} y2={labelY - 11} />
              )}
              <circle cx={left} cy={top} r={each.isCurrent ? 7 : 5} />
              <text
                class="name"
                x={isRight ? left + 7 : left - 7}
                y={labelY}
                text-anchor={isRight ? 'end' : 'start'}
              >
                {nameOf(each)}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

interface Placed {
  readonly each: ComparedPolicy
  readonly x: number
  readonly y: number
}

/** How far a label is below its point. */
const labelDrop = 20

/** Moves labels that would overlap. */
function spread(points: readonly Placed[]): readonly (Placed & { readonly labelY: number })[] {
  const placed: (Placed & { labelY: number })[] = []
  for (const point of [...points].sort((one, other) => one.y - other.y)) {
    let labelY = point.y + labelDrop
    while (
      placed.some(
        (other) => Math.abs(other.labelY - labelY) < 15 && Math.abs(other.x - point.x) < 150,
      )
    )
      labelY += 3
    placed.push({ ...point, labelY })
  }
  return placed
}

function ticks(low: number, high: number): readonly number[] {
  const rough = (high - low) / 5
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25].find((each) => each >= rough * 0.8) ?? 0.5
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

function evidenceShare({ evidence }: ComparedPolicy): number {
  return evidence === null || evidence.needed === 0 ? 0 : evidence.visible / evidence.needed
}

function nameOf({ preset, schedule }: ComparedPolicy): string {
  return `${preset} · ${schedule}`
}
