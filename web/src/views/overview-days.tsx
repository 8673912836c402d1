import { useMemo } from 'preact/hooks'
import uPlot from 'uplot'
import type { Group } from '../../../src/dashboard/types.ts'
import { day, dollars, tokens } from '../data/format.ts'
import { axes, Chart } from '../parts/chart.tsx'
import { savedOf, type Unit } from './overview.tsx'

/** One bar for each day. */
export function DayChart({ days, unit }: { readonly days: readonly Group[]; readonly unit: Unit }) {
  const data = useMemo<uPlot.AlignedData>(
    () => [days.map((_, index) => index), days.map((each) => savedOf(each, unit))],
    [days, unit],
  )
  const inWords = unit === 'dollars' ? dollars : tokens
  const best = days.reduce<Group | null>(
    (found, each) => (found === null || savedOf(each, unit) > savedOf(found, unit) ? each : found),
    null,
  )
  const label =
    best === null
      ? 'Saved by day: no days'
      : `Saved by day: ${days.length} days, most on ${dayName(best)} with ${inWords(savedOf(best, unit))}`
  return (
    <Chart
      label={label}
      height={190}
      data={data}
      options={(colors) => ({
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        padding: [12, 8, 0, 0],
        scales: {
          x: { time: false, range: [-0.6, Math.max(days.length - 0.4, 0.6)] },
          y: { range: (_, low, high) => [Math.min(0, low), high <= 0 ? 1 : high * 1.08] },
        },
        axes: axes(
          colors,
          {
            splits: ({ bbox }) => labelled(days.length, bbox.width / devicePixelRatio),
            values: (_, splits) => splits.map((at) => nameAt(days, at)),
          },
          { values: (_, splits) => splits.map(inWords) },
        ),
        series: [
          {},
          {
            fill: colors('accent'),
            stroke: colors('accent'),
            width: 0,
            paths: uPlot.paths.bars!({ size: [0.7, 56, 2], radius: 0.15 }),
            points: { show: false },
          },
        ],
        plugins: [tip(days, unit)],
      })}
    />
  )
}

/** As many days are named below as there is room for, at most ten. */
function labelled(length: number, width: number): number[] {
  const most = Math.min(10, Math.max(2, Math.floor(width / 64)))
  const step = Math.max(1, Math.ceil(length / most))
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step)
}

function nameAt(days: readonly Group[], at: number): string {
  const found = days[at]
  return found === undefined ? '' : dayName(found)
}

function dayName({ name }: Group): string {
  return day(new Date(`${name}T12:00:00`).getTime())
}

/** The figures of the day under the pointer. */
function tip(days: readonly Group[], unit: Unit): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'chart-tip'
  box.hidden = true
  return {
    hooks: {
      init: (plot) => {
        plot.over.append(box)
      },
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor
        const found = typeof idx === 'number' ? days[idx] : undefined
        box.hidden = found === undefined || left < 0
        if (found === undefined) return
        const saved =
          unit === 'dollars' ? dollars(found.savedDollars) : tokens(savedOf(found, unit))
        box.textContent = `${dayName(found)}: ${saved} saved in ${found.requests} requests`
        box.style.left = `${Math.min(left + 8, plot.over.clientWidth - 200)}px`
      },
    },
  }
}
