import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { bundledCommand } from '../bundled-program.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post, type Reply } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const home = mkdtempSync(path.join(tmpdir(), 'palimpsest-upstreams-'))
const bodies = storyBodies('openai-chat')
const body = bodies.at(-1) as string
let command: string
let one: RecordingUpstream
let other: RecordingUpstream
let serving: Serving | undefined

beforeAll(async () => {
  command = await bundledCommand()
  one = await startRecordingUpstream()
  other = await startRecordingUpstream()
}, 120_000)
afterEach(() => serving?.end('SIGTERM'))
afterAll(async () => {
  await one.stop()
  await other.stop()
  rmSync(home, { recursive: true, force: true })
})

async function start(upstreams: unknown, args: readonly string[] = []): Promise<Serving> {
  writeFileSync(path.join(home, 'palimpsest.jsonc'), JSON.stringify({ upstreams }))
  serving = await serve({ command, home, store: path.join(home, 'store.db'), args })
  return serving
}

async function arrivedAt(upstream: RecordingUpstream, reply: Reply): Promise<string | undefined> {
  expect(reply.status).toBe(200)
  return upstream.received.at(-1)?.url
}

it('are read from the configuration, the providers and names of your own alike', async () => {
  const { url, output } = await start({ local: `${one.url}/engine/v1`, openai: other.url })
  for (const each of bodies.slice(0, -1)) await post(`${url}/local/v1/chat/completions?a=1`, each)
  const below = await post(`${url}/local/v1/chat/completions?a=1`, body)
  expect(await arrivedAt(one, below)).toBe('/engine/v1/chat/completions?a=1')
  expect(one.received.at(-1)?.body.length).toBeLessThan(body.length / 2)
  const plain = await post(`${url}${paths['openai-chat']}`, body)
  expect(await arrivedAt(other, plain)).toBe(paths['openai-chat'])
  expect(output).toContain(`requests below /local go to ${one.url}/engine/v1`)
  expect(output).toContain(`requests for openai go to ${other.url}/`)
}, 60_000)

it('of the command line win over those of the configuration', async () => {
  const { url } = await start({ local: one.url }, ['--upstream', `local=${other.url}`])
  const reply = await post(`${url}/local/v1/chat/completions`, body)
  expect(await arrivedAt(other, reply)).toBe('/v1/chat/completions')
}, 60_000)

it.each([
  ['an address that is none', { local: 'here' }, /line 1: `upstreams.local`: give an address like/],
  ['a name that cannot stand in a path', { 'a b': 'http://x' }, /`upstreams.a b`/],
  ['a name that has another meaning', { mcp: 'http://x' }, /cannot be called "mcp"/],
])(
  'are refused with the reason for %s',
  async (_, upstreams, reason) => {
    const ending = await start(upstreams).catch(String)
    expect(ending).toMatch(/ended with 2/)
    expect(ending).toMatch(reason)
  },
  60_000,
)

const withSecrets = [
  ['a password', 'http://someone:SECRET@127.0.0.1:9/v1'],
  ['a user', 'http://SECRET@127.0.0.1:9/v1'],
  ['a query', 'http://127.0.0.1:9/v1?key=SECRET'],
  ['a fragment', 'http://127.0.0.1:9/v1#SECRET'],
] as const

it.each(withSecrets)(
  'are refused with %s in the address, which is not said again',
  async (_, address) => {
    const reason = /user, (a )?password, (a )?query or (a )?fragment.* credential with each request/
    const inFile = await start({ mine: address }).catch(String)
    expect(inFile).toMatch(/ended with 2: .*`upstreams.mine`/)
    expect(inFile).toMatch(reason)
    const asOption = await start({}, ['--upstream', `mine=${address}`]).catch(String)
    expect(asOption).toMatch(/ended with 2: .*--upstream mine/)
    expect(asOption).toMatch(reason)
    const unnamed = await start({}, ['--upstream', address]).catch(String)
    expect(unnamed).toMatch(/ended with 2: .*NAME=URL/)
    expect(`${inFile}${asOption}${unnamed}`).not.toContain('SECRET')
  },
  60_000,
)
