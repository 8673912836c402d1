import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

describe('supersede-reads in the plugin', () => {
  row('002-17', async () => {
    const session = await hostedSession({ preset: 'dcp' })
    const file = { filePath: '/src/app.ts' }
    await session.call('read', file, lines(1, 40, 'read'))
    await session.call('bash', { command: 'make' }, lines(1, 40, 'made'))
    await session.call('write', { ...file, content: 'new' }, 'Wrote file successfully.')
    await session.idle(1)
    await session.shown()
    const prune = (handle: string): Promise<string> =>
      session.conversation.calls('context_prune', { action: 'discard', targets: [[handle]] })
    expect(await prune('ffffff')).toContain('0 of 1 pruned')
    const said = await session.shown()
    expect(said.join()).toContain('read 7 of')
    const info = await session.conversation.calls('context_info', {})
    await session.shown()
    expect(await prune(/([0-9a-f]{6})\s.*make/.exec(info)?.[1] ?? '')).toContain('1 of 1 pruned')
    expect((await session.shown()).join()).not.toContain('read 7 of')
  })
})
