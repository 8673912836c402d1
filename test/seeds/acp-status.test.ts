import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { bash, outputOf, perform } from './acted.ts'
import { type HostedSession, hostedSession, think } from './hosted-session.ts'
import { memoised } from './memoised.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const line = /^「 💬 1\([\d.]+K?\) ▼ \+ 🧠 1\([\d.]+K?\) ▼ \+ ⚙️ 2\([\d.]+K?\) ▼ 」$/

/** The agent prunes a message, a block of thinking and two outputs. */
async function pruned(given: object = {}): Promise<HostedSession> {
  const session = await hostedSession({ ...acp, strategies: { pruneThinking: false }, ...given })
  await think(session, lines(1, 20, 'thought'))
  session.conversation.answered(lines(1, 20, 'said'))
  await perform(session, [bash('make 1'), bash('make 2')])
  await session.idle(1)
  await session.shown()
  const info = await session.conversation.calls('context_info', {})
  const handles = [...info.matchAll(/^ {2}([0-9a-f]{6}) /gm)].map(([, handle]) => [handle])
  expect(handles.length).toBe(4)
  await session.shown()
  const input = { action: 'discard', targets: handles }
  expect(await session.conversation.calls('context_prune', input)).toContain('4 of 4 pruned')
  return session
}

const toastsOf = ({ toasts }: HostedSession): readonly string[] =>
  toasts.map(({ message }) => message)

describe('the status line', () => {
  const minimal = memoised(() => pruned())

  row('001-65', async () =>
    expect(toastsOf(await minimal())).toEqual([expect.stringMatching(line)]),
  )

  // test/e2e/opencode/terminal.test.ts sees it on the screen of OpenCode.
  row('001-66', async () => {
    const session = await hostedSession(acp)
    await perform(session, [bash('make'), bash('make all')])
    await session.idle(1)
    expect(toastsOf(session)).toEqual([])
    expect(await session.prune('discard', 'out0 7 of')).toContain('1 of 1 pruned')
    expect(toastsOf(session)).toEqual([expect.stringMatching(/^「 ⚙️ 1\([\d.]+K?\) ▼ 」$/)])
  })

  row('001-67', async () => {
    const session = await pruned({ pruneNotification: 'off' })
    expect(toastsOf(session)).toEqual([])
    expect((await session.shown()).join('\n')).not.toContain('said 7 of')
  })

  row('001-68', async () => {
    const session = await hostedSession(acp)
    await perform(session, [bash('make')])
    await session.idle(1)
    const targets = [['ffffff'], ['not a handle']]
    const input = { action: 'discard', targets }
    expect(await session.conversation.calls('context_prune', input)).toContain('0 of 2 pruned')
    expect(toastsOf(session)).toEqual([])
    expect(await session.prune('discard', 'out0 7 of')).toContain('1 of 1 pruned')
    expect(toastsOf(session).length).toBe(1)
  })

  row('001-69', async () => {
    const session = await pruned()
    const before = toastsOf(session).length
    await session.shown()
    await session.conversation.compact(0)
    session.conversation.say('Go on.')
    await session.idle(2)
    expect(toastsOf(session).length).toBe(before)
    const stats = await session.command('stats')
    expect(stats).toMatch(/All time: 1 conversations, \d+ requests, ~[\d.]+k? tokens saved/)
    expect(stats).toMatch(/context_prune +4 prunes/)
  })

  row('001-70', async () => {
    const session = await minimal()
    expect(session.toasts).toEqual([
      { message: expect.any(String), variant: 'info', duration: 4000 },
    ])
    expect((await session.shown()).join('\n')).not.toContain('「')
    expect(JSON.stringify(session.conversation.stored)).not.toContain('「')
  })

  row('001-71', async () => {
    expect(toastsOf(await pruned({ pruneNotification: 'minimal' }))).toEqual(
      toastsOf(await minimal()),
    )
    const [detailed = ''] = toastsOf(await pruned({ pruneNotification: 'detailed' }))
    const [first, ...details] = detailed.split('\n')
    expect(first).toMatch(line)
    expect(details.join('\n')).toMatch(
      /context_prune [0-9a-f]{6}: bash call_\d+ discarded, ~\d+ saved/,
    )
    const wrong = await hostedSession({ ...acp, pruneNotification: 'loud' }).catch(() => null)
    expect(wrong?.hooks ?? {}).toEqual({})
  })
})

describe('the budget and its triggers', () => {
  row('001-79', async () => {
    const session = await hostedSession(acp)
    await perform(session, [
      { tool: 'todowrite', input: { todos: [{ id: '1', content: 'x', status: 'pending' }] } },
      { tool: 'read', input: { filePath: 'a.ts' } },
      ...Array.from({ length: 12 }, (_, at) => bash(`make ${at}`)),
    ])
    await session.shown()
    const info = await session.conversation.calls('context_info', {})
    const rows = [...info.matchAll(/^ {2}(\S.*?) {2,}([\d.]+K?) +(\d+)% /gm)]
    expect(rows.map(([, name]) => name)).toEqual([
      'System Instructions',
      'Active Todos',
      'Current File Context',
      'Recent Tool Results',
      'Working Memory',
      'Historical Context',
    ])
    const used = rows.map(([, , tokens = '']) => Number(tokens.replace('K', '')))
    for (const at of [0, 1, 3, 5]) expect(used[at]).toBeGreaterThan(0)
  })

  /** Old outputs, messages and thinking of about so many tokens, and what is left of each. */
  const leftAfter = async (
    tokens: number,
    triggers: object = {},
  ): Promise<{ readonly tools: number; readonly messages: number }> => {
    const session = await hostedSession({ ...acp, triggers, contextLimit: 1_000_000 })
    const large = (word: string): string => lines(1, 100, word)
    const count = Math.ceil(tokens / (large('made9').length / 4))
    for (let at = 0; at < count; at++) {
      const output = large(at % 2 === 0 ? `made${at}` : `said${at}`)
      if (at % 2 === 0)
        await perform(session, [{ tool: 'lookup', input: { at }, output }], 'at once')
      else session.conversation.answered(output)
    }
    const recent = Array.from({ length: 11 }, (_, at) => bash(`echo ${at}`, { output: `${at}` }))
    await perform(session, recent, 'at once')
    await session.idle(1)
    const said = (await session.shown()).join('\n')
    const left = (word: string): number =>
      new Set(said.match(new RegExp(`${word}\\d+ 50 of`, 'g'))).size
    return {
      tools: left('made') / Math.ceil(count / 2),
      messages: left('said') / Math.floor(count / 2),
    }
  }

  row('001-81', async () => {
    expect(await leftAfter(70_000)).toEqual({ tools: 1, messages: 1 })
    expect(await leftAfter(90_000)).toEqual({ tools: 0, messages: 1 })
  })

  row('001-82', async () => expect(await leftAfter(110_000)).toEqual({ tools: 0, messages: 0 }))

  row('001-83', async () => {
    const thoughtAfter = async (size: number): Promise<readonly boolean[]> => {
      const given = { ...acp, strategies: { pruneThinking: false } }
      const session = await hostedSession(given)
      for (const at of [1, 2]) await think(session, lines(1, size, `thought${at}`))
      await session.idle(6)
      const said = await session.shown()
      return [said.join().includes('thought1 7 of'), said.includes('—')]
    }
    expect(await thoughtAfter(400)).toEqual([true, false])
    expect(await thoughtAfter(800)).toEqual([false, true])
  })

  row('001-84', async () => {
    const session = await hostedSession(acp)
    const failed = bash('make', { status: 'error', output: outputOf(9) })
    await perform(session, [bash('ls'), bash('ls'), failed, bash('seq 9')])
    await session.idle(4)
    await session.prune('discard', 'out3 7 of')
    await session.shown()
    const lines = (await session.command('context')).split('\n')
    const funnel = lines.slice(
      lines.indexOf('Pruning funnel:') + 1,
      lines.indexOf('Pruning funnel:') + 6,
    )
    expect(funnel.map((each) => each.replace(/ +[\d.]+K? +\d+%$/, '').trim())).toEqual([
      ...['Raw context', '▼ Auto-Supersede', '▼ Manual', '▼ Auto-Prune', 'Active context'],
    ])
    const tokens = funnel.map((each) => {
      const [, count, thousands] = / ([\d.]+)(K?) +\d+%$/.exec(each) ?? []
      return Number(count) * (thousands === 'K' ? 1000 : 1)
    })
    for (const each of tokens) expect(each).toBeGreaterThan(0)
    const [raw = 0, ...rest] = tokens
    expect(Math.abs(raw - rest.reduce((sum, each) => sum + each, 0))).toBeLessThan(150)
  })
})
