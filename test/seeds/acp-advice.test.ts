import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { type Act, bash, outputOf, perform, read, shapeOf, todowrite } from './acted.ts'
import { type HostedSession, hostedSession, think } from './hosted-session.ts'
import { row } from './statement.ts'
import { ofTool, storedHandles } from './stored-handles.ts'

const acp = { preset: 'acp' }
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest advice '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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

  /** The words of the document, with a handle that this conversation has. */
  const dominated = (what: string, action: string, target: string): readonly unknown[] => [
    'What type of content dominates?',
    expect.stringMatching(
      new RegExp(
        `^- ${what} → context_prune\\(\\{ action: "${action}", targets: \\[\\[${target}\\]\\] \\}\\)$`,
      ),
    ),
  ]
  const adviceLines = async (...at: Parameters<typeof adviceAt>): Promise<readonly string[]> =>
    (await adviceAt(...at)).split('\n')

  row('001-49', async () => {
    const expected = dominated('Old tool outputs', 'discard', '"[0-9a-f]{6}"')
    expect(await adviceLines(0.6)).toEqual(expected)
  })

  row('001-50', async () => {
    const expected = dominated('Old messages', 'discard', '"[0-9a-f]{6}"')
    expect(await adviceLines(0.6, messages)).toEqual(expected)
  })

  row('001-51', async () => {
    const expected = dominated('Large thinking', 'distill', '"[0-9a-f]{6}", "summary"')
    expect(await adviceLines(0.6, thinking)).toEqual(expected)
  })

  row('001-52', async () => {
    expect(await adviceLines(0.82, messages)).toEqual([
      'Is there critical information to preserve?',
      '- YES → Anchor in todos first, then discard',
      expect.stringMatching(/^- NO → Aggressive prune all disposable( \(.+\))?$/),
    ])
  })

  row('001-53', async () => {
    expect(await adviceLines(0.95, messages)).toEqual([
      'Can you complete current task without history?',
      expect.stringMatching(/^- YES → Nuclear prune \+ focus mode( \(.+\))?$/),
      expect.stringMatching(/^- NO → Surgical prune \+ anchor critical items( \(.+\))?$/),
    ])
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
    const store = path.join(folder, 'list.db')
    const session = await hostedSession({ ...acp, store })
    await perform(session, [todowrite()])
    await session.idle(3)
    await session.shown()
    const [, result] = await storedHandles(store, ofTool('todowrite'))
    const input = { action: 'discard', targets: [[result]] }
    expect(await session.conversation.calls('context_prune', input)).toContain('protected')
    expect((await session.shown()).join('\n')).toContain(outputOf(0))
  })

  row('001-60', async () => {
    expect(await guide()).toContain('old task lists: go by themselves')
    expect(await shapeOf(acp, [todowrite('One'), todowrite('Two')])).toBe('HF')
  })
})
