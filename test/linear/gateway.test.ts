import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Setting, startSetting } from '../gateway/setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.stop())

const length = 1_000_000

interface Hostile {
  readonly tool: string
  readonly input: Readonly<Record<string, string>>
  readonly result: string
}

const hostile: readonly Hostile[] = [
  { tool: 'Bash', input: { command: '<<X '.repeat(length / 4) }, result: 'ok' },
  { tool: 'Bash', input: { command: `cat ${'../'.repeat(length / 3)}` }, result: 'ok' },
  {
    tool: 'Bash',
    input: { command: ' git '.repeat(length / 5) },
    result: ' \n'.repeat(length / 2),
  },
  { tool: 'WebFetch', input: { url: `https://a.b${'/'.repeat(length)}x` }, result: 'ok' },
  { tool: 'Read', input: { file_path: '/a' }, result: '<system-reminder>'.repeat(length / 17) },
  { tool: 'Bash', input: { command: 'npx tsc' }, result: ' '.repeat(length) },
]

/** Two turns, so that what the first one did is read, compared and perhaps shortened. */
function bodyOf(session: string, { tool, input, result }: Hostile): string {
  const turn = (id: string, given: Hostile['input'], said: string): readonly object[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: given }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: said }] },
  ]
  return JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 10,
    messages: [
      { role: 'user', content: session },
      ...turn('toolu_1', input, result),
      ...turn('toolu_2', { command: 'ls' }, 'a.txt'),
    ],
  })
}

const small: Hostile = { tool: 'Bash', input: { command: 'ls' }, result: 'a.txt' }

describe('a request with a megabyte of hostile text', () => {
  it.each(hostile.map((given, at) => ({ ...given, at })))(
    'as input or result of $tool ($at) is answered, and holds nobody up for long',
    async ({ at, ...given }) => {
      const before = process.cpuUsage()
      const [answer, neighbour] = await Promise.all([
        setting.post('/v1/messages', bodyOf(`hostile ${at}`, given)),
        setting.post('/v1/messages', bodyOf(`neighbour ${at}`, small)),
      ])
      const { user, system } = process.cpuUsage(before)
      expect([answer.status, neighbour.status]).toEqual([200, 200])
      expect((user + system) / 1000).toBeLessThan(4_000)
      expect(setting.faults).toEqual([])
    },
  )
})
