import { describe, expect, it } from 'vitest'
import { coverageOf } from './coverage.ts'
import { needsOf } from './needs.ts'
import { readTrace } from './read-trace.ts'
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
import type { TracedSession } from './session.ts'
import { validate } from './validity.ts'

const faultsIn = (session: TracedSession): readonly string[] =>
  validate(unpruned, session, coverageOf(unpruned, session))

const items = [
  said(0, 'user', 'Look at the log, please.'),
  called(1, 'Read', { file_path: 'log.txt' }),
  returned(2, 'nothing to see here'),
]
const withView = (
  rows: readonly TraceRow[],
  view: readonly number[],
): ReturnType<typeof tracedRows> =>
  tracedRows(
    ...items,
    ...shownInFull(0, 1, 2),
    ...rows,
    requested(1, view),
    said(3, 'assistant', 'Done.'),
  )
const unpruned = withView([], [0, 1, 2])

describe('a request is invalid', () => {
  const faultsOf = (rows: readonly TraceRow[], view: readonly number[]): readonly string[] =>
    faultsIn(withView(rows, view))

  it('not, as the agent sent it', () => {
    expect(faultsOf([], [0, 1, 2])).toEqual([])
  })
  it('when a call lost its result', () => {
    expect(faultsOf([], [0, 1])).toEqual(['request 1: a call without its result'])
  })
  it('when a result lost its call', () => {
    expect(faultsOf([], [0, 2])).toEqual(['request 1: a result without its call'])
  })
  it('when the order changed', () => {
    expect(faultsOf([], [0, 2, 1])).toEqual(['request 1: item 1 after item 2'])
  })
  it("when the user's text changed or is gone", () => {
    const rows = [
      { type: 'rendition', r: 9, i: 0, how: 'truncated', text: 'Look', handle: 'aa11bb' },
    ]
    const fault = "request 1: the user's text in item 0 was changed"
    expect(faultsOf(rows, [9, 1, 2])).toEqual([fault])
    expect(faultsOf([], [1, 2])).toEqual([fault])
  })
  it('when an item is shown empty', () => {
    const rows = [{ type: 'rendition', r: 9, i: 2, how: 'masked', text: ' ' }]
    expect(faultsOf(rows, [0, 1, 9])).toEqual(['request 1: item 2 is shown empty'])
  })
  it('when an item comes from the future', () => {
    const early = tracedRows(
      ...items,
      said(3, 'assistant', 'Done.'),
      ...shownInFull(0, 1, 2, 3),
      requested(1, [0, 1, 2, 3]),
    )
    expect(faultsIn(early)).toEqual(['request 1: item 3 from the future'])
  })
})

describe('what a trace does not tell', () => {
  it('is a fault, not a saving', () => {
    const silent = tracedRows(
      said(0, 'user', 'Look at the log, please.'),
      called(1, 'Read', {}),
      returned(2, 'nothing'),
      ...shownInFull(0, 1, 2),
      requested(1, [0, 1, 2]),
    )
    const { share } = coverageOf(unpruned, silent)
    expect(share).toBeLessThan(0.5)
    expect(faultsIn(silent)).toEqual([
      `the trace tells ${(share * 100).toFixed(1)} % of the recording`,
    ])
    const needs = needsOf(unpruned)
    const { tokens } = scoreSession(unpruned, silent, needs)
    expect(tokens).toBeGreaterThanOrEqual(scoreSession(unpruned, unpruned, needs).tokens)
  })
  it('is said of requests too', () => {
    const none = tracedRows(...items, said(3, 'assistant', 'Done.'))
    expect(faultsIn(none)).toEqual(['0 requests instead of 1'])
    const needs = needsOf(unpruned)
    expect(scoreSession(unpruned, none, needs).price.cost).toEqual(
      scoreSession(unpruned, unpruned, needs).price.cost,
    )
  })
})

describe('a damaged trace', () => {
  it('is read as far as it goes, with its faults', () => {
    const [session] = readTrace(['{"type":"request"', '{"type":"item","i":4}', ''])
    expect(session?.faults).toEqual([
      'no session line first',
      'a line that is not a row of a trace',
      'item 4, expected 0',
      'item 0 wants kind, role, message and text',
      'no end line',
    ])
  })
  it('names renditions that leave something out without a handle or grow', () => {
    const rows = [
      { type: 'rendition', r: 8, i: 2, how: 'truncated', text: 'nothing' },
      {
        type: 'rendition',
        r: 9,
        i: 2,
        how: 'masked',
        text: 'longer than what it replaces, by far',
      },
    ]
    expect(withView(rows, [0, 1, 2]).faults).toEqual([
      'rendition 8 leaves something out without a handle',
      'rendition 9 is longer than item 2, which it replaces',
    ])
  })
})
