import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import pc from 'picocolors'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chosenSetup } from '../../src/cli/chosen-store.ts'
import { loadConfig } from '../../src/config/load.ts'
import { bundledCommand } from '../bundled-program.ts'
import { captureRun } from '../captured-run.ts'
import { connectClient } from '../mcp/connected-client.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post } from './setting.ts'
import { storyBodies } from './story.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest named '))
const [home, team] = [path.join(folder, 'home'), path.join(folder, 'team')]
const file = path.join(team, 'team settings.jsonc')
const store = path.join(team, 'kept here', 'team.db')
const bodies = storyBodies('openai-chat')
const body = bodies.at(-1) as string
let upstream: RecordingUpstream
let command: string
let serving: Serving | undefined
let started = 0

beforeAll(async () => {
  for (const each of [home, team]) mkdirSync(each)
  // What the user has otherwise: the named file wins over it.
  writeFileSync(
    path.join(home, 'palimpsest.jsonc'),
    JSON.stringify({ store: path.join(home, 'other.db'), preset: 'compact' }),
  )
  upstream = await startRecordingUpstream()
  command = await bundledCommand()
}, 120_000)
afterEach(() => serving?.end('SIGTERM'))
afterAll(async () => {
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
})

function name(config: object): void {
  writeFileSync(file, JSON.stringify(config))
}

/** Without a store in the configuration, a new one. */
async function start(config: object, ...args: readonly string[]): Promise<Serving> {
  const upstreams = { local: `${upstream.url}/v1` }
  name({ upstreams, store: path.join(team, `${++started}.db`), ...config })
  serving = await serve({ command, home, args: ['--config', file, ...args] })
  return serving
}

/** What arrives of a long conversation. */
async function sent({ url }: Serving): Promise<string> {
  for (const each of bodies)
    expect((await post(`${url}/local/v1/chat/completions`, each)).status).toBe(200)
  return upstream.received.at(-1)?.body.toString() ?? ''
}

describe('serve --config FILE', () => {
  it('keeps sessions and memory in the store of FILE, where other commands find them with it', async () => {
    const served = await start({ store })
    expect(served.output).toContain(`sessions are stored in ${store}`)
    await sent(served)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)))
    const fact = { kind: 'fact', text: 'I live in Utrecht' }
    await client.callTool({ name: 'memory_add', arguments: fact })
    await client.close()
    await served.end('SIGTERM')
    const run = (...args: readonly string[]): ReturnType<typeof captureRun> =>
      captureRun([...args, '--config', file], { cwd: team, stepMs: Date.now() })
    expect(JSON.parse((await run('sessions', '--json')).out)).toHaveLength(1)
    expect((await run('memory', 'list')).out).toContain('Utrecht')
    expect((await run('store', 'check')).out).toBe('no problems found\n')
    expect(existsSync(path.join(home, 'other.db'))).toBe(false)
  }, 60_000)

  it('lets --store win over the store of FILE', async () => {
    const own = path.join(team, 'own.db')
    const served = await start({ store: '/proc/nope/x' }, '--store', own)
    expect(served.output).toContain(`sessions are stored in ${own}`)
  }, 60_000)

  it('says at once what is wrong with the store of FILE', async () => {
    await expect(start({ store: '/proc/nope/x' })).rejects.toThrow(
      /serve ended with 2: palimpsest: cannot open the store \/proc\/nope\/x: [^\n]+\n$/,
    )
    serving = undefined
  }, 60_000)

  it('prunes as FILE says, and sends to its upstreams', async () => {
    expect(await sent(await start({ preset: 'off' }))).toBe(body)
    await serving?.end('SIGTERM')
    expect(await sent(await start({ enabled: false }))).toBe(body)
    await serving?.end('SIGTERM')
    expect((await sent(await start({}))).length).toBeLessThan(body.length / 2)
  }, 60_000)

  it('tells the model what is remembered when FILE says so', async () => {
    for (const inject of [true, false]) {
      const remembered = path.join(team, `remembered ${inject}.db`)
      const add = ['memory', 'add', 'fact', 'I live in Utrecht', '--store', remembered]
      await captureRun(add, { cwd: team, stepMs: Date.now() })
      const served = await start({ store: remembered, memory: { inject } })
      expect((await sent(served)).includes('Utrecht')).toBe(inject)
      await served.end('SIGTERM')
    }
  }, 60_000)
})

it('serve shows its own sessions to MCP clients, also in a store in memory', async () => {
  const served = await start({ store: 'memory:' })
  const headers = { 'x-session-id': 'in memory' }
  expect((await post(`${served.url}/local/v1/chat/completions`, body, headers)).status).toBe(200)
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
    requestInit: { headers },
  })
  await client.connect(transport)
  const info = await client.callTool({ name: 'context_info', arguments: {} })
  expect(info.isError).not.toBe(true)
  expect(JSON.stringify(info.content)).toContain('Budget')
  await client.close()
}, 60_000)

it('mcp --config FILE uses the store of FILE', async () => {
  const kept = path.join(team, 'mcp.db')
  name({ store: kept })
  const client = await connectClient({ home, args: ['--config', file] })
  await client.value('memory_add', { kind: 'fact', text: 'I live in Utrecht' })
  await client.close()
  const { out } = await captureRun(['memory', 'list', '--store', kept], {
    cwd: team,
    stepMs: Date.now(),
  })
  expect(out).toContain('Utrecht')
}, 60_000)

it('every command gets all that FILE says from one place', () => {
  const all = { store, preset: 'acp', contextLimit: 5, protectedTools: ['x'], subAgents: false }
  name({ ...all, memory: { budgetTokens: 7 }, upstreams: { local: 'http://127.0.0.1:1/v1' } })
  const stream = process.stderr
  const terminal = {
    ...{ out: stream, err: stream, colors: pc.createColors(false), columns: 80, watched: false },
    ...{ cwd: team, home, now: Date.now },
  }
  expect(chosenSetup(terminal, { config: file })).toEqual({
    config: loadConfig({ cwd: team, home, config: file }),
    location: { kind: 'sqlite', path: store },
  })
})
