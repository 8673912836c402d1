import { describe, expect, it } from 'vitest'
import { viewTokens } from '../score/session.ts'
import { benchSession, engineTrace } from '../score/sources.ts'
import { countShares } from './claimed-shares.ts'
import { claims } from './claims.ts'
import { presetBaselines } from './preset-baselines.ts'
import { called, recordingOf } from './scripted-recording.ts'

const page = 'a paragraph of a page that was fetched from somewhere\n'.repeat(40)
const fetched = (id: string, format: string): ReturnType<typeof called> =>
  called(id, 'webfetch', { url: 'https://example.org/', format }, `${page}${id}`)
const twice = benchSession({
  name: 's',
  file: 's',
  ordinal: 0,
  recording: recordingOf(fetched('f1', 'text'), fetched('f2', 'markdown')),
})

describe('the share that a strategy saves', () => {
  const count = countShares()
  count.add(twice)
  const shares = new Map(count.shares().map((share) => [share.strategy, share]))
  const ofLast = (strategy: string): number => shares.get(strategy)?.ofLastRequests ?? Number.NaN

  it('is what the replayed requests do not send, under the strategy that decided it', () => {
    const [acp] = presetBaselines
    if (acp === undefined) throw new Error('no preset')
    const last = engineTrace(twice, acp.config, acp.name).requests.at(-1)?.view ?? []
    const whole = twice.unpruned.requests.at(-1)?.view ?? []
    const saved = 1 - viewTokens(last) / viewTokens(whole)
    expect(saved).toBeGreaterThan(0.3)
    expect(ofLast('all ten strategies')).toBeCloseTo(saved, 10)
    expect(ofLast('pruneSourceUrls') + ofLast('pruneToolInputs')).toBeCloseTo(saved, 10)
    expect(ofLast('aggressiveFilePrune')).toBe(0)
    expect(ofLast('smart_tool_retention')).toBe(0)
  })

  it('of all requests counts those too that came before there was anything to replace', () => {
    const share = shares.get('all ten strategies')
    expect(share?.ofTokensSent).toBeGreaterThan(0)
    expect(share?.ofTokensSent).toBeLessThan(share?.ofLastRequests ?? 0)
  })

  it('stands beside what the document claims, for each of its figures', () => {
    expect(count.shares().map(({ claim }) => claim)).toEqual(claims.map(({ claim }) => claim))
  })

  it('is nothing where there are no sessions', () => {
    expect(
      countShares()
        .shares()
        .every(({ ofTokensSent }) => ofTokensSent === 0),
    ).toBe(true)
  })
})
