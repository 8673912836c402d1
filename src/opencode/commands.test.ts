import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type HostedConversation,
  type HostedPlugin,
  hostedPlugin,
  saidIn,
} from '../../test/agent/hosted.ts'
import { lines } from '../../test/engine/told-session.ts'

/** What the host would make of a command: the parts of the prompt, and what the provider answers to it. */
async function command(
  { hooks }: HostedPlugin,
  session: HostedConversation,
  words: string,
): Promise<string> {
  const config: Parameters<typeof hooks.config>[0] = {}
  await hooks.config(config)
  const output = { parts: [{ type: 'text', text: `/acp ${words}` }] as unknown[] }
  const sessionID = session.id
  await hooks['command.execute.before']({ command: 'acp', sessionID, arguments: words }, output)
  expect(output.parts).toEqual([{ type: 'text', text: `/acp ${words}`.trim(), synthetic: true }])
  const own = { providerID: 'palimpsest', modelID: 'commands' }
  const message = { model: own }
  await hooks['chat.message']({ sessionID, model: own }, { message, parts: output.parts })
  expect(message.model).toBe(own)
  const headers: Record<string, string> = {}
  await hooks['chat.headers']({ sessionID, model: own }, { headers })
  const provider = config.provider?.palimpsest as
    | { options: { fetch: (url: string, init: object) => Promise<Response> } }
    | undefined
  const response = await provider!.options.fetch('http://127.0.0.1:9/v1', { headers })
  const body = await response.text()
  const chunk = JSON.parse(body.split('\n')[0]!.slice('data: '.length)) as {
    choices: [{ delta: { content: string } }]
  }
  return chunk.choices[0].delta.content
}

async function worked(plugin: HostedPlugin): Promise<HostedConversation> {
  const session = plugin.conversation('s1')
  session.say('Work on it.')
  for (let step = 0; step < 8; step++) {
    await session.request()
    session.called('read', { filePath: `/project/f${step % 3}.ts` }, lines(1, 40, `f${step % 3}`))
  }
  await session.request()
  return session
}

const handleIn = (text: string): string => /\b[0-9a-f]{6}\b/.exec(text)?.[0] ?? ''

describe('/acp', () => {
  it('knows the limit and the system prompt in a new process, before anything is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest commands '))
    const given = { store: join(folder, 'the store.db') }
    const first = await hostedPlugin({ given })
    const session = await worked(first)
    const before = await command(first, session, 'context')
    await first.hooks.dispose()
    const second = await hostedPlugin({ given })
    const resumed = second.conversation('s1')
    resumed.stored.push(...session.stored)
    const after = await command(second, resumed, 'context')
    await second.hooks.dispose()
    rmSync(folder, { recursive: true, force: true })
    expect(before).toMatch(/of 200K tokens/)
    expect(before).toMatch(/System Instructions +~?[1-9]/)
    const head = (text: string): readonly string[] => text.split('\n').slice(0, 3)
    expect(head(after)).toEqual(head(before))
  })

  it('answers with help, statistics, the context and the list', async () => {
    const plugin = await hostedPlugin()
    const session = await worked(plugin)
    expect(await command(plugin, session, '')).toContain('  sweep [n]')
    expect(await command(plugin, session, 'nonsense')).toContain(
      'There is no /palimpsest nonsense.',
    )
    const stats = await command(plugin, session, 'stats')
    expect(stats).toContain('Strategy Effectiveness:')
    expect(stats).toMatch(/All time: 1 conversations, 9 requests, ~[\d.]+k tokens saved/)
    const context = await command(plugin, session, 'context')
    expect(context).toMatch(/Context: ~[\d.]+K of 200K tokens/)
    expect(context).toMatch(/Active context +[\d.]+K? +\d+%/)
    expect(await command(plugin, session, 'list')).toContain('read /project/f0.ts lines 1–40')
  })

  it('prunes, explains and restores what it is told, from the next request on', async () => {
    const plugin = await hostedPlugin({ given: { turnProtection: 0 } })
    const session = await worked(plugin)
    const handle = handleIn(await command(plugin, session, 'list'))
    const before = saidIn(await session.request())
    expect(await command(plugin, session, `prune ${handle}`)).toContain(`✓ ${handle} pruned`)
    expect(await command(plugin, session, `explain ${handle}`)).toContain('shown as discarded')
    expect(saidIn(await session.request()).join('\n')).toContain(`context_restore ${handle}`)
    expect(await command(plugin, session, `restore ${handle}`)).toContain('✓')
    // What pointed to the pruned result is shown in full since then, so nothing is shorter than before.
    const after = saidIn(await session.request())
    expect(after.join('\n')).not.toContain(`context_restore ${handle}`)
    expect(after.map(({ length }, at) => length >= (before[at]?.length ?? 0))).toEqual(
      before.map(() => true),
    )
    expect(await command(plugin, session, 'restore ffffff')).toContain('no item')
    expect(await command(plugin, session, 'sweep 3')).toMatch(/discard: \d of 3 pruned/)
    expect(await command(plugin, session, 'sweep none')).toContain('Say how many')
  })

  it('switches manual mode, in which nothing is decided without being asked for', async () => {
    const plugin = await hostedPlugin()
    const session = plugin.conversation('s1')
    session.say('Work on it.')
    expect(await command(plugin, session, 'manual on')).toContain('Manual mode is on')
    for (let step = 0; step < 6; step++) {
      await session.request()
      session.called('read', { filePath: '/project/f.ts' }, lines(1, 40, 'f'))
    }
    const text = saidIn(await session.request()).join('\n')
    expect(text.split('f 7 of a text').length - 1).toBe(6)
    expect(await command(plugin, session, 'manual off')).toContain('Manual mode is off')
    session.called('read', { filePath: '/project/f.ts' }, lines(1, 40, 'f'))
    expect(saidIn(await session.request()).join('\n')).toContain('same file lines as in')
  })

  it('is in no request of the conversation, and does not become its model', async () => {
    const plugin = await hostedPlugin()
    const session = await worked(plugin)
    const before = saidIn(await session.request())
    const own = { providerID: 'palimpsest', modelID: 'commands' }
    const [question, answer] = [
      { role: 'user', model: own },
      { role: 'assistant', ...own },
    ].map((info) => ({
      info: { id: 'msg_own', sessionID: 's1', ...info },
      parts: [
        { id: 'prt_own', sessionID: 's1', messageID: 'msg_own', type: 'text', text: 'stats' },
      ],
    }))
    session.stored.push(question!, answer!)
    session.say('Go on.')
    expect(saidIn(await session.request())).toEqual([...before, 'Go on.'])
    const message = { model: own }
    await plugin.hooks['chat.message']({ sessionID: 's1' }, { message, parts: [] })
    expect(message.model).toEqual({ providerID: 'anthropic', modelID: 'claude-sonnet-4-5' })
  })
})
