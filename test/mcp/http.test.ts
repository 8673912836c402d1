import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEngineMaker } from '../../src/gateway/line.ts'
import { unknownCaller } from '../../src/mcp/caller.ts'
import { mcpRoute } from '../../src/mcp/index.ts'
import { createInMemoryLog, Memory } from '../../src/memory/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'

let setting: Setting
const faults: unknown[] = []

beforeAll(async () => {
  const store = createMemoryStore()
  let items = 0
  const memory = new Memory({
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
    now: () => 1_000,
    onFault: (fault) => faults.push(fault),
  })
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
