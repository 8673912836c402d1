import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeEach(async () => {
  setting = await startSetting()
})
afterEach(() => setting.stop())

interface Told {
  messages: { role: string; content: object[] }[]
}

const tool = (name: string): object => ({ name, input_schema: { type: 'object' } })
const reminder =
  '<system-reminder>Tools by search:\nWebFetch\nmcp__palimpsest__context_restore\n</system-reminder>'

/** The story of a client with these tools, which says the reminder in the message of that index. */
function bodies(tools: readonly object[], remindedAt?: number): readonly string[] {
  return storyBodies('anthropic').map((body) => {
    const told = JSON.parse(body) as Told
    if (remindedAt !== undefined)
      told.messages[remindedAt]?.content.push({ type: 'text', text: reminder })
    return JSON.stringify({ ...told, tools })
  })
}

async function arrived(sent: readonly string[], session: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const body of sent) {
    await setting.post(paths.anthropic, body, { 'x-session-id': session, 'x-api-key': 'k' })
    found.push(String(setting.upstream.received.at(-1)?.body))
  }
  return found
}

/** The words before each handle, in order. */
function words(body = ''): readonly string[] {
  const { messages } = JSON.parse(body) as Told
  const said = JSON.stringify(messages)
  return [...said.matchAll(/([\w.]*context_restore|palimpsest restore) [0-9a-f]{6}/g)].map(
    ([, each]) => each ?? '',
  )
}

it.each([
  ['the command where the client has no such tool', [tool('Read')], 'palimpsest restore'],
  ['the tool by its own name', [tool('context_restore')], 'context_restore'],
  [
    'the name that a client makes of it',
    [tool('palimpsest_context_restore')],
    'palimpsest_context_restore',
  ],
])('names %s', async (_, tools, expected) => {
  const found = words((await arrived(bodies(tools), 's')).at(-1))
  expect(found.length).toBeGreaterThan(2)
  expect(new Set(found)).toEqual(new Set([expected]))
})

it('names a tool that has to be looked for once a message has said that it is there', async () => {
  const sent = bodies([tool('ToolSearch')], 8)
  const found = await arrived(sent, 'late')
  const named = words(found.at(-1))
  const first = named.indexOf('mcp__palimpsest__context_restore')
  expect(first).toBeGreaterThan(0)
  expect(new Set(named.slice(0, first))).toEqual(new Set(['palimpsest restore']))
  expect(new Set(named.slice(first))).toEqual(new Set(['mcp__palimpsest__context_restore']))
  // Nothing that had been sent is worded anew, also not by a process that knows nothing of it.
  await setting.restart()
  const [again] = await arrived(sent.slice(-1), 'late')
  expect(again).toBe(found.at(-1))
  for (const [at, after] of found.entries()) {
    const before = (JSON.parse(found[at - 1] ?? after) as Told).messages
    expect((JSON.parse(after) as Told).messages.slice(0, before.length)).toEqual(before)
  }
})

it('takes no prose for a list of tools', async () => {
  const asked = 'Why does nobody call mcp__palimpsest__context_restore here?'
  const sent = bodies([tool('ToolSearch')]).map((body) =>
    body.replace('Rename the counter everywhere.', asked),
  )
  expect(new Set(words((await arrived(sent, 'prose')).at(-1)))).toEqual(
    new Set(['palimpsest restore']),
  )
})
