import { describe, expect, it } from 'vitest'
import { jsonLimit } from './measure.ts'
import { type SizeTimings, speedRows, speedTable } from './report.ts'
import { keepsLimit, rowLine } from './row-line.ts'

const size = (calls: number, ours: number, peer: SizeTimings['peer']): SizeTimings => ({
  calls,
  items: calls * 5,
  timings: [
    { name: jsonLimit, resumeMs: calls / 100, firstResumeMs: 9, turnMs: calls / 100 },
    { name: 'palimpsest', resumeMs: ours, firstResumeMs: 9, turnMs: ours / 10 },
  ],
  peer,
})
const sizes = [
  size(100, 8, { resumeMs: 4_000, turnMs: 60, waitedMs: 5_000 }),
  size(500, 41, { resumeMs: 20_000, turnMs: null, waitedMs: 30_000 }),
  size(2_000, 160, null),
]

describe('the figures of a run', () => {
  it('are ratios beside what has to be kept, and a miss is a miss', () => {
    const rows = speedRows(sizes).filter(({ name }) => name.startsWith('resume'))
    expect(rows.map(({ name, ratio, limit }) => [name, Math.round(ratio), limit])).toEqual([
      ['resume of 100 calls, against the JSON limit', 8, 8],
      ['resume of 100 calls, DCP against ours', 500, 1],
      ['resume of 500 calls, against the JSON limit', 8, 8],
      ['resume of 500 calls, DCP against ours', 488, 100],
      ['resume of 2,000 calls, against the JSON limit', 8, 8],
    ])
    expect(rows.map(keepsLimit)).toEqual([true, true, false, true, true])
    expect(rows.map(rowLine).filter((line) => line.startsWith('MISS'))).toHaveLength(1)
  })

  it('say what a peer did not finish, and show growth as an exponent', () => {
    expect(speedTable(sizes, 'turnMs')).toEqual([
      [
        '',
        '100 calls, 500 items',
        '500 calls, 2,500 items',
        '2,000 calls, 10,000 items',
        'grows with items to the power of',
      ],
      [jsonLimit, '1.00 ms', '5.00 ms', '20 ms', '1.00'],
      ['palimpsest', '0.80 ms', '4.10 ms', '16 ms', '1.00'],
      ['opencode-dcp', '60 ms', 'not within 30.0 s', '-', '-'],
    ])
  })
})
