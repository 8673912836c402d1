import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { handleOf, hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }

describe('the ACP architecture in the plugin', () => {
  row('001-29', async () => {
    const session = await hostedSession(acp)
    await session.call('write', { filePath: 'x.txt', content: 'A'.repeat(5000) }, 'Wrote it.')
    await session.call('write', { filePath: 'x.txt', content: 'B' }, 'Wrote it.')
    expect((await session.shown()).join('\n')).toContain('{"filePath":"x.txt"} →')
  })

  row('001-46', async () => {
    const session = await hostedSession(acp)
    await session.call('bash', { command: 'make' }, lines(1, 20))
    await session.idle(1)
    const before = await session.shown()
    const input = { action: 'discard', targets: [['ffffff']] }
    expect(await session.conversation.calls('context_prune', input)).toContain('ffffff unknown')
    expect((await session.shown()).slice(0, before.length)).toEqual(before)
    expect(session.toasts).toEqual([])
  })

  row('001-47', async () => {
    const session = await hostedSession(acp)
    await session.call('bash', { command: 'make' }, lines(1, 40, 'made'))
    const said = (await session.shown()).find((text) => text.includes('made 7 of'))
    const input = { action: 'discard', targets: [[handleOf(said)]] }
    expect(await session.conversation.calls('context_prune', input)).toContain(
      'protected: it came with the newest request',
    )
    expect((await session.shown()).join()).toContain('made 7 of')
    expect(await session.conversation.calls('context_prune', input)).toContain('1 of 1 pruned')
  })

  row('001-61', async () => {
    const session = await hostedSession(acp)
    await session.call('bash', { command: 'cat plan/dark.md' }, lines(1, 40, 'plan'))
    const content = '🔴 CRITICAL: keep plan/dark.md in view'
    await session.call('todowrite', { todos: [{ id: '1', content, status: 'pending' }] }, 'ok')
    await session.idle(6)
    for (const [action, ...summary] of [['discard'], ['distill', 'It is dark.']] as const) {
      const answer = await session.prune(action, 'plan 7 of', ...summary)
      expect(answer).toContain('protected: a 🔴 task names it, which is never pruned')
    }
    const targets = [['plan 1 of a text that is', 'plan 30 of a text that is', 'less']]
    const input = { action: 'replace', targets }
    expect(await session.conversation.calls('context_prune', input)).toContain('a 🔴 task names it')
    expect((await session.shown()).join()).toContain(lines(1, 40, 'plan'))
    // Once the task no longer names it, it is like any other.
    await session.call('todowrite', { todos: [{ id: '1', content: 'x', status: 'pending' }] }, 'ok')
    expect(await session.prune('discard', 'plan 7 of')).toContain('1 of 1 pruned')
  })

  row('001-80', async () => {
    const allocated = async (given: object): Promise<readonly string[]> => {
      const session = await hostedSession({ ...acp, ...given })
      await session.call('bash', { command: 'make' }, lines(1, 20))
      await session.shown()
      const info = await session.conversation.calls('context_info', {})
      // Name, used tokens, their share, and what is allocated.
      return [...info.matchAll(/^ {2}(\S.*?) +[\d.]+K? +\d+% {2}allocated ([\d.]+K)$/gm)].map(
        ([, name, tokens]) => `${name} ${tokens}`,
      )
    }
    expect(await allocated({ contextLimit: 128_000 })).toEqual([
      'System Instructions 5K',
      'Active Todos 2K',
      'Current File Context 10K',
      'Recent Tool Results 15K',
      'Working Memory 20K',
      'Historical Context 76K',
    ])
    // The model of the host takes 200,000 tokens.
    const scaled = (await allocated({})).map((each) => Number(/([\d.]+)K$/.exec(each)?.[1]))
    expect(scaled).toEqual([7.8, 3.1, 15.6, 23.4, 31.3, 118.8])
  })
})
