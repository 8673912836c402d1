import { describe, expect, it } from 'vitest'
import { corpusFolder, describeCorpus } from '../../test/corpus/corpus.ts'
import { needsOf } from './needs.ts'
import { type PlantedSession, plantSession } from './planted/planted-session.ts'
import type { TracedSession } from './session.ts'
import { benchSession, benchSessions } from './sources.ts'

const seeds = [3, 14, 159, 2_653, 58_979, 323_846]

const planted: readonly PlantedSession[] = seeds.map((seed) => plantSession({ seed, steps: 120 }))
const traced: readonly TracedSession[] = planted.map(
  ({ recording }) =>
    benchSession({ name: 'planted', file: 'planted', ordinal: 0, recording }).unpruned,
)

describe('the needs of planted sessions', () => {
  for (const kind of ['E1', 'E2'] as const) {
    it(`are found, and nothing else, for at least 98 of 100: ${kind}`, () => {
      let found = 0
      let wanted = 0
      let right = 0
      for (const [index, session] of traced.entries()) {
        const known = planted[index]?.needs.filter((need) => need.class === kind) ?? []
        const keys = new Set(known.map(({ n, text }) => `${n} ${text}`))
        const needs = needsOf(session).needs.filter((need) => need.class === kind)
        wanted += keys.size
        found += needs.length
        right += needs.filter(({ n, spans }) => keys.has(`${n} ${spans[0]?.text}`)).length
      }
      expect(wanted).toBeGreaterThan(40)
      expect(right / found).toBeGreaterThanOrEqual(0.98)
      expect(right / wanted).toBeGreaterThanOrEqual(0.98)
    })
  }
})

/** The share of anchors and of identifiers that are found in another session by chance. */
function foundElsewhere(sessions: readonly TracedSession[]): Record<'E1' | 'E2', number> {
  const found = { E1: 0, E2: 0 }
  const candidates = { E1: 0, E2: 0 }
  for (const [index, session] of sessions.entries()) {
    const within = sessions[(index + 1) % sessions.length] as TracedSession
    const { needs, candidates: all } = needsOf(session, { within })
    for (const need of needs) found[need.class]++
    candidates.E1 += all.E1
    candidates.E2 += all.E2
  }
  expect(Math.min(candidates.E1, candidates.E2)).toBeGreaterThan(20)
  return { E1: found.E1 / candidates.E1, E2: found.E2 / candidates.E2 }
}

describe('needs looked up in a session that has nothing to do with them', () => {
  it('are not found there: planted sessions', () => {
    expect(foundElsewhere(traced)).toEqual({ E1: 0, E2: 0 })
  })
})

describeCorpus('needs looked up in a recording of another repository', () => {
  it('are found for less than 1 of 100 anchors and 2 of 100 identifiers', async () => {
    const repositories = new Set<string>()
    const isFirst = (name: string): boolean => {
      const repository = name.split(/[-_][\da-f]{6}|[-_]ses|__/)[0] ?? name
      if (repositories.has(repository)) return false
      repositories.add(repository)
      return true
    }
    const sessions: TracedSession[] = []
    for await (const { unpruned } of benchSessions(corpusFolder, isFirst)) sessions.push(unpruned)
    expect(sessions.length).toBeGreaterThan(3)
    const found = foundElsewhere(sessions)
    console.log(
      `by chance are found ${(found.E1 * 100).toFixed(2)} % of anchors, ${(found.E2 * 100).toFixed(2)} % of identifiers`,
    )
    expect(found.E1).toBeLessThan(0.01)
    expect(found.E2).toBeLessThan(0.02)
  }, 60_000)
})
