import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { type Act, acted, app, bash, perform, read, write } from './acted.ts'
import { type HostedSession, handleOf, hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'
import { ofTool, storedHandles } from './stored-handles.ts'

const acp = { preset: 'acp' }
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest protected '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface CalledBefore {
  readonly session: HostedSession
  /** Of the call and of its result. */
  readonly handles: readonly string[]
  prune(action: 'discard' | 'distill', handle: string): Promise<string>
}

/** A conversation with this call, so many turns after it. */
async function calledBefore(act: Act, turns: number): Promise<CalledBefore> {
  const store = path.join(mkdtempSync(path.join(folder, 'store-')), 'palimpsest.db')
  const session = await hostedSession({
    ...acp,
    store,
    strategies: { purgeErrors: { enabled: false } },
  })
  await perform(session, [act])
  await session.idle(turns)
  await session.shown()
  const { conversation } = session
  return {
    session,
    handles: await storedHandles(store, ofTool(act.tool)),
    prune: (action, handle) =>
      conversation.calls('context_prune', {
        action,
        targets: [action === 'distill' ? [handle, 'short'] : [handle]],
      }),
  }
}

const call = (tool: string): Act => ({
  tool,
  input: { filePath: app, content: lines(1, 9), todos: [], description: 'Sub' },
  output: lines(1, 20),
})

/** Neither action of the agent reaches the call or the result of this tool; it reaches those of another. */
async function isProtected(tool: string): Promise<void> {
  const { session, handles, prune } = await calledBefore(call(tool), 2)
  expect(handles.length).toBe(2)
  for (const action of ['discard', 'distill'] as const) {
    for (const handle of handles)
      expect(await prune(action, handle)).toContain(
        `protected: ${tool} is protected from the agent`,
      )
  }
  // What `context_info` says is out of date when something was pruned, so that goes by itself.
  if (tool !== 'context_info') expect((await session.shown()).join('\n')).toContain(lines(1, 20))
  const other = await calledBefore(call('deploy'), 2)
  expect(await other.prune('discard', other.handles[1]!)).toContain('1 of 1 pruned')
  expect((await other.session.shown()).join('\n')).not.toContain(lines(1, 20))
}

describe('what context_prune cannot prune', () => {
  row('001-34', () => isProtected('context_info'))
  row('001-35', () => isProtected('task'))
  row('001-36', () => isProtected('todowrite'))
  row('001-37', () => isProtected('todoread'))
  row('001-38', () => isProtected('context_prune'))
  row('001-39', () => isProtected('batch'))
  row('001-40', () => isProtected('write'))
  row('001-41', () => isProtected('edit'))
  row('001-42', () => isProtected('plan_enter'))
  row('001-43', () => isProtected('plan_exit'))

  row('001-44', async () => {
    const failed = bash('make', { status: 'error', output: lines(1, 20) })
    const discarded = async (turns: number): Promise<string> => {
      const { session, handles, prune } = await calledBefore(failed, turns)
      const answer = await prune('discard', handles[1]!)
      const shown = (await session.shown()).join('\n')
      expect(shown.includes('line 10 of')).toBe(answer.includes('protected'))
      return answer
    }
    expect(await discarded(0)).toContain('protected')
    expect(await discarded(2)).toContain('1 of 1 pruned')
  })

  row('001-45', async () => {
    const { session, said } = await acted(acp, [read(), write()])
    const targets = [[/context_restore ([0-9a-f]{6})/.exec(said[0] ?? '')?.[1]]]
    const input = { action: 'discard', targets }
    expect(handleOf(said[0])).not.toBe('')
    expect(await session.conversation.calls('context_prune', input)).toContain('already pruned')
  })
})
