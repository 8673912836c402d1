import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { savingsOf } from '../../src/dashboard/overview.ts'
import { sessionRow } from '../../src/dashboard/session-row.ts'
import { createStoredSessions } from '../../src/dashboard/stored-sessions.ts'
import { openStore } from '../../src/store/index.ts'
import {
  type HostedConversation,
  type HostedPlugin,
  hostedPlugin,
  saidIn,
} from '../agent/hosted.ts'
import { captureRun } from '../captured-run.ts'
import { lines } from '../engine/told-session.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-plugin-sessions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const usage = (input: number): object => ({
  input: 10,
  output: 40,
  cache: { read: input, write: 90 },
})

/** The host says that the last answer ended. */
async function report({ hooks }: HostedPlugin, { stored }: HostedConversation): Promise<void> {
  const { info } = stored.at(-1) ?? {}
  const time = { created: Date.now(), completed: Date.now() }
  await hooks.event({ event: { type: 'message.updated', properties: { info: { ...info, time } } } })
}

/** Steps of work; each answer has usage, as much as the list had. */
async function work(
  plugin: HostedPlugin,
  session: HostedConversation,
  { steps, isReported }: { readonly steps: number; readonly isReported: boolean },
): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const sent = saidIn(await session.request()).join('\n')
    const file = `f${step % 3}`
    session.called('read', { filePath: `/project/${file}.ts` }, lines(1, 60, file))
    Object.assign(session.stored.at(-1)?.info ?? {}, { tokens: usage(sent.length / 4) })
    if (isReported) await report(plugin, session)
  }
}

async function seen(store: string) {
  const opened = await openStore({ kind: 'sqlite', path: store })
  try {
    const sessions = createStoredSessions(opened)
    const { totals, agents } = savingsOf(await sessions.receipts(), { from: null, to: Date.now() })
    const [summary] = await sessions.all()
    const source = await sessions.sourceOf(summary!)
    return { totals, agents, row: sessionRow(source, { isPaused: false }) }
  } finally {
    await opened.close()
  }
}

describe('a session of the OpenCode plugin', () => {
  it.each([
    ['reports the end of each answer', true],
    ['reports no answers, so that the next list tells', false],
  ])('counts request by request where the host %s', async (name, isReported) => {
    const store = path.join(folder, `${isReported}.db`)
    const plugin = await hostedPlugin({ given: { store } })
    const session = plugin.conversation('s1')
    session.say(lines(1, 40, 'what to do'))
    await work(plugin, session, { steps: 12, isReported })
    await plugin.hooks.dispose()
    const { totals, agents, row } = await seen(store)
    expect([name, totals.requests]).toEqual([name, 12])
    // Without a report the last answer is never seen.
    expect(totals.measured).toBe(isReported ? 12 : 11)
    expect(totals.tokens.without - totals.tokens.with).toBeGreaterThan(500)
    expect(totals.savedDollars).not.toBeNull()
    expect(totals.cache?.read).toBeGreaterThan(1000)
    expect(agents.map((each) => each.name)).toEqual(['OpenCode'])
    expect(row).toMatchObject({ agent: 'OpenCode', isReplayed: false, turns: 12 })
    expect(row.model).toBe('claude-sonnet-4-5')
  })

  it('counts a request that the host sends twice once, and an answer that came late once', async () => {
    const store = path.join(folder, 'twice.db')
    const plugin = await hostedPlugin({ given: { store } })
    const session = plugin.conversation('s1')
    session.say('Work on it.')
    await session.request()
    await session.request()
    session.answered('Done.')
    Object.assign(session.stored.at(-1)?.info ?? {}, { tokens: usage(50) })
    const late = { stored: session.stored.slice() } as HostedConversation
    session.say('And more.')
    await session.request()
    await report(plugin, late)
    session.answered('Done too.')
    await report(plugin, session)
    await plugin.hooks.dispose()
    expect((await seen(store)).totals.requests).toBe(2)
  })

  it('says what was fetched back, by kind, in the verdict of gain', async () => {
    const store = path.join(folder, 'restored.db')
    const plugin = await hostedPlugin({ given: { store } })
    const session = plugin.conversation('s1')
    session.say('Work on it.')
    await session.request()
    session.called('bash', { command: 'make all' }, lines(1, 900, 'out'))
    const shown = saidIn(await session.request()).join('\n')
    const handle = /context_restore ([0-9a-f]{6,})/.exec(shown)?.[1] ?? ''
    await session.calls('context_restore', { handle })
    await session.request()
    await plugin.hooks.dispose()
    const { out } = await captureRun(['gain', '--by', 'agent', '--store', store], {
      cwd: folder,
      stepMs: Date.now(),
    })
    expect(out).toContain('fetched back: 1 original (1 truncated)')
    expect(out).toContain('OpenCode')
  })
})
