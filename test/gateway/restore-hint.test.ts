import { afterEach, beforeEach, expect, it } from 'vitest'
import { restoreDescription, restoreInstruction } from '../../src/agent/tool-definitions.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

/** What a gateway on this machine says, with a space in its path. */
const restoreCommand = "'/home/a b/restore'"
const nothing = ''
let setting: Setting

beforeEach(async () => {
  setting = await startSetting({ restoreCommand })
})
afterEach(() => setting.stop())

interface Told {
  messages: { role: string; content: { content?: string; text?: string }[] }[]
}

const tool = (name: string, description = ''): object => ({
  name,
  description,
  input_schema: { type: 'object' },
})
const ours = (name: string): object => tool(name, restoreDescription)
const withInput = (properties: object, examples: readonly object[] = []): object => ({
  name: 'configure',
  description: restoreDescription,
  input_schema: { type: 'object', properties, examples },
})
const listing = (name: string): string =>
  `<system-reminder>Tools by search:\nWebFetch\n${name}\n</system-reminder>`
const searched = 'mcp__palimpsest__context_restore'

/** The story of a client with these tools, which says the reminder in the message of that index. */
function bodies(
  tools: readonly object[],
  { remindedAt, reminder = listing(searched) }: { remindedAt?: number; reminder?: string } = {},
): readonly string[] {
  return storyBodies('anthropic').map((body) => {
    const told = JSON.parse(body) as Told
    if (remindedAt !== undefined)
      (told.messages[remindedAt]?.content as object[] | undefined)?.push({
        type: 'text',
        text: reminder,
      })
    return JSON.stringify({ ...told, tools })
  })
}

async function arrived(
  sent: readonly string[],
  session: string,
  headers: Readonly<Record<string, string>> = {},
  receipts: string[] = [],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const body of sent) {
    const named = { 'x-session-id': session, 'x-api-key': 'k', ...headers }
    const answer = await setting.post(paths.anthropic, body, named)
    receipts.push(String(answer.headers['x-palimpsest']))
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
  const hints = said.matchAll(/ · ([^·\][]*?) ?[0-9a-f]{6}(?::\d+-\d+)?\]/g)
  return [...hints].map(([, each]) => each ?? '')
}

it.each([
  ['nothing where the client has neither tool nor shell', [tool('Read')], nothing],
  ['the command where it has a shell', [tool('Read'), tool('Bash')], restoreCommand],
  [
    'nothing where only another server has a shell',
    [tool('mcp__box__bash'), tool('Read')],
    nothing,
  ],
  ['the tool by its own name', [tool('Bash'), ours('context_restore')], 'context_restore'],
  [
    'the name that a client makes of it',
    [ours('palimpsest_context_restore')],
    'palimpsest_context_restore',
  ],
  [
    'ours, whatever its server is called, and not the tool of another server',
    [tool('mcp__evil__context_restore', 'Restores.'), ours('mcp__p__context_restore')],
    'mcp__p__context_restore',
  ],
  ['no tool of another server', [tool('mcp__evil__context_restore', 'Restores.')], nothing],
  ['no tool that speaks of it', [tool('helper', 'Never context_restore.')], nothing],
  ['no parameter of its name', [withInput({ context_restore: {} })], nothing],
  ['no example of its name', [withInput({}, [{ name: 'context_restore' }])], nothing],
  ['no longer name that holds it', [ours('my_context_restore_all')], nothing],
  ['no longer word that ends in it', [ours('subcontext_restore')], nothing],
])('names %s', async (_, tools, expected) => {
  const found = words((await arrived(bodies(tools), 's')).at(-1))
  expect(found.length).toBeGreaterThan(2)
  expect(new Set(found)).toEqual(new Set([expected]))
})

it.each([
  ['is not on this machine', { 'x-forwarded-for': '10.0.0.7' }],
  ['came through a proxy', { forwarded: 'for=10.0.0.7' }],
])('names no command of this machine to a client that %s', async (_, headers) => {
  const found = words((await arrived(bodies([tool('Bash')]), 's', headers)).at(-1))
  expect(new Set(found)).toEqual(new Set([nothing]))
})

it.each<[BodyFormatName, string, unknown]>([
  ['openai-chat', 'context_restore', [{ type: 'function', function: ours('context_restore') }]],
  ['openai-chat', nothing, [{ type: 'function', function: tool('x_context_restore') }]],
  [
    'openai-responses',
    'context_restore',
    [
      {
        type: 'namespace',
        name: 'mcp__p',
        tools: [{ type: 'function', ...ours('context_restore') }],
      },
    ],
  ],
  [
    'openai-responses',
    'context_restore',
    [{ type: 'tool_search', description: `Sources:\n- p: Memory. ${restoreInstruction} Or not.` }],
  ],
  [
    'openai-responses',
    nothing,
    [{ type: 'tool_search', description: 'Sources:\n- other: never call context_restore.' }],
  ],
  ['openai-responses', restoreCommand, [{ type: 'local_shell' }]],
  [
    'gemini',
    'p_context_restore',
    [{ functionDeclarations: [{ name: 'Read' }, ours('p_context_restore')] }],
  ],
  ['gemini', restoreCommand, [{ functionDeclarations: [{ name: 'run_shell_command' }] }]],
])('finds where %s defines: %s', async (format, expected, tools) => {
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

const programs = {
  type: 'additional_tools',
  role: 'developer',
  tools: [
    {
      type: 'namespace',
      name: 'functions',
      tools: [
        {
          type: 'custom',
          name: 'exec',
          description: 'Runs. Some deferred nested tools may be omitted.',
        },
      ],
    },
  ],
}
const instructed = {
  type: 'message',
  role: 'developer',
  content: `- mcp__p: ${restoreInstruction}`,
}

it.each([
  ['the command', [programs], restoreCommand],
  ['the tool of a server that it was told of', [programs, instructed], 'context_restore'],
])(
  'names to a client whose tools are part of the conversation: %s',
  async (_, opening, expected) => {
    for (const body of storyBodies('openai-responses')) {
      const told = JSON.parse(body) as { input: readonly object[]; tools?: unknown }
      const { tools: __, ...rest } = told
      const sent = { ...rest, input: [...opening, ...told.input] }
      await setting.post(paths['openai-responses'], JSON.stringify(sent), { 'x-session-id': 's' })
      const { input } = JSON.parse(String(setting.upstream.received.at(-1)?.body)) as typeof told
      expect(input.slice(0, opening.length)).toEqual(opening)
    }
    const said = JSON.parse(String(setting.upstream.received.at(-1)?.body)) as { input: unknown[] }
    const found = wordsIn(JSON.stringify(said.input.slice(opening.length)))
    expect(found.length).toBeGreaterThan(2)
    expect(new Set(found)).toEqual(new Set([expected]))
  },
)

it('names a tool that has to be looked for once a message has said that it is there', async () => {
  await setting.stop()
  // Shortens the story's outputs from the beginning, and changes nothing afterwards.
  const config = { preset: 'compact', schedule: 'admission-only' } as const
  setting = await startSetting({ restoreCommand, config })
  const sent = bodies([tool('Bash'), tool('ToolSearch')], { remindedAt: 8 })
  const found = await arrived(sent, 'late')
  const named = words(found.at(-1))
  const first = named.indexOf(searched)
  expect(first).toBeGreaterThan(0)
  expect(new Set(named)).toEqual(new Set([restoreCommand, searched]))
  // Nothing that had been sent is worded anew, also not by a process that knows nothing of it.
  await setting.restart()
  const [again] = await arrived(sent.slice(-1), 'late')
  expect(again).toBe(found.at(-1))
  for (const [at, after] of found.entries()) {
    const before = (JSON.parse(found[at - 1] ?? after) as Told).messages
    expect((JSON.parse(after) as Told).messages.slice(0, before.length)).toEqual(before)
  }
})

it('keeps its words when the client loses the tool, and names it no more in what is new', async () => {
  const having = bodies([tool('Bash'), ours('context_restore')])
  const without = bodies([tool('Bash')])
  const sent = [...having.slice(0, 7), ...without.slice(7)]
  const receipts: string[] = []
  const found = await arrived(sent, 'lost', {}, receipts)
  for (const [at, after] of found.entries()) {
    const before = (JSON.parse(found[at - 1] ?? after) as Told).messages
    // The tools stand before all messages: their change makes the cache cold, and what was sent may change once. What was
    // seen may also be folded in a declared epoch.
    if (at === 7 || receipts[at]?.includes('opened=')) continue
    expect((JSON.parse(after) as Told).messages.slice(0, before.length)).toEqual(before)
  }
  expect(receipts.filter((receipt) => receipt.includes('opened=')).length).toBeLessThan(4)
  expect(new Set(words(found[6]))).toEqual(new Set(['context_restore']))
  expect(words(found.at(-1))).toContain(restoreCommand)
})

it.each([
  ['prose', `Why does nobody call ${searched} here?`],
  ['a list that names the tool of another server', listing('mcp__evil__context_restore')],
])('takes no tool out of %s', async (_, reminder) => {
  const sent = bodies([tool('ToolSearch')], { remindedAt: 0, reminder })
  expect(new Set(words((await arrived(sent, 'prose')).at(-1)))).toEqual(new Set([nothing]))
})

it('shows what a file says of handles as it is, also where it shows less of that file', async () => {
  const line = 'const hint = "[x · context_restore a1b2c3] or palimpsest restore a1b2c3"'
  const sent = bodies([tool('Bash')]).map((body) =>
    body.replaceAll('line 5 of alpha', line.replaceAll('"', '\\"')),
  )
  const [last = ''] = (await arrived(sent, 'content')).slice(-1)
  const texts = (JSON.parse(last) as Told).messages.flatMap(({ content }) =>
    content.flatMap(({ content: result, text }) => result ?? text ?? []),
  )
  const views = texts.filter((text) => text.includes('hint ='))
  expect(views.some((text) => text.includes(' as of turn ') || text.includes('[… '))).toBe(true)
  for (const view of views) expect(view).toContain(`\t${line}\n`)
})
