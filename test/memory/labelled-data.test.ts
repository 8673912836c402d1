import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { measureConversations } from '../../bench/memory/conversations.ts'
import { measureCorrections } from '../../bench/memory/corrections.ts'
import { measureDecisions } from '../../bench/memory/decisions.ts'
import type { Measure } from '../../bench/memory/measure.ts'
import { measureMessages } from '../../bench/memory/messages.ts'
import { measureSessions } from '../../bench/memory/sessions.ts'

const missed = (measures: readonly Measure[]): readonly Measure[] =>
  measures.filter(({ reached }) => !reached)

describe('on labelled developer messages', () => {
  it('understands changes, leaves the rest alone, and keeps what holds side by side', () => {
    const share = measureMessages(() => {}, ['train', 'test']).map(({ value }) =>
      Number.parseFloat(value),
    )
    const [recall, wrong, pairs, testRecall, testWrong, testPairs] = share
    expect(recall).toBeGreaterThanOrEqual(90)
    expect(testRecall).toBeGreaterThanOrEqual(87)
    expect([wrong, testWrong, pairs, testPairs]).toEqual([0, 0, 0, 0])
  }, 60_000)
})

describe.skipIf(!existsSync('../shared/memory-bench'))('on labelled data', () => {
  it.each([
    ['corrections are found and repaired', measureCorrections, 2],
    ['what was replaced stays out of the context', measureConversations, 1],
    ['the newest session that knows the answer comes first', measureSessions, 1],
    ['links between decisions are known from both sides', measureDecisions, 1],
  ] as const)('%s', (_, measure, lines) => {
    const measures = measure()
    expect(measures).toHaveLength(lines)
    expect(missed(measures)).toEqual([])
  })
})
