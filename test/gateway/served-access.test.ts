import { writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayStatus } from '../../src/gateway/index.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const body = storyBodies('anthropic', { turns: 2 }).at(-1) as string
let served: ServedCommands

beforeAll(async () => {
  served = await serveCommands()
}, 120_000)
afterAll(() => served.stop())

const start = (...args: readonly string[]): Promise<Serving> => served.start('store.db', { args })

async function asked({ url }: Serving, host: string): Promise<number> {
  return (await post(`${url}${paths.anthropic}`, body, { host })).status
}

describe('serve', { timeout: 60_000 }, () => {
  it.each(['', '  '])('refuses the token "%s"', async (token) => {
    for (const more of [[], ['--host', '0.0.0.0']]) {
      const ending = await start('--token', token, ...more).catch(String)
      expect(ending).toMatch(/ended with 2: palimpsest: the token \(--token\) is empty/)
    }
  })

  it('refuses a host name that is none', async () => {
    const ending = await start('--allow-host', 'http://gateway.test').catch(String)
    expect(ending).toMatch(/ended with 2: .*--allow-host http:\/\/gateway.test is not a host name/)
  })

  it('answers to the names of the command line and of the configuration', async () => {
    const file = path.join(served.folder, 'palimpsest.jsonc')
    writeFileSync(file, JSON.stringify({ allowedHosts: ['one.test', '[fd00::1]:8787'] }))
    const serving = await start('--allow-host', 'host.docker.internal', '--allow-host', 'two.test')
    const names = [
      'one.test',
      '[fd00::1]:8787',
      'host.docker.internal:8787',
      'two.test',
      'localhost',
    ]
    for (const name of names) expect([name, await asked(serving, name)]).toEqual([name, 200])
    expect(await asked(serving, 'three.test')).toBe(403)
    writeFileSync(file, JSON.stringify({ allowedHosts: ['http://one.test'] }))
    expect(await start().catch(String)).toMatch(/ended with 2: .*`allowedHosts.*give a host name/)
    writeFileSync(file, '{}')
  })
})

describe('an error that nothing caught', { timeout: 60_000 }, () => {
  it('is logged in one line and counted, and open streams go on', async () => {
    const script = path.join(served.folder, 'throwing.mjs')
    const throwing = `process.on('SIGUSR2', () => {
      setImmediate(() => { throw new TypeError('thrown\\nby the test') })
      Promise.reject(new RangeError('rejected by the test'))
    })`
    writeFileSync(script, throwing)
    const within = ['env', `NODE_OPTIONS=--import=${pathToFileURL(script)}`]
    const serving = await served.start('other.db', { within })
    let end: () => void = () => {}
    served.upstream.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      end = () => response.end('data: 2\n\n')
    })
    const text = await new Promise<string>((resolve, reject) => {
      const url = `${serving.url}${paths.anthropic}`
      const request = http.request(url, { method: 'POST', agent: false }, async (response) => {
        let read = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          read += part
        })
        response.on('error', reject).on('end', () => resolve(read))
        serving.child.kill('SIGUSR2')
        for (let tries = 0; tries < 200 && !/thrown.*\n/.test(serving.errors); tries++)
          await sleep(25)
        end()
      })
      request.on('error', reject)
      request.end(body)
    })
    expect(text).toBe('data: 1\n\ndata: 2\n\n')
    const lines = serving.errors.trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^palimpsest: .*still serving: RangeError: rejected by the test at /),
      expect.stringMatching(/^palimpsest: .*still serving: TypeError: thrown by the test at /),
    ])
    const status = (await (await fetch(`${serving.url}/palimpsest/status`)).json()) as GatewayStatus
    expect(status.faults.internal).toBe(2)
    expect(await serving.end('SIGTERM')).toBe(0)
  })
})
