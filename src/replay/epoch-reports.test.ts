import { describe, expect, it } from 'vitest'
import { engineFor, only } from '../../test/engine/told-session.ts'
import { findRegime, type Regime } from '../core/schedule/regimes.ts'
import type { ItemDraft, Role } from '../core/words/item.ts'
import type { Recording, RecordingEvent } from '../recordings/recording.ts'
import { createEpochReports, type EpochReport } from './epoch-reports.ts'
import { replay } from './replay.ts'

const minute = 60_000
const text = 'a line of some length that is there to be looked at\n'.repeat(60)
const message = (role: Role, at: number, ...items: readonly ItemDraft[]): RecordingEvent => ({
  kind: 'message',
  message: { role, at, items },
})
const fetched = (id: string, url: string, at: number): RecordingEvent[] => [
  message('assistant', at, {
    kind: 'call',
    tool: 'webfetch',
    call: id,
    text: JSON.stringify({ url }),
  }),
  message('tool', at, {
    kind: 'result',
    tool: 'webfetch',
    call: id,
    status: 'ok',
    text: `${id} ${text}`,
  }),
]
/** The same page twice, another one between; the next request shows the first without its text. */
const session = (pauseMs = 0): RecordingEvent[] => [
  message('user', 0, { kind: 'text', text: 'look it up' }),
  ...fetched('a', 'https://example.org/', 0),
  ...fetched('between', 'https://example.org/other', 0),
  ...fetched('b', 'https://example.org/', pauseMs),
  message('assistant', pauseMs, { kind: 'text', text: 'found' }),
]

function reportsOf(
  events: readonly RecordingEvent[],
  name = 'anthropic-5m',
): readonly EpochReport[] {
  const recording: Recording = {
    format: 'claude-code',
    session: 's',
    parent: null,
    model: 'claude-opus-4-5',
    cwd: null,
    events,
    messages: events.length,
    subagentRecords: 0,
  }
  const reports = createEpochReports(findRegime(name) as Regime)
  for (const step of replay(recording, engineFor(only({ pruneSourceUrls: true }))))
    if (step.kind === 'request') reports.after(step)
  return reports.all
}

describe('the report of an epoch', () => {
  it('says what left, what was sent again, and what that costs until it is paid back', () => {
    const [report, ...others] = reportsOf(session())
    expect(others).toEqual([])
    const { removedTokens = 0, rewrittenTokens = 0 } = report ?? {}
    const extra = (1.25 - 0.1) * rewrittenTokens
    expect(report).toEqual({
      request: 4,
      reason: 'at once',
      removedTokens: expect.any(Number),
      rewrittenTokens: expect.any(Number),
      dollars: expect.closeTo((extra * 3) / 1_000_000, 9),
      paysBackAfter: Math.ceil(extra / (0.1 * removedTokens)),
    })
    // One of the pages left; the other one, and what is left of the first, are taken in again.
    expect(removedTokens).toBeGreaterThan(500)
    expect(rewrittenTokens).toBeGreaterThan(500)
    expect(rewrittenTokens).toBeLessThan(1.2 * removedTokens)
  })

  it('has nothing to pay on a cold cache, nor where nothing is cached', () => {
    const free = { dollars: 0, paysBackAfter: 0 }
    expect(reportsOf(session(10 * minute))).toMatchObject([{ request: 4, ...free }])
    expect(reportsOf(session(10 * minute), 'anthropic-1h')[0]?.dollars).toBeGreaterThan(0)
    expect(reportsOf(session(), 'no-cache')).toMatchObject([free])
  })

  it('leaves out what the agent itself makes the provider take in again', () => {
    const events = session()
    const compacted: RecordingEvent = { kind: 'compaction', keeps: [1, 2, 3, 4, 5, 6] }
    const after = [...events.slice(0, -1), compacted, ...events.slice(-1)]
    expect(reportsOf(after)).toMatchObject([{ request: 4, rewrittenTokens: 0, dollars: 0 }])
  })

  it('is silent about sessions that nothing changed', () => {
    expect(reportsOf(session().slice(0, 5))).toEqual([])
  })
})
