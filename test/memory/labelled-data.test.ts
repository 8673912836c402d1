import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { measureConversations } from '../../bench/memory/conversations.ts'
import { measureCorrections } from '../../bench/memory/corrections.ts'
import { measureDecisions } from '../../bench/memory/decisions.ts'
import type { Measure } from '../../bench/memory/measure.ts'
import { measureSessions } from '../../bench/memory/sessions.ts'

const missed = (measures: readonly Measure[]): readonly Measure[] =>
  measures.filter(({ reached }) => !reached)

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
