import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngineMaker } from '../../src/config/engine-maker.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { accessTable } from '../../src/gateway/access-table.ts'
import { unknownCaller } from '../../src/mcp/caller.ts'
import { mcpRoute } from '../../src/mcp/index.ts'
import { createInMemoryLog, Memory } from '../../src/memory/index.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { projectRoot } from '../model/project-root.ts'

let setting: Setting
let memory: Memory
const faults: unknown[] = []

beforeAll(async () => {
  const store = createMemoryStore()
  let items = 0
  memory = new Memory({
    log: createInMemoryLog(),
    now: () => 1_000,
    newId: (kind) => `${kind}_${++items}`,
  })
  const route = mcpRoute({
    version: '1',
    useMemory: async (work) => work(memory),
    useStore: (work) => work(store),
    maker: createEngineMaker({ toolMappings: [], warnings: [] }),
    models: [],
    caller: unknownCaller,
    unnamedSession: 'session',
    home: undefined,
    storeArguments: [],
    now: Date.now,
    onFault: (fault) => faults.push(fault),
  })
  await tell(store, 'of the project', 'aaa111', 'said in the project', '/the project')
  await tell(store, 'elsewhere', 'bbb222', 'said elsewhere', '/elsewhere')
  setting = await startSetting({ store, ownRoutes: [route] })
})

afterAll(() => setting?.stop())

it('is served by the gateway below /mcp, to clients of both protocols', async () => {
  for (const options of [{}, { versionNegotiation: { mode: { pin: '2026-07-28' } } }] as const) {
    const client = new Client({ name: 'test', version: '1' }, options)
    await client.connect(new StreamableHTTPClientTransport(new URL(`${setting.gateway.url}/mcp`)))
    const text = 'the office is in Utrecht'
    const added = await client.callTool({ name: 'memory_add', arguments: { kind: 'fact', text } })
    expect(added.isError).not.toBe(true)
    const { contents } = await client.readResource({ uri: 'palimpsest://memory/context' })
    expect(contents).toMatchObject([{ text: expect.stringContaining('Utrecht') }])
    const absent = await client.callTool({
      name: 'context_restore',
      arguments: { handle: 'fffff0' },
    })
    expect(absent).toMatchObject({ isError: true })
    await client.close()
  }
  expect(faults).toEqual([])
})

it('refuses pages of other sites', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const ask = (origin: string): Promise<Response> =>
    fetch(`${setting.gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    })
  expect((await ask('https://example.com')).status).toBe(403)
  expect((await ask('null')).status).toBe(403)
  expect((await ask(setting.gateway.url)).status).toBe(200)
})

async function tell(
  store: Store,
  id: string,
  handle: string,
  text: string,
  folder: string,
): Promise<void> {
  const draft: MessageDraft = { role: 'user', items: [{ kind: 'text', text }] }
  const expected = { messages: 0, ledger: 0, entries: 0 }
  const messages = [{ previous: null, draft, handles: [handle] }]
  await store.append(await store.openSession({ id, origin: 'test', folder }), {
    expected,
    messages,
  })
}

interface HttpClient {
  readonly client: Client
  call(name: string, input?: object, meta?: object): Promise<string>
  close(): Promise<void>
}

interface HttpClientOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly roots?: readonly string[]
  readonly confirm?: boolean
}

/** A client of the 2026 protocol. */
async function connect({ headers = {}, roots, confirm }: HttpClientOptions): Promise<HttpClient> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: {
        ...(roots === undefined ? {} : { roots: {} }),
        ...(confirm === undefined ? {} : { elicitation: { form: {} } }),
      },
    },
  )
  if (roots !== undefined)
    client.setRequestHandler('roots/list', async () => ({ roots: roots.map((uri) => ({ uri })) }))
  if (confirm !== undefined)
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { confirm },
    }))
  const url = new URL(`${setting.gateway.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return {
    client,
    async call(name, input = {}, meta = {}) {
      const { content } = await client.callTool({
        name,
        arguments: { ...input },
        _meta: { ...meta },
      })
      const [first] = content
      return first?.type === 'text' ? first.text : ''
    },
    close: () => client.close(),
  }
}

describe('who asks over HTTP', () => {
  const own = { handle: 'aaa111' }
  const other = { handle: 'bbb222' }
  const unknown = 'no original is known as bbb222'

  it.each([
    ['by a header', { headers: { 'x-palimpsest-project': '/the%20project' } }, {}],
    ['by its roots', { roots: ['file:///the%20project'] }, {}],
    ['by the session that its calls name', {}, { sessionId: 'of the project' }],
    ['by the session in a header', { headers: { 'x-session-id': 'x' } }, null],
  ] as const)('is known %s, and reaches nothing else', async (_, options, meta) => {
    const client = await connect(options)
    const expected = meta === null ? 'no original is known as aaa111' : 'said in the project'
    expect(await client.call('context_restore', own, meta ?? {})).toBe(expected)
    expect(await client.call('context_restore', other, meta ?? {})).toBe(unknown)
    const named = await client.call('context_info', { session: 'elsewhere' }, meta ?? {})
    expect(named).toMatch(/^no session is called elsewhere/)
    await client.close()
  })

  it('and says nothing, gets an original of a session in use by its handle, and nothing else', async () => {
    const client = await connect({})
    expect(await client.call('context_restore', own)).toBe('said in the project')
    expect(await client.call('context_restore', { ...own, session: 'of the project' })).toBe(
      'no session is called of the project',
    )
    expect(await client.call('context_info')).toMatch(/^No session/)
    expect(await client.call('memory_add', { kind: 'decision', text: 'Use SQLite' })).toMatch(
      /^the project is not known/,
    )
    await client.close()
  })

  it('sees the memory of its own project, and of the user', async () => {
    const headers = { 'x-palimpsest-project': '/the project' }
    const [here, there] = [await connect({ headers }), await connect({ roots: ['file:///x'] })]
    await here.call('memory_add', { kind: 'decision', text: 'Use the gazelle protocol' })
    expect(await here.call('memory_list')).toContain('gazelle')
    expect(await there.call('memory_list')).not.toContain('gazelle')
    expect(await there.call('memory_search', { query: 'gazelle protocol' })).toBe('[]')
    const rooted = await connect({ roots: ['file:///the%20project'] })
    const resource = await rooted.client.readResource({ uri: 'palimpsest://memory/context' })
    expect(JSON.stringify(resource)).toContain('gazelle')
    const prompt = await rooted.client.getPrompt({
      name: 'with_memory',
      arguments: { task: 'change the gazelle protocol' },
    })
    expect(JSON.stringify(prompt)).toContain('Use the gazelle')
    await rooted.close()
    await here.close()
    await there.close()
  })

  it('is asked before anything is forgotten, in rounds that end with the answer', async () => {
    const [id] = memory.state.items.keys()
    const no = await connect({ roots: ['file:///x'], confirm: false })
    expect(await no.call('memory_forget', { ids: [id] })).toContain('palimpsest memory forget')
    const nobody = await connect({})
    expect(await nobody.call('memory_forget', { ids: [id] })).toContain('palimpsest memory forget')
    expect(memory.state.items.has(id ?? '')).toBe(true)
    const yes = await connect({ roots: ['file:///x'], confirm: true })
    expect(JSON.parse(await yes.call('memory_forget', { ids: [id] }))).toMatchObject({
      forgotten: [id],
    })
    for (const client of [no, nobody, yes]) await client.close()
  })

  it('and cannot be asked over a protocol without a way back, is told the command', async () => {
    const earlier = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} }, roots: {} } },
    )
    earlier.setRequestHandler('elicitation/create', async () => ({ action: 'cancel' }))
    const url = new URL(`${setting.gateway.url}/mcp`)
    await earlier.connect(new StreamableHTTPClientTransport(url))
    const text = 'the canteen is on the third floor'
    await earlier.callTool({ name: 'memory_add', arguments: { kind: 'fact', text } })
    const answer = await earlier.callTool({
      name: 'memory_forget',
      arguments: { search: 'canteen' },
    })
    expect(JSON.stringify(answer)).toContain('palimpsest memory forget --search canteen')
    await earlier.close()
  })
})

describe('the access table', () => {
  it('has a row for everything that the server offers, and the gateway starts with no other route', async () => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${setting.gateway.url}/mcp`)))
    const { tools } = await client.listTools()
    const { resources } = await client.listResources()
    const { prompts } = await client.listPrompts()
    const offered = [
      ...tools.map(({ name }) => name),
      ...resources.map(({ uri }) => uri),
      ...prompts.map(({ name }) => name),
    ]
    const rows = accessTable.filter(({ door }) => door === 'MCP')
    expect(rows.map(({ name }) => name).toSorted()).toEqual(offered.toSorted())
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true)
    const guarded = rows.filter(({ needsPerson }) => needsPerson)
    expect(destructive.map(({ name }) => name).toSorted()).toEqual(
      guarded.map(({ name }) => name).toSorted(),
    )
    await client.close()
    const route = { path: '/unheard', handle: () => {} }
    await expect(startSetting({ ownRoutes: [route] })).rejects.toThrow('has no row')
  })

  it('is the one in docs/security.md', () => {
    const text = readFileSync(path.join(projectRoot, 'docs', 'security.md'), 'utf8')
    const lines = accessTable.map(({ door, name, caller, reaches, needsPerson }) => {
      const cell = name.startsWith('/') || door === 'MCP' ? `\`${name}\`` : name
      return `| ${door} | ${cell} | ${caller} | ${reaches} | ${needsPerson ? 'yes' : ''} |`
    })
    expect(text).toContain(lines.join('\n'))
  })
})
