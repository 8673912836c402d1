import { describe, expect, it } from 'vitest'
import { needsOf } from './needs.ts'
import { poolScores } from './pool.ts'
import { scoreSession } from './score.ts'
import {
  called,
  requested,
  returned,
  said,
  shownInFull,
  type TraceRow,
  tracedRows,
} from './scripted-trace.ts'

const anchor = '  const total = computeTotal(basket)'
const file = ['function checkout(basket) {', anchor, '  return total', '}']

/** The agent reads a file, waits a request, and edits what it read. */
function editAfterRead(
  secondView: readonly TraceRow[],
  view: readonly number[],
): ReturnType<typeof tracedRows> {
  return tracedRows(
    said(0, 'user', 'Round the total.'),
    ...shownInFull(0),
    requested(1, [0]),
    called(1, 'Read', { file_path: 'src/checkout.ts' }),
    returned(2, file.map((line, index) => `${index + 1}\t${line}`).join('\n')),
    ...shownInFull(1, 2),
    requested(2, [0, 1, 2]),
    said(3, 'assistant', 'Found it.'),
    ...secondView,
    requested(3, view),
    called(4, 'Edit', {
      file_path: 'src/checkout.ts',
      old_string: anchor,
      new_string: '  const total = Math.round(computeTotal(basket))',
    }),
    returned(5, 'The file has been updated.'),
  )
}

const unpruned = editAfterRead(shownInFull(3), [0, 1, 2, 3])
const needs = needsOf(unpruned)

describe('a session without a policy', () => {
  it('costs one and has all its evidence', () => {
    const none = scoreSession(unpruned, unpruned, needs)
    const pooled = poolScores([{ score: none, none }])
    expect(needs.needs).toEqual([
      {
        class: 'E1',
        n: 3,
        call: 4,
        spans: [{ text: anchor.trim(), kind: 'part', holders: [2] }],
      },
    ])
    expect(pooled.E1).toEqual({ current: 1, stale: 0, recoverable: 0, lost: 0 })
    const { pooled: ratio, mean, worst, costMore } = pooled.dollars['anthropic-5m']
    expect({ ratio, mean, worst, costMore }).toEqual({ ratio: 1, mean: 1, worst: 1, costMore: 0 })
    expect(pooled.invalid).toBe(0)
    expect(pooled.bustsPerSession).toBe(0)
  })
})

describe('an anchor that a policy hid', () => {
  it('is recoverable behind a handle, and fetching it costs a request and the item', () => {
    const rows = [
      { type: 'rendition', r: 9, i: 2, how: 'discarded', text: '[gone: a1b2c3]', handle: 'a1b2c3' },
      ...shownInFull(3),
    ]
    const score = scoreSession(unpruned, editAfterRead(rows, [0, 1, 9, 3]), needs)
    expect(score.E1).toEqual({ current: 0, stale: 0, recoverable: 1, lost: 0 })
    expect(score.busts).toBe(1)
    expect({ requests: score.recalls.requests, items: score.recalls.items }).toEqual({
      requests: 1,
      items: 1,
    })
    const extra = (score.recalls.cost[0] ?? 0) - (score.price.cost[0] ?? 0)
    const sent = (0 + 'Round the total.'.length + unpruned.items[1]!.text.length) / 4
    const placeholders = ('[gone: a1b2c3]'.length + 'Found it.'.length) / 4
    const item = unpruned.items[2]!.text.length / 4
    expect(extra).toBeCloseTo((18_000 + sent + placeholders) * 0.1 + item * 1.25, 6)
  })

  it('is lost without a handle', () => {
    const rows = [
      { type: 'rendition', r: 9, i: 2, how: 'masked', text: '[gone]' },
      ...shownInFull(3),
    ]
    const score = scoreSession(unpruned, editAfterRead(rows, [0, 1, 9, 3]), needs)
    expect(score.E1).toEqual({ current: 0, stale: 0, recoverable: 0, lost: 1 })
  })

  it('is current where another rendition still says it', () => {
    const text = `[shortened]\n2\t${anchor}`
    const rows = [
      { type: 'rendition', r: 9, i: 2, how: 'truncated', text, handle: 'a1b2c3' },
      ...shownInFull(3),
    ]
    const score = scoreSession(unpruned, editAfterRead(rows, [0, 1, 9, 3]), needs)
    expect(score.E1.current).toBe(1)
  })
})

describe('a line that a hidden edit wrote', () => {
  const before = '  return price * quantity'
  const after = '  return price * quantity * discount'
  const rows = (hidden: boolean): ReturnType<typeof tracedRows> =>
    tracedRows(
      said(0, 'user', 'Add the discount.'),
      called(1, 'Read', { file_path: 'a.ts' }),
      returned(2, `1\t${before}\n2\t}`),
      called(3, 'Edit', { file_path: 'a.ts', old_string: before, new_string: after }),
      returned(4, 'ok, done'),
      ...shownInFull(0, 1, 2, 3, 4),
      { type: 'rendition', r: 9, i: 3, how: 'stripped', text: '{}', handle: 'd4e5f6' },
      requested(1, hidden ? [0, 1, 2, 9, 4] : [0, 1, 2, 3, 4]),
      called(5, 'Edit', { file_path: 'a.ts', old_string: after, new_string: `${after} // done` }),
      returned(6, 'ok, done'),
    )

  it('is stale while what it replaced still stands there', () => {
    const whole = rows(false)
    const score = scoreSession(whole, rows(true), needsOf(whole))
    expect(score.E1).toEqual({ current: 0, stale: 1, recoverable: 0, lost: 0 })
  })
})
