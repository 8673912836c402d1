import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moneyOf } from '../../src/dashboard/money.ts'
import { readSession } from '../../src/dashboard/session-detail.ts'
import { sessionRow } from '../../src/dashboard/session-row.ts'
import type { SessionSource } from '../../src/dashboard/session-source.ts'
import { createStoredSessions } from '../../src/dashboard/stored-sessions.ts'
import { finish } from '../../src/replay/work.ts'
import { admitOutput } from '../../src/session/admit-output.ts'
import { openStore, type Store } from '../../src/store/index.ts'

const rows = (what: string): string =>
  Array.from({ length: 600 }, (_, at) => `row_${at} of the report is ${what}`).join('\n')

describe('a session of the hook', () => {
  let store: Store
  let source: SessionSource
  beforeAll(async () => {
    store = await openStore({ kind: 'memory' })
    for (const call of ['one', 'two'])
      await admitOutput(
        store,
        { preset: 'balanced', toolMappings: [], warnings: [] },
        {
          ...{
            session: 'hook-abc',
            origin: 'claude-code',
            cwd: '/p',
            at: 1_000,
            prompt: 'Run it.',
          },
          ...{
            tool: 'Bash',
            call,
            input: '{"command":"make"}',
            text: rows(call),
            restore: 'restore',
          },
        },
      )
    const sessions = createStoredSessions(store)
    source = await sessions.sourceOf((await sessions.all())[0]!)
  })
  afterAll(() => store.close())

  it('shows the tokens of every output, and no dollars, because nothing is known of its requests', () => {
    const { requests, items } = finish(readSession(source))
    const row = sessionRow(source, { isPaused: false }, requests)
    expect(requests).toHaveLength(2)
    expect(requests.map(({ savedDollars }) => savedDollars)).toEqual([null, null])
    expect(row).toMatchObject({ agent: 'Claude Code', savedDollars: null })
    expect(row.tokens.without).toBeGreaterThan(5 * row.tokens.with)
    expect(items.filter(({ spans }) => spans.some(({ reason }) => reason !== null))).toHaveLength(2)
    expect(finish(moneyOf(source)).regimes).toEqual([])
  })
})
