import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const file = { filePath: '/src/app.ts' }
const wrote = 'Wrote file successfully.'
const edited = 'Edit applied successfully.'
const todos = (status: string): object => ({ todos: [{ id: '1', content: 'The work', status }] })

describe('auto-supersede in the plugin', () => {
  row('000-06', async () => {
    const change = { ...file, oldString: 'line 1 of', newString: 'one' }
    const rounds = [1, 2, 3, 4, 5]
    for (const pruneToolInputs of [true, false]) {
      const strategies = { aggressivePruning: { pruneToolInputs } }
      const session = await hostedSession({ ...acp, strategies })
      // The answers of the host are so short that hiding them saves next to nothing.
      for (const n of rounds) {
        await session.call('write', { ...file, content: lines(1, 40, `text${n}`) }, wrote)
        await session.call('edit', { ...change, newString: `one${n}` }, edited)
      }
      const said = (await session.shown()).join('\n')
      expect(said).not.toContain(wrote)
      expect(said.split(edited).length - 1).toBe(1)
      for (const n of rounds) expect(said.includes(`text${n} 20 of`)).toBe(!pruneToolInputs)
      const logged = session.logs.flatMap((line) => /📁 file .*/.exec(line) ?? [])
      const pair = [
        '📁 file /src/app.ts: write call_001 superseded by edit',
        '📁 file /src/app.ts: edit call_001 superseded by write',
      ]
      expect(logged.map((line) => line.replace(/call_\d+/, 'call_001'))).toEqual(
        rounds.flatMap(() => pair).slice(0, -1),
      )
      const stats = await session.command('stats')
      expect(stats.match(/📁 file +9 prunes, ~\d+$/gm)?.length).toBe(2)
    }
  })

  row('000-11', async () => {
    const session = await hostedSession(acp)
    for (let n = 0; n < 2; n++) await session.call('todowrite', todos('pending'), lines(1, 9))
    await session.shown()
    expect(session.logs.join('\n')).toMatch(/🔄 hash \w+: call_\d+ → call_\d+/)
  })

  row('000-15', async () => {
    const session = await hostedSession(acp)
    const output = lines(1, 400)
    await session.call('bash', { command: 'npm test' }, output)
    const said = (await session.shown()).find((text) => text.includes('truncated'))
    expect(output.length).toBeGreaterThan(20_000)
    expect(said?.length).toBeLessThan(5_000)
    // What was superseded before that is not cut, it is gone.
    await session.call('bash', { command: 'npm test' }, output)
    const again = (await session.shown()).filter((text) => text.includes('"npm test"'))
    expect(again.map((text) => text.includes('truncated'))).toEqual([false, true])
    expect(again[0]).toContain('repeated later')
  })

  row('000-16', async () => {
    const session = await hostedSession(acp)
    await session.call('bash', { command: 'ls' }, 'a.ts')
    const { parts } = session.conversation.stored.at(-1)!
    const of = { sessionID: 's1', messageID: parts[0]!.messageID }
    parts.push({ ...of, id: 'prt_r', type: 'reasoning', text: `Perhaps ${'so '.repeat(60)}` })
    expect((await session.shown()).join()).toContain('Perhaps')
    await session.idle(4)
    const said = await session.shown()
    expect(said.join()).not.toContain('Perhaps')
    expect(said).toContain('—')
  })

  row('000-26', async () => {
    const strategies = { aggressivePruning: { aggressiveFilePrune: false } }
    const session = await hostedSession({ ...acp, strategies })
    await session.call('write', { ...file, content: lines(1, 40) }, wrote)
    await session.call('read', file, lines(1, 40, 'read'))
    expect((await session.shown()).join()).toContain(wrote)
    await session.call('write', { ...file, content: 'new' }, wrote)
    const said = (await session.shown()).join('\n')
    expect(said).not.toContain('line 20 of')
    expect(said).not.toContain('read 20 of')
  })

  row('000-12', async () => {
    const session = await hostedSession(acp)
    const { conversation } = session
    // Everything arrives with one request.
    for (const n of [1, 2]) {
      conversation.called(
        'bash',
        { command: `git${' '.repeat(n)}status` },
        lines(1, 20, `status ${n}`),
      )
      conversation.called(
        'webfetch',
        { url: `https://docs.test/a#${n}` },
        lines(1, 20, `page ${n}`),
      )
      conversation.called('todowrite', todos(n === 1 ? 'pending' : 'completed'), lines(1, 9))
      conversation.called('write', { ...file, content: lines(1, 40, `${n}`) }, wrote)
      conversation.called('lookup', { name: 'a' }, lines(1, 20))
    }
    await session.shown()
    const kinds = session.logs.flatMap((line) => /auto-supersede\] \S+ (\w+)/.exec(line)?.[1] ?? [])
    expect(kinds.filter((kind, at) => kinds.indexOf(kind) === at)).toEqual([
      ...['hash', 'file', 'todo', 'url', 'query'],
    ])
    expect(session.logs.join()).not.toContain('~0 saved')
  })
})
