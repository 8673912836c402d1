import { afterEach, beforeEach, expect, it } from 'vitest'
import { restoreInstruction } from '../../src/agent/tool-definitions.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
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
const described = (description: string): object => ({ ...tool('helper'), description })
const withInput = (properties: object, examples: readonly object[] = []): object => ({
  name: 'configure',
  input_schema: { type: 'object', properties, examples },
})
const command = 'palimpsest restore'
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
  return wordsIn(JSON.stringify(messages))
}

function wordsIn(said: string): readonly string[] {
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
  [
    'the tool beside others that mention it',
    [described('See context_restore.'), tool('mcp__p__context_restore')],
    'mcp__p__context_restore',
  ],
  ['the command where a description mentions it', [described('Never context_restore.')], command],
  ['the command where a parameter has its name', [withInput({ context_restore: {} })], command],
  [
    'the command where a value has its name',
    [withInput({ name: { enum: ['context_restore'] } })],
    command,
  ],
  [
    'the command where an example has its name',
    [withInput({ name: { type: 'string' } }, [{ name: 'context_restore' }])],
    command,
  ],
  ['the command where a longer name holds it', [tool('my_context_restore_all')], command],
  ['the command where a longer word ends in it', [tool('subcontext_restore')], command],
  [
    'the command where the client has only its sister',
    [{ ...tool('mcp__p__context_info'), description: 'Handles are for "context_restore".' }],
    command,
  ],
])('names %s', async (_, tools, expected) => {
  const found = words((await arrived(bodies(tools), 's')).at(-1))
  expect(found.length).toBeGreaterThan(2)
  expect(new Set(found)).toEqual(new Set([expected]))
})

it.each<[BodyFormatName, string, unknown]>([
  [
    'openai-chat',
    'context_restore',
    [{ type: 'function', function: { name: 'context_restore', parameters: {} } }],
  ],
  [
    'openai-responses',
    'context_restore',
    [{ type: 'namespace', name: 'mcp__p', tools: [{ type: 'function', name: 'context_restore' }] }],
  ],
  [
    'openai-responses',
    'context_restore',
    [{ type: 'tool_search', description: `Sources:\n- p: Memory. ${restoreInstruction} Or not.` }],
  ],
  [
    'openai-responses',
    command,
    [{ type: 'tool_search', description: 'Sources:\n- other: never call context_restore.' }],
  ],
  [
    'gemini',
    'p_context_restore',
    [{ functionDeclarations: [{ name: 'Read' }, { name: 'p_context_restore' }] }],
  ],
  [
    'gemini',
    command,
    [{ functionDeclarations: [{ name: 'Read', parameters: { name: 'context_restore' } }] }],
  ],
])('finds the tool where %s defines it: %s', async (format, expected, tools) => {
  for (const body of storyBodies(format)) {
    const told = { ...(JSON.parse(body) as object), tools }
    await setting.post(paths[format], JSON.stringify(told), { 'x-session-id': 's' })
  }
  const { tools: _, ...said } = JSON.parse(String(setting.upstream.received.at(-1)?.body)) as {
    tools: unknown
  }
  const found = wordsIn(JSON.stringify(said))
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
