import { describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { type Act, bash, edit, outputOf, perform, read, shapeOf, todowrite } from './acted.ts'
import { type HostedSession, hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
/** Everything disposable goes at any size. */
const pressed = { ...acp, triggers: { historicalTokens: 50, aggressiveTokens: 100 } }
const outputs = (count: number): readonly Act[] =>
  Array.from({ length: count }, (_, at) =>
    bash(`make ${at}`, { output: lines(1, 20, `made${at}`) }),
  )
const cat = (path: string): Act => bash(`cat ${path}`, { output: lines(1, 20, path) })
const said = async (session: HostedSession): Promise<string> => (await session.shown()).join('\n')

/** How `context_info` ranks the output that these words name. */
async function rankOf(session: HostedSession, words: string): Promise<string | undefined> {
  await session.shown()
  const info = await session.conversation.calls('context_info', {})
  const line = info.split('\n').find((each) => each.includes(words) && each.includes('(turn'))
  return /, (\w+)\)$/.exec(line ?? '')?.[1]
}

describe('the retention hierarchy', () => {
  row('001-01', async () => {
    const session = await hostedSession(pressed)
    const wish = `What I want: ${lines(1, 20, 'wish')}`
    session.conversation.say(wish)
    await perform(session, [todowrite('The current task'), ...outputs(16)])
    const shown = await said(session)
    expect(shown).toContain(wish)
    expect(shown).toContain('The current task')
    expect(shown).toContain(outputOf(0))
    expect(shown).not.toContain('made1 7 of')
    const targets = [['wish 1 of a text that is', 'wish 9 of a text that is', 'less']]
    const answer = await session.conversation.calls('context_prune', { action: 'replace', targets })
    expect(answer).toContain('protected')
    expect(await said(session)).toContain(wish)
  })

  row('001-02', async () => {
    const session = await hostedSession({ ...acp, files: 'none' })
    await perform(session, [read('/src/edited.ts'), read('/src/other.ts')])
    await session.idle(5)
    await perform(session, [edit('/src/edited.ts'), bash('make')])
    expect(await rankOf(session, 'edited.ts')).toBe('important')
    expect(await rankOf(session, 'make')).toBe('important')
    expect(await rankOf(session, 'other.ts')).toBe('ephemeral')
  })

  row('001-03', async () => {
    const session = await hostedSession(acp)
    await perform(session, [bash('tail -n 99 server.log')])
    expect(await rankOf(session, 'tail')).not.toBe('ephemeral')
    await session.idle(5)
    expect(await rankOf(session, 'tail')).toBe('ephemeral')
  })

  row('001-04', async () => {
    const failed: Act = { ...bash('make'), status: 'error' }
    expect(await shapeOf(acp, [failed, bash('a'), bash('b'), bash('c')])).toBe('HFFF')
    expect(await shapeOf(acp, [failed, bash('make')])).toBe('HF')
    expect(await shapeOf(acp, [read(), read()])).toBe('HF')
  })
})

describe('the colours of tasks', () => {
  /** Which of the two old outputs are left under pressure. */
  const leftOf = async (content: string): Promise<readonly boolean[]> => {
    const session = await hostedSession(pressed)
    await perform(session, [cat('plan/dark.md'), cat('plan/light.md')])
    await perform(session, [todowrite(content), ...outputs(12)])
    const shown = await said(session)
    return ['plan/dark.md 7 of', 'plan/light.md 7 of'].map((words) => shown.includes(words))
  }

  row('001-62', async () => {
    expect(await leftOf('🟡 IMPORTANT: plan/dark.md has the decision')).toEqual([true, false])
  })

  row('001-63', async () => {
    expect(await leftOf('🟢 NORMAL: plan/dark.md has notes')).toEqual([false, false])
  })

  row('001-64', async () => {
    const session = await hostedSession(acp)
    await perform(session, [cat('debug/run.log'), cat('plan/light.md')])
    await perform(session, [todowrite('🔵 EPHEMERAL: debug/run.log of the test run'), bash('make')])
    expect(await rankOf(session, 'debug/run.log')).toBe('temporary')
    expect(await rankOf(session, 'plan/light.md')).toBe('important')
    expect(await leftOf('🔵 EPHEMERAL: plan/dark.md')).toEqual([false, false])
  })
})
