import { describe, expect } from 'vitest'
import { contextPrune } from '../../src/agent/context-prune.ts'
import { presets } from '../../src/config/presets.ts'
import { toldAgent } from '../agent/told-agent.ts'
import { lines, messagesOf, type ToldCall } from '../engine/told-session.ts'
import { type Act, bash, perform, read, shapeOf, todowrite } from './acted.ts'
import { type HostedSession, hostedSession, think } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }

const tools = (session: HostedSession): Promise<void> =>
  perform(
    session,
    [1, 2, 3, 4].map((at) => bash(`make ${at}`, { output: lines(1, 40, `made${at}`) })),
  )
const messages = async (session: HostedSession): Promise<void> => {
  for (const at of [1, 2, 3, 4]) {
    await session.conversation.request()
    session.conversation.answered(lines(1, 40, `said${at}`))
  }
}
const thinking = async (session: HostedSession): Promise<void> => {
  for (const at of [1, 2]) await think(session, lines(1, 80, `thought${at}`))
}

/** The advice of `context_info` when such a conversation fills this share of the context. */
async function adviceAt(
  share: number,
  fill: (session: HostedSession) => Promise<void> = tools,
): Promise<string> {
  const info = async (given: object): Promise<string> => {
    const session = await hostedSession({ ...acp, ...given })
    await fill(session)
    await session.shown()
    return session.conversation.calls('context_info', {})
  }
  const [, used] = /Context: ~([\d.]+)K? of/.exec(await info({})) ?? []
  const text = await info({ contextLimit: Math.round((Number(used) * 1000) / share) })
  const [, percent] = /\((\d+)%\)/.exec(text) ?? []
  expect(Math.abs(Number(percent) - share * 100)).toBeLessThan(5)
  return text.split('Advice:\n')[1] ?? ''
}

describe('the decision tree in context_info', () => {
  row('001-48', async () => expect(await adviceAt(0.4)).toBe('No pruning needed.'))

  row('001-49', async () => {
    expect(await adviceAt(0.6)).toMatch(
      /^Old tool outputs dominate: context_prune\(\{ action: "discard", targets: \[\["[0-9a-f]{6}"\]\] \}\)$/,
    )
  })

  row('001-50', async () => {
    expect(await adviceAt(0.6, messages)).toMatch(
      /^Old messages dominate: context_prune\(\{ action: "discard", targets: \[\["[0-9a-f]{6}"\]\] \}\)$/,
    )
  })

  row('001-51', async () => {
    expect(await adviceAt(0.6, thinking)).toMatch(
      /^Thinking dominates: context_prune\(\{ action: "distill", targets: \[\["[0-9a-f]{6}", ".+"\]\] \}\)$/,
    )
  })

  row('001-52', async () => {
    const [question = '', yes = '', no = ''] = (await adviceAt(0.82, messages)).split('\n')
    expect(question).toContain('Is there critical information to preserve?')
    expect(yes).toMatch(/Yes: anchor .*todos first, then discard/)
    expect(no).toMatch(/No: aggressive prune of all that is disposable/)
  })

  row('001-53', async () => {
    const [question = '', yes = '', no = ''] = (await adviceAt(0.95, messages)).split('\n')
    expect(question).toContain('Can you complete the current task without the history?')
    expect(yes).toMatch(/Yes: nuclear prune .*\+ focus mode/)
    expect(no).toMatch(/No: surgical prune .*\+ anchor critical items/)
  })
})

describe('the guide to kinds of content', () => {
  const guide = async (): Promise<string> => {
    const session = await hostedSession(acp)
    await perform(session, [bash('make')])
    await session.shown()
    return session.conversation.calls('context_info', {})
  }
  const failed: Act = bash('make', { status: 'error', output: lines(1, 20, 'out0') })

  row('001-54', async () => {
    expect(await guide()).toContain('file just read: keep')
    const session = await hostedSession(acp)
    await perform(session, [read()])
    expect(await session.prune('discard', 'out0 7 of')).toContain('protected')
    expect((await session.shown()).join('\n')).toContain('out0 7 of')
  })

  row('001-55', async () => {
    expect(await guide()).toContain('file read 5+ turns ago: discard (it can be read again)')
    const session = await hostedSession(acp)
    await perform(session, [read()])
    await session.idle(5)
    expect(await session.prune('discard', 'out0 7 of')).toContain('1 of 1 pruned')
  })

  row('001-56', async () => {
    expect(await guide()).toContain('analysis: distill to its conclusion')
    const session = await hostedSession(acp)
    await perform(session, [bash('make')])
    await session.idle(1)
    const conclusion = 'KEY: the port is 9999'
    expect(await session.prune('distill', 'out0 7 of', conclusion)).toContain('1 of 1 pruned')
    const said = (await session.shown()).join('\n')
    expect(said).toContain(conclusion)
    expect(said).not.toContain('out0 7 of')
  })

  row('001-57', async () => {
    expect(await guide()).toContain('current error: keep')
    const session = await hostedSession(acp)
    await perform(session, [failed])
    expect(await session.prune('discard', 'out0 7 of')).toContain('protected')
    expect((await session.shown()).join('\n')).toContain('out0 7 of')
  })

  row('001-58', async () => {
    expect(await guide()).toContain('error 3+ turns ago: discard')
    const session = await hostedSession(acp)
    await perform(session, [failed])
    const left: boolean[] = []
    for (let turn = 0; turn < 5; turn++) {
      left.push((await session.shown()).join('\n').includes('out0 7 of'))
      session.conversation.answered(`Step ${turn}.`)
    }
    expect(left).toEqual([true, true, false, false, false])
  })

  row('001-59', async () => {
    expect(await guide()).toContain('current task list: keep')
    const list: ToldCall = { id: 'list', output: lines(1, 20), ...todowrite() }
    const session = toldAgent(messagesOf([[list], [], [], []]), presets.acp)
    const targets = [[session.handleOf('list')]]
    expect(contextPrune(session, { action: 'discard', targets }).text).toContain('protected')
    expect(JSON.stringify(session.next())).toContain('line 7 of')
  })

  row('001-60', async () => {
    expect(await guide()).toContain('old task lists: go by themselves')
    expect(await shapeOf(acp, [todowrite('One'), todowrite('Two')])).toBe('HF')
  })
})
