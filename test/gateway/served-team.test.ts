import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { peopleUrl } from '../../src/gateway/operations/address.ts'
import { bundledCommand } from '../bundled-program.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let served: ServedCommands
beforeAll(async () => {
  served = await serveCommands()
}, 120_000)
afterAll(() => served.stop())

describe('serve on an address that others reach', { timeout: 60_000 }, () => {
  it('refuses to start without a token, says how to give one, and leaves nothing behind', async () => {
    const store = path.join(served.folder, 'never.db')
    const args = ['serve', '--host', '0.0.0.0', '--port', '0', '--store', store]
    const { PALIMPSEST_TOKEN: _, ...env } = process.env
    const run = spawnSync(process.execPath, [await bundledCommand(), ...args], {
      encoding: 'utf8',
      env: { ...env, PALIMPSEST_HOME: served.folder },
      timeout: 30_000,
    })
    expect([run.status, run.stderr]).toEqual([
      2,
      expect.stringMatching(/0\.0\.0\.0 requires a token.*--token.*PALIMPSEST_TOKEN/),
    ])
    expect(() => statSync(store)).toThrow(/ENOENT/)
  })

  it('prints an address that people can use, and takes the token from the environment', async () => {
    const serving = await served.start('shared.db', {
      args: ['--host', '0.0.0.0'],
      within: ['env', 'PALIMPSEST_TOKEN=from-the-environment'],
    })
    expect(serving.output).not.toContain('//0.0.0.0')
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${serving.url}/palimpsest/status`, { headers })).status
    expect([await ask({}), await ask({ 'x-palimpsest-token': 'from-the-environment' })]).toEqual([
      401, 200,
    ])
    await serving.end('SIGKILL')
  })

  it('prints the name that it was given', async () => {
    const serving = await served.start('named.db', {
      args: ['--host', '0.0.0.0', '--token', 't', '--allow-host', 'gateway.test'],
    })
    expect(serving.url).toMatch(/^http:\/\/gateway\.test:\d+$/)
    await serving.end('SIGKILL')
  })

  it.each([
    ['127.0.0.1', [], 'http://127.0.0.1:8787'],
    ['localhost', ['gateway.test'], 'http://localhost:8787'],
    ['::1', [], 'http://[::1]:8787'],
    ['10.1.2.3', [], 'http://10.1.2.3:8787'],
    ['0.0.0.0', ['gateway.test'], 'http://gateway.test:8787'],
    ['::', ['gateway.test:80'], 'http://gateway.test:80'],
  ])('shows %s with the names %j as %s', (host, names, url) => {
    expect(peopleUrl(host, 8787, names)).toBe(url)
  })

  it('shows an address of this machine where no name is known', () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const outside = own.filter(({ internal, family }) => !internal && family === 'IPv4')
    const { hostname } = new URL(peopleUrl('0.0.0.0', 8787))
    if (outside.length > 0) expect(outside.map(({ address }) => address)).toContain(hostname)
    else expect(hostname).not.toBe('0.0.0.0')
  })
})

describe('the log of receipts', { timeout: 60_000 }, () => {
  it('has a line for each request, without texts and keys', async () => {
    const file = path.join(served.folder, 'logs of today', 'requests.jsonl')
    const serving = await served.start('logged.db', { args: ['--log', file] })
    const bodies = storyBodies('anthropic', { turns: 4 })
    for (const body of bodies)
      await post(`${serving.url}${paths.anthropic}`, body, {
        'x-session-id': 's',
        'x-api-key': 'sk-secret-key',
      })
    expect(await serving.end('SIGTERM')).toBe(0)
    const text = readFileSync(file, 'utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(bodies.length)
    for (const line of lines.slice(1))
      expect(line).toMatchObject({
        kind: 'request',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        session: 's',
        owner: null,
        status: 200,
        tokens: { before: expect.any(Number), after: expect.any(Number) },
      })
    for (const secret of ['sk-secret-key', 'counter', 'Step 1', 'toolu_'])
      expect(text).not.toContain(secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is named by the configuration too, and one that cannot be written stops nothing', async () => {
    const config = path.join(served.folder, 'logging.jsonc')
    writeFileSync(config, JSON.stringify({ log: '/dev/null/never.jsonl' }))
    const serving = await served.start('unlogged.db', { args: ['--config', config] })
    for (const body of storyBodies('anthropic', { turns: 2 }))
      expect((await post(`${serving.url}${paths.anthropic}`, body)).status).toBe(200)
    await serving.end('SIGTERM')
    expect(serving.errors.match(/the log .*never\.jsonl cannot be written/g)).toHaveLength(1)
  })
})
