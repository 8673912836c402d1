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
    await session.conversation.request()
    const input = { action: 'discard', targets: [['ffffff']] }
    expect(await session.conversation.calls('context_prune', input)).toContain('ffffff unknown')
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
    const said = (await session.shown()).find((text) => text.includes('plan 7 of'))
    const input = { action: 'discard', targets: [[handleOf(said)]] }
    expect(await session.conversation.calls('context_prune', input)).toContain('a 🔴 task names it')
    expect((await session.shown()).join()).toContain('plan 7 of')
  })

  row('001-80', async () => {
    const session = await hostedSession(acp)
    await session.call('bash', { command: 'make' }, lines(1, 20))
    await session.shown()
    const info = await session.conversation.calls('context_info', {})
    // The host's model has 200,000 tokens; the document has 128,000.
    const scaled = [5, 2, 10, 15, 20, 76].map((each) => (each * 200) / 128)
    const allocated = [...info.matchAll(/allocated ([\d.]+)K/g)].map(([, tokens]) => Number(tokens))
    expect(allocated).toHaveLength(6)
    allocated.forEach((tokens, at) => {
      expect(Math.abs(tokens - scaled[at]!)).toBeLessThan(0.1)
    })
  })
})
