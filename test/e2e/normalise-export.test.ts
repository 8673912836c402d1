import { describe, expect, it } from 'vitest'
import { normaliseExport } from './normalise-export.ts'

/** The same session as two recordings would hold it. */
function recorded(salt: string, startMs: number, duration: string): string {
  return JSON.stringify({
    info: {
      id: `ses_${salt}0123456789abcdefghij`,
      slug: `${salt}-name`,
      time: { created: startMs },
    },
    messages: [
      {
        info: { id: `msg_${salt}0123456789abcdefghij`, time: { completed: startMs + 5 } },
        parts: [
          {
            id: `prt_${salt}0123456789abcdefghij`,
            messageID: `msg_${salt}0123456789abcdefghij`,
            output: `# duration_ms ${duration}\nmsg_short, 1700000000000 and "created" stay`,
          },
        ],
      },
    ],
  })
}

describe('two recordings of one session', () => {
  it('are the same once they are normal, and keep what was said', () => {
    const first = normaliseExport(recorded('aaa', 1_700_000_000_000, '1.25'))
    const second = normaliseExport(recorded('bbb', 1_800_000_000_000, '33'))
    expect(first).toBe(second)
    expect(JSON.parse(first)).toEqual({
      info: {
        id: 'ses_00000000000000000000000001',
        slug: 'sample-session',
        time: { created: Date.UTC(2026, 2, 2, 9) },
      },
      messages: [
        {
          info: {
            id: 'msg_00000000000000000000000002',
            time: { completed: Date.UTC(2026, 2, 2, 9) + 5 },
          },
          parts: [
            {
              id: 'prt_00000000000000000000000003',
              messageID: 'msg_00000000000000000000000002',
              output: '# duration_ms 1.5\nmsg_short, 1700000000000 and "created" stay',
            },
          ],
        },
      ],
    })
  })
})
