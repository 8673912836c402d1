import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelTurn } from '../../model/scenario.ts'
import { fileText } from './long-scenario.ts'
import { receivedItems } from './received.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'
import { begin, say, stored } from './steps.ts'

const list: ModelTurn = {
  operations: [{ kind: 'todo', items: [{ content: 'The work', status: 'in_progress' }] }],
}
/** Outputs that have nothing to do with each other. */
const outputs = (count: number): readonly ModelTurn[] =>
  Array.from({ length: count }, (_, at) => ({
    operations: [{ kind: 'bash', command: `seq -f "out${at} %g of a line that is long" 1 24` }],
  }))

describe.skipIf(hostCommand === null)(hostTitle('what the agent is told in OpenCode'), () => {
  let session: ServedSession
  /** The requests whose last words are these. */
  const told = (words: string): readonly number[] =>
    session.requests.flatMap(({ body }, at) => (body.includes(words) ? [at + 1] : []))

  beforeAll(async () => {
    session = await serveSession({
      format: 'openai-responses',
      options: {
        strategies: { admission: false, retention: false },
        tools: { automataMode: { enabled: true, initialTurns: 5 } },
        triggers: { historicalTokens: 1500 },
      },
      scenario: () => ({
        aux: 'A title',
        turns: [list, ...outputs(17), { text: 'Done.' }],
      }),
      steps: () => [begin('s'), say('s', 'Use automata to work on it.'), stored('s')],
    })
  }, 300_000)

  afterAll(() => session?.remove())

  it('is reflection at its own pace, and advice about old work, one at a time and calm', () => {
    expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
    expect(told('A moment for reflection')).toEqual([6, 11, 16])
    expect(told('context_info shows which old tool outputs can be discarded')).toEqual([17])
    for (const { body } of session.requests)
      expect(body.split('<system-reminder>').length).toBeLessThanOrEqual(2)
  })

  it('stands behind everything else, and is stored nowhere', () => {
    const { body } = session.requests[5]!
    const { input } = JSON.parse(body) as { input: readonly unknown[] }
    expect(JSON.stringify(input.at(-1))).toContain('A moment for reflection')
    expect(JSON.stringify(session.answers[2]?.body)).not.toContain('<system-reminder>')
  })
})

describe.skipIf(hostCommand === null)(
  hostTitle('ACP’s triggers and palimpsest.jsonc in OpenCode'),
  () => {
    let session: ServedSession

    beforeAll(async () => {
      session = await serveSession({
        files: {
          'c.ts': fileText('c', 50),
          'palimpsest.jsonc': JSON.stringify({
            preset: 'acp',
            subAgents: false,
            triggers: { historicalTokens: 600 },
            tools: { todoReminder: { enabled: false } },
          }),
        },
        scenario: (project) => {
          const read: ModelTurn = { operations: [{ kind: 'read', path: `${project}/c.ts` }] }
          const task = { description: 'Sub', prompt: 'Sub work.', subagent_type: 'general' }
          return {
            aux: 'A title',
            specials: [{ firstUser: 'Sub work', turns: [read, read, { text: 'Sub done.' }] }],
            turns: [
              ...outputs(14),
              { operations: [{ kind: 'raw', name: 'task', input: task }] },
              { text: 'Done.' },
            ],
          }
        },
        steps: () => [begin('s'), say('s', 'Work on it.'), stored('s')],
      })
    }, 300_000)

    afterAll(() => session?.remove())

    it('act: old outputs go, the last ten stay, and the host keeps all of them', () => {
      expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
      const last = receivedItems(session.requests.at(-1)!).join('\n')
      expect(last).not.toContain('out0 7 of a line')
      expect(last).toContain('out13 7 of a line')
      expect(last).toMatch(/left for room · context_restore [0-9a-f]{6}/)
      expect(session.requests.map(({ body }) => body).join()).not.toContain('are older work')
      expect(JSON.stringify(session.answers[2]?.body)).toContain('out0 7 of a line')
    })

    it('leave sub-agents alone when told to: neither tools nor changes', () => {
      const sub = session.all.filter(({ kind }) => kind === 'special')
      expect(sub.length).toBe(3)
      const last = receivedItems(sub.at(-1)!)
      expect(last.filter((line) => line.includes('const c30 =')).length).toBe(2)
      expect(sub[0]?.body).not.toContain('context_prune')
      expect(session.requests[0]?.body).toContain('context_prune')
    })
  },
)
