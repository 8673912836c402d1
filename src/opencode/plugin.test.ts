import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type HostedConversation,
  type HostedMessage,
  hostedPlugin,
  saidIn,
} from '../../test/agent/hosted.ts'
import { lines } from '../../test/engine/told-session.ts'
import { openStore } from '../store/open-store.ts'
import { totalsIn } from './totals.ts'

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-plugin-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Steps of work on three files, each after its request; gives what each request showed. */
async function work(
  conversation: HostedConversation,
  steps: number,
  from = 0,
): Promise<readonly (readonly string[])[]> {
  const shown: (readonly string[])[] = []
  for (let step = from; step < from + steps; step++) {
    shown.push(saidIn(await conversation.request()))
    const file = { filePath: `/project/f${step % 3}.ts` }
    if (step % 5 === 4)
      conversation.called('bash', { command: `make ${step}` }, 'failed: no rule', 'error')
    else conversation.called('read', file, lines(1, 40, `f${step % 3}`))
  }
  return shown
}

const handleIn = (text: string): string => /\[handle ([0-9a-f]{6,})\]/.exec(text)?.[1] ?? ''

function isPrefix(one: readonly string[], other: readonly string[]): boolean {
  return one.every((text, at) => text === other[at])
}

describe('the plugin in the order of the host', () => {
  it('replays its decisions byte for byte, and only adds between epochs', async () => {
    const { conversation } = await hostedPlugin()
    const session = conversation('s1')
    session.say('Work on it.')
    const shown = await work(session, 20)
    expect(saidIn(await session.request())).toEqual(saidIn(await session.request()))
    for (let at = 1; at < shown.length; at++)
      expect(isPrefix(shown[at - 1]!, shown[at]!)).toBe(true)
    const last = shown.at(-1)!.join('\n')
    expect(last.split('same file lines as in').length).toBeGreaterThan(5)
  })

  it('never alters what the host has stored', async () => {
    const { conversation } = await hostedPlugin({ given: { preset: 'acp' } })
    const session = conversation('s1')
    session.say('Work on it.')
    await work(session, 12)
    const before = JSON.stringify(session.stored)
    await session.request()
    expect(JSON.stringify(session.stored)).toBe(before)
  })

  it('keeps conversations apart that go on in turns', async () => {
    const alone = await hostedPlugin()
    const both = await hostedPlugin()
    const told = async (
      session: HostedConversation,
      other?: HostedConversation,
    ): Promise<unknown> => {
      const shown: unknown[] = []
      session.say('Work on it.')
      other?.say('Other work.')
      for (let step = 0; step < 8; step++) {
        shown.push(...(await work(session, 1, step)))
        if (other !== undefined) await work(other, 2, step * 2)
      }
      return shown
    }
    const expected = await told(alone.conversation('s1'))
    expect(await told(both.conversation('s1'), both.conversation('s2'))).toEqual(expected)
  })

  it('goes on after a restart with the same bytes, the agent’s prunes included', async () => {
    const given = { store: join(scratch, 'restart.db'), turnProtection: 0 }
    const first = await hostedPlugin({ given })
    const session = first.conversation('s1')
    session.say('Work on it.')
    await work(session, 9)
    const handle = handleIn(saidIn(await session.request()).join('\n'))
    expect(
      await session.calls('context_prune', { action: 'discard', targets: [[handle]] }),
    ).toContain('✓')
    const before = saidIn(await session.request())
    await first.hooks.dispose()
    const second = await hostedPlugin({ given })
    const resumed = second.conversation('s1')
    resumed.stored.push(...session.stored)
    expect(saidIn(await resumed.request())).toEqual(before)
    await second.hooks.dispose()
  })

  it('gives a fork what was decided in the conversation that it was copied from', async () => {
    const { conversation } = await hostedPlugin({ given: { turnProtection: 0 } })
    const session = conversation('s1')
    session.say('Work on it.')
    await work(session, 6)
    const handle = handleIn(saidIn(await session.request()).join('\n'))
    await session.calls('context_prune', { action: 'distill', targets: [[handle, 'KEY: f0']] })
    const before = saidIn(await session.request())
    const fork = session.copy('s2')
    expect(saidIn(await fork.request())).toEqual(before)
    expect(before.join('\n')).toContain('KEY: f0')
  })

  it('shows a summary the beginning as the model saw it, and decides nothing by it', async () => {
    const { conversation, hooks } = await hostedPlugin()
    const session = conversation('s1')
    session.say('Work on it.')
    await work(session, 10)
    const shown = saidIn(await session.request())
    await hooks['experimental.session.compacting']({ sessionID: 's1' })
    const head: unknown[] = structuredClone(session.stored.slice(1, 8))
    await hooks['experimental.chat.messages.transform']({}, { messages: head })
    const summary = saidIn(head as HostedMessage[])
    expect(summary).toEqual(shown.slice(1, 1 + summary.length))
    expect(saidIn(await session.request())).toEqual(shown)
  })

  it('shows a summary the conversation when a command of ours came last', async () => {
    const { conversation } = await hostedPlugin()
    const session = conversation('s1')
    session.say('Work on it.')
    await work(session, 4)
    const shown = saidIn(await session.request())
    await session.commanded('stats')
    expect(saidIn(await session.compact(0))).toEqual(shown)
  })

  it('counts the request after a compaction, however many lists the summary took', async () => {
    for (const lists of [0, 1, 2]) {
      const given = { store: join(scratch, `summary ${lists}.db`) }
      const { conversation, hooks } = await hostedPlugin({ given })
      const session = conversation('s1')
      session.say('Work on it.')
      await work(session, 4)
      await hooks['experimental.session.compacting']({ sessionID: 's1' })
      for (let list = 0; list < lists; list++) {
        const messages: unknown[] = structuredClone(session.stored)
        await hooks['experimental.chat.messages.transform']({}, { messages })
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
      session.say('Go on.')
      await session.request()
      await hooks.dispose()
      const store = await openStore({ kind: 'sqlite', path: given.store })
      expect({ lists, ...(await totalsIn(store)) }).toMatchObject({ lists, requests: 5 })
      await store.close()
    }
  })

  it('leaves sub-agents alone when told to', async () => {
    const parents = { child: 's1' }
    const { conversation } = await hostedPlugin({ parents, given: { subAgents: false } })
    const child = conversation('child')
    child.say('Work on it.')
    await work(child, 8)
    expect(saidIn(await child.request())).toEqual(saidIn(child.stored))
  })

  it('does nothing, and says why, when its configuration has an error', async () => {
    const { hooks, toasts } = await hostedPlugin({ given: { preset: 'no such' } })
    expect(hooks).toEqual({})
    expect(toasts.map(({ message }) => message).join()).toContain('configuration has an error')
  })

  it('leaves lists as they are that are not what the host sends', async () => {
    const { hooks } = await hostedPlugin()
    for (const messages of [[], [null], [{ info: 7 }], [{ info: { sessionID: 's', role: 'x' } }]]) {
      const list: unknown[] = structuredClone(messages)
      await hooks['experimental.chat.messages.transform']({}, { messages: list })
      expect(list).toEqual(messages)
    }
  })

  it('shows what was restored in full, however large, and changes nothing before it', async () => {
    const { conversation } = await hostedPlugin()
    const session = conversation('s1')
    session.say('Work on it.')
    await session.request()
    const output = lines(1, 900, 'out')
    session.called('bash', { command: 'make all' }, output)
    const cut = saidIn(await session.request())
    const handle = /context_restore ([0-9a-f]{6,})/.exec(cut.join('\n'))?.[1] ?? ''
    expect(cut.join('\n')).not.toContain('out 450 of a text')
    await session.calls('context_restore', { handle })
    const shown = saidIn(await session.request())
    expect(shown.slice(0, cut.length)).toEqual(cut)
    expect(shown.at(-1)).toContain(output)
  })

  it('says what it did in a toast, only when something was pruned', async () => {
    const { conversation, toasts } = await hostedPlugin({ given: { turnProtection: 0 } })
    const session = conversation('s1')
    session.say('Work on it.')
    await work(session, 4)
    const handle = handleIn(saidIn(await session.request()).join('\n'))
    await session.calls('context_prune', { action: 'discard', targets: [['ffffff']] })
    expect(toasts).toEqual([])
    await session.request()
    await session.calls('context_prune', { action: 'discard', targets: [[handle]] })
    expect(toasts.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^「 .*⚙️ \d+\(.*\) ▼ 」$/),
    ])
  })

  it('tells as much as the user wants to hear', async () => {
    const told = async (pruneNotification: string): Promise<readonly string[]> => {
      const given = { turnProtection: 0, pruneNotification }
      const { conversation, toasts } = await hostedPlugin({ given })
      const session = conversation('s1')
      session.say('Work on it.')
      await work(session, 4)
      const handle = handleIn(saidIn(await session.request()).join('\n'))
      await session.calls('context_prune', { action: 'discard', targets: [[handle]] })
      return toasts.flatMap(({ message }) => message.split('\n'))
    }
    expect(await told('off')).toEqual([])
    expect((await told('minimal')).length).toBe(1)
    const detailed = await told('detailed')
    expect(detailed[0]).toMatch(/^「 .*⚙️ \d+\(.*\) ▼ 」$/)
    expect(detailed[1]).toMatch(/context_prune [0-9a-f]{6}: read call_\d discarded, ~\d+ saved/)
  })

  it('lets everything through when it breaks inside, says so in the log, and goes on after it', async () => {
    const { conversation, hooks, logs } = await hostedPlugin()
    const session = conversation('s1')
    session.say('Work on it.')
    const shown = await work(session, 6)
    const broken = structuredClone(session.stored) as unknown[]
    const info = { id: 'msg_x', sessionID: 's1', role: 'user', time: { created: 0 } }
    const parts = new Proxy([], {
      get() {
        throw new Error('cannot be read')
      },
    })
    broken.push({ info, parts })
    const before = [...broken]
    await hooks['experimental.chat.messages.transform']({}, { messages: broken })
    expect(broken.length).toBe(before.length)
    for (const [at, message] of broken.entries()) expect(message).toBe(before[at])
    expect(logs.filter((line) => line.startsWith('error ')).join()).toContain('cannot be read')
    const after = saidIn(await session.request())
    expect(isPrefix(shown.at(-1)!, after)).toBe(true)
  })
})
