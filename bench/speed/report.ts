import type { BenchRow } from '../bench-row.ts'
import { growthExponent } from '../score/growth.ts'
import type { Table } from '../score/tables.ts'
import { jsonLimit, type Timing } from './measure.ts'
import type { PeerTiming } from './peer-process.ts'

/** All measurements at one size. */
export interface SizeTimings {
  readonly calls: number
  readonly items: number
  /** The limit and ours, from one process. */
  readonly timings: readonly Timing[]
  /** null when it was not tried at this size. */
  readonly peer: PeerTiming | null
}

type Moment = 'resumeMs' | 'turnMs'

const ours = 'palimpsest'
const fastEnough = 100
const nearEnough = 8

/** Shorter resumes are not compared: nobody notices them, and most of the time is start-up. */
const leastCalls = 100

/** The promised limits, checked with one run. */
export function speedRows(sizes: readonly SizeTimings[]): readonly BenchRow[] {
  return sizes.flatMap((size) => [...rowsOf(size, 'resumeMs'), ...rowsOf(size, 'turnMs')])
}

function* rowsOf(size: SizeTimings, moment: Moment): Generator<BenchRow> {
  const { calls, items, timings, peer } = size
  const isResume = moment === 'resumeMs'
  if (isResume && calls < leastCalls) return
  const what = isResume
    ? `resume of ${count(calls)} calls`
    : `one more turn at ${count(items)} items`
  const [own, limit] = [timeOf(timings, ours, moment), timeOf(timings, jsonLimit, moment)]
  yield {
    name: `${what}, against the JSON limit`,
    ratio: own / limit,
    limit: nearEnough,
    better: 'below',
    note: `${ms(own)} against ${ms(limit)}`,
  }
  const taken = peer?.[moment] ?? null
  if (taken === null) return
  yield {
    name: `${what}, DCP against ours`,
    ratio: taken / own,
    limit: isResume && calls >= 500 ? fastEnough : 1,
    better: 'above',
    note: `${ms(taken)} against ${ms(own)}`,
  }
}

/** One row per contestant, one column per size, and how the time grows. */
export function speedTable(sizes: readonly SizeTimings[], moment: Moment): Table {
  const names = [...new Set(sizes.flatMap(({ timings }) => timings.map(({ name }) => name)))]
  const heading = sizes.map(({ calls, items }) => `${count(calls)} calls, ${count(items)} items`)
  const rows = names.map((name) => {
    const times = sizes.map(({ timings }) => timeOf(timings, name, moment))
    return [name, ...times.map(ms), exponent(sizes, times)]
  })
  const peer = sizes.map((size) => size.peer?.[moment] ?? null)
  const peerCells = sizes.map((size, index) => {
    const taken = peer[index] ?? null
    if (taken !== null) return ms(taken)
    return size.peer === null ? '-' : `not within ${ms(size.peer.waitedMs)}`
  })
  return [
    ['', ...heading, 'grows with items to the power of'],
    ...rows,
    ['opencode-dcp', ...peerCells, exponent(sizes, peer)],
  ]
}

/** How the time grows, when at least two sizes were measured. */
function exponent(sizes: readonly SizeTimings[], times: readonly (number | null)[]): string {
  const points = sizes.flatMap(({ items }, index) => {
    const milliseconds = times[index] ?? null
    return milliseconds === null ? [] : [{ items, milliseconds }]
  })
  return points.length < 2 ? '-' : growthExponent(points).toFixed(2)
}

function timeOf(timings: readonly Timing[], name: string, moment: Moment): number {
  return timings.find((timing) => timing.name === name)?.[moment] ?? Number.NaN
}

const count = (number: number): string => number.toLocaleString('en')

function ms(time: number): string {
  if (time >= 10_000) return `${(time / 1000).toFixed(1)} s`
  return `${time.toFixed(time < 10 ? 2 : 0)} ms`
}
