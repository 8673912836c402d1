import { describe, expect, it } from 'vitest'
import { corpusFolder, describeCorpus } from '../../test/corpus/corpus.ts'
import {
  calibrationTable,
  foundElsewhere,
  isFirstOfRepository,
  plantedAccuracy,
} from './calibration.ts'
import type { TracedSession } from './session.ts'
import { benchSessions } from './sources.ts'

const { sessions: traced, accuracy } = plantedAccuracy()

describe('the needs of planted sessions', () => {
  for (const kind of ['E1', 'E2'] as const) {
    it(`are found, and nothing else, for at least 98 of 100: ${kind}`, () => {
      const { planted, precision, recall } = accuracy[kind]
      expect(planted).toBeGreaterThan(40)
      expect(precision).toBeGreaterThanOrEqual(0.98)
      expect(recall).toBeGreaterThanOrEqual(0.98)
    })
  }

  it('stand in a table of the report', () => {
    const [heading, anchors] = calibrationTable([])
    expect(heading?.slice(1, 4)).toEqual(['planted', 'precision', 'recall'])
    expect(anchors?.slice(0, 2)).toEqual(['E1', String(accuracy.E1.planted)])
  })
})

describe('needs looked up in a session that has nothing to do with them', () => {
  it('are not found there: planted sessions', () => {
    const { E1, E2 } = foundElsewhere(traced)
    expect(Math.min(E1.candidates, E2.candidates)).toBeGreaterThan(20)
    expect([E1.share, E2.share]).toEqual([0, 0])
  })
})

describeCorpus('needs looked up in a recording of another repository', () => {
  it('are found for less than 1 of 100 anchors and 2 of 100 identifiers', async () => {
    const sessions: TracedSession[] = []
    for await (const { unpruned } of benchSessions(corpusFolder, isFirstOfRepository()))
      sessions.push(unpruned)
    expect(sessions.length).toBeGreaterThan(3)
    const { E1, E2 } = foundElsewhere(sessions)
    expect(Math.min(E1.candidates, E2.candidates)).toBeGreaterThan(20)
    expect(E1.share).toBeLessThan(0.01)
    expect(E2.share).toBeLessThan(0.02)
  }, 60_000)
})
