import { useMemo } from 'preact/hooks'
import uPlot from 'uplot'
import type { CacheSums } from '../../../../src/dashboard/types.ts'
import { tokens } from '../../data/format.ts'
import { axes, Chart } from '../../parts/chart.tsx'

/** Input tokens of each request, by what the cache did with them. */
export function CacheChart({ cache }: { readonly cache: readonly (CacheSums | null)[] }) {
  const data = useMemo<uPlot.AlignedData>(() => {
    const parts = cache.map((each) => each ?? { read: 0, written: 0, uncached: 0 })
    return [
      parts.map((_, index) => index + 1),
      parts.map(({ read, written, uncached }) => read + written + uncached),
      parts.map(({ read, written }) => read + written),
      parts.map(({ read }) => read),
    ]
  }, [cache])
  if (cache.every((each) => each === null))
    return <p class="muted">No usage was reported for these requests.</p>
  const read = cache.reduce((sum, each) => sum + (each?.read ?? 0), 0)
  const written = cache.reduce((sum, each) => sum + (each?.written ?? 0), 0)
  return (
    <>
      <ul class="legend">
        <li>
          <span class="swatch cache-read" aria-hidden="true" /> Read
        </li>
        <li>
          <span class="swatch cache-write" aria-hidden="true" /> Written
        </li>
        <li>
          <span class="swatch cache-none" aria-hidden="true" /> Not cached
        </li>
      </ul>
      <Chart
        label={`Cache by request: ${tokens(read)} tokens read and ${tokens(written)} written in all`}
        height={170}
        data={data}
        options={(colors) => ({
          legend: { show: false },
          cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
          padding: [12, 12, 0, 0],
          scales: {
            x: { time: false, range: () => [0.4, Math.max(2, cache.length) + 0.6] },
            y: { range: (_, _low, high) => [0, high * 1.05] },
          },
          axes: axes(
            colors,
            { values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? `${n}` : '')) },
            { values: (_, splits) => splits.map(tokens) },
          ),
          series: [
            {},
            ...(['cache-none', 'cache-write', 'cache-read'] as const).map((name) => ({
              fill: colors(name),
              stroke: colors(name),
              width: 0,
              paths: uPlot.paths.bars!({ size: [0.8, 40, 1] }),
              points: { show: false },
            })),
          ],
        })}
      />
    </>
  )
}
