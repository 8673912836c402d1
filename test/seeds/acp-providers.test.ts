import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withPalimpsest } from '../../src/sdk/index.ts'
import { hostedPlugin } from '../agent/hosted.ts'
import { captureRun } from '../captured-run.ts'
import { lines } from '../engine/told-session.ts'
import { useOwnHome } from '../sdk/own-home.ts'
import { bash, perform } from './acted.ts'
import { hostedSession, think } from './hosted-session.ts'
import { row } from './statement.ts'
import { storedHandles } from './stored-handles.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest providers '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The rules of the provider that a body breaks, as the command line says it. */
async function rulesBrokenBy(body: object, format: string): Promise<readonly string[]> {
  const file = path.join(folder, 'body.json')
  writeFileSync(file, JSON.stringify(body))
  const { out } = await captureRun(['validate', file, '--format', format, '--json'], {
    cwd: folder,
  })
  return (JSON.parse(out) as readonly { rule: string }[]).map(({ rule }) => rule)
}

interface ChatMessage {
  readonly role: string
  readonly reasoning_content?: string
}

/** A conversation of ten calls, each with its reasoning, or with none. */
function chat(
  model: string,
  reasoning: string | null,
): { readonly messages: readonly ChatMessage[] } {
  const turns = Array.from({ length: 10 }, (_, at) => {
    const called = { name: 'bash', arguments: JSON.stringify({ command: `make ${at}` }) }
    const call = { id: `call_${at}`, type: 'function', function: called }
    const said = { role: 'assistant', content: null, tool_calls: [call] }
    return [
      reasoning === null ? said : { ...said, reasoning_content: `${reasoning} ${at}` },
      { role: 'tool', tool_call_id: call.id, content: `made ${at}` },
    ]
  })
  const asked = { role: 'user', content: 'Work on it.' }
  return { model, messages: [asked, ...turns.flat()] } as never
}

/** What reaches the provider under the preset. */
async function sentOf(body: object): Promise<{ readonly messages: readonly ChatMessage[] }> {
  const sent: string[] = []
  const provider: typeof globalThis.fetch = async (_, init) => {
    sent.push(String(init?.body))
    return Response.json({ choices: [] })
  }
  const fetch = withPalimpsest(provider, { preset: 'acp', store: 'memory:' })
  const headers = { 'content-type': 'application/json' }
  await fetch('https://provider.test/v1/chat/completions', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await fetch.close()
  return JSON.parse(sent[0] ?? '{}')
}

/** Such a model needs the field: it is missed where it is missing, and what is pruned keeps it. */
async function needsReasoning(model: string): Promise<void> {
  expect(await rulesBrokenBy(chat(model, null), 'openai-chat')).not.toEqual([])
  const long = `Perhaps ${'so '.repeat(80)}`
  const sent = await sentOf(chat(model, long))
  const calls = sent.messages.filter(({ role }) => role === 'assistant')
  expect(calls.filter((each) => each.reasoning_content === '—').length).toBeGreaterThan(3)
  expect(calls.every((each) => (each.reasoning_content ?? '') !== '')).toBe(true)
  expect(await rulesBrokenBy(sent, 'openai-chat')).toEqual([])
}

describe('what providers require', () => {
  useOwnHome()

  row('001-72', async () => {
    const called = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
    const thinking = { type: 'thinking', thinking: 'So.', signature: 'c2ln' }
    const body = (...content: object[]): object => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
      ],
    })
    expect(await rulesBrokenBy(body(called), 'anthropic')).toEqual(['anthropic/thinking-first'])
    expect(await rulesBrokenBy(body(thinking, called), 'anthropic')).toEqual([])
  })

  row('001-73', async () => {
    for (const model of ['deepseek-reasoner', 'deepseek-v3.2-thinking', 'deepseek-v4-pro'])
      await needsReasoning(model)
    // Its model without thinking has no such field.
    expect(await rulesBrokenBy(chat('deepseek-chat', null), 'openai-chat')).toEqual([])
  })

  row('001-74', async () => {
    for (const model of ['kimi-k2-thinking', 'kimi-k2.5']) await needsReasoning(model)
  })

  row('001-75', async () => {
    for (const model of ['gpt-5.5', 'gpt-4.1'])
      expect(await rulesBrokenBy(chat(model, null), 'openai-chat')).toEqual([])
  })

  row('001-76', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Look.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'x' } } }] },
    ]
    expect(await rulesBrokenBy({ contents }, 'gemini')).toEqual([])
    expect(await rulesBrokenBy(chat('gemini-2.5-pro', null), 'openai-chat')).toEqual([])
  })
})

describe('signed thinking', () => {
  it('is refused while the model may go on from it, and then left out whole', async () => {
    const store = path.join(folder, 'signed.db')
    const session = await hostedSession({
      preset: 'acp',
      store,
      strategies: { pruneThinking: false },
    })
    await think(session, lines(1, 20, 'thought'), 'c2lnbmVk')
    await session.idle(1)
    await session.shown()
    const handles = await storedHandles(store, ({ kind }) => kind === 'reasoning')
    const discard = (): Promise<string> =>
      session.conversation.calls('context_prune', { action: 'discard', targets: [handles] })
    expect(await discard()).toContain("signed reasoning stays until the user's next message")
    expect((await session.shown()).join()).toContain('thought 7 of')
    session.conversation.answered('It stays.')
    session.conversation.say('Go on.')
    await session.shown()
    expect(await discard()).toContain('1 of 1 pruned')
    const parts = (await session.conversation.request()).flatMap((message) => message.parts)
    expect(parts.some(({ type }) => type === 'reasoning')).toBe(false)
  })
})

describe('the fix of 3.0.0', () => {
  row('001-78', async () => {
    const given = { preset: 'acp', store: path.join(folder, 'restart.db') }
    const first = await hostedSession(given)
    await perform(first, [bash('make'), bash('seq 9')])
    await first.shown()
    await first.hooks.dispose()
    // The first thing after a restart, before any request of the conversation.
    const { hooks, conversation } = await hostedPlugin({ given })
    const resumed = conversation('s1')
    resumed.stored.push(...first.conversation.stored)
    const info = await resumed.calls('context_info', {})
    const [, handle = ''] = /([0-9a-f]{6}) .*make/.exec(info) ?? []
    const input = { action: 'discard', targets: [[handle]] }
    expect(await resumed.calls('context_prune', input)).toContain('1 of 1 pruned')
    expect(JSON.stringify(await resumed.request())).not.toContain('out0 7 of')
    await hooks.dispose()
  })
})
