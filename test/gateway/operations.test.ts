import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hasProgram } from '../../scripts/system-package.mjs'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import { bypassReason } from '../../src/gateway/operations/bypass-reason.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { projectRoot } from '../model/project-root.ts'
import { countingAnswer } from './recording-upstream.ts'
import { type Setting, type SettingOptions, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting
afterEach(() => setting.stop())

const token = 'open-sesame'
const shared = { host: '0.0.0.0', token }

async function start(options: SettingOptions = {}): Promise<string> {
  setting = await startSetting(options)
  return `http://127.0.0.1:${setting.gateway.port}`
}

interface Found {
  readonly status: number
  readonly body: string
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Found> {
  const answer = await fetch(url, { headers })
  return { status: answer.status, body: await answer.text() }
}

/** The value of one series, by its whole name with labels. */
function seriesIn(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const served = async (): Promise<string> =>
  (await get(`http://127.0.0.1:${setting.gateway.port}/metrics`)).body

describe('health', () => {
  it('is open without a token on a shared host, where everything else requires one', async () => {
    const url = await start(shared)
    expect(await get(`${url}/healthz`)).toEqual({ status: 200, body: '{"status":"ok"}' })
    expect(await get(`${url}/readyz`)).toEqual({
      status: 200,
      body: '{"status":"ready","store":"ok"}',
    })
    expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200)
    for (const closed of ['/metrics', '/palimpsest/status'])
      expect([closed, (await get(`${url}${closed}`)).status]).toEqual([closed, 401])
    const bearer = { authorization: `Bearer ${token}` }
    expect((await get(`${url}/metrics`, bearer)).status).toBe(200)
    expect(setting.upstream.received).toEqual([])
  })

  it('stays ready without its store, because requests go on, unless the store is asked for', async () => {
    const down = async (): Promise<never> => {
      throw new PalimpsestError('store-unreachable', 'down')
    }
    const url = await start({ store: { ...createMemoryStore(), findSession: down } })
    const degraded = '{"status":"degraded","store":"store-unreachable"}'
    expect(await get(`${url}/readyz`)).toEqual({ status: 200, body: degraded })
    expect(await get(`${url}/readyz?store`)).toEqual({ status: 503, body: degraded })
  })

  it('counts a store that does not answer within two seconds as slow', {
    timeout: 20_000,
  }, async () => {
    const url = await start({
      store: { ...createMemoryStore(), findSession: () => new Promise(() => {}) },
    })
    expect((await get(`${url}/readyz`)).body).toBe('{"status":"degraded","store":"store-slow"}')
  })

  it('answers to the address that a probe connects to, where only names are allowed', async () => {
    const url = await start({ ...shared, allowedHosts: ['gateway.test'] })
    expect((await get(`${url}/healthz`)).status).toBe(200)
  })
})

describe('a path that no provider has', () => {
  const unknown = ['/health', '/favicon.ico', '/.env', '/status', '/api/tags', '/wp-login.php']

  it('answers 404 on a shared host, with and without a token, and is sent to nobody', async () => {
    const url = await start(shared)
    const credentials = { 'x-palimpsest-token': token, 'x-api-key': 'k', authorization: 'Bearer k' }
    for (const each of unknown)
      for (const headers of [{}, credentials])
        expect([each, (await get(`${url}${each}`, headers)).status]).toEqual([each, 404])
    expect(setting.upstream.received).toEqual([])
  })

  it('answers 404 on loopback unless it carries a credential', async () => {
    const url = await start()
    for (const each of unknown)
      expect([each, (await get(`${url}${each}`)).status]).toEqual([each, 404])
    expect(setting.upstream.received).toEqual([])
    expect((await get(`${url}/api/oauth/profile`, { authorization: 'Bearer k' })).status).toBe(200)
    expect((await get(`${url}/v1/files`)).status).toBe(200)
    expect(setting.upstream.received.map((each) => each.url)).toEqual([
      '/api/oauth/profile',
      '/v1/files',
    ])
  })
})

describe('metrics', () => {
  it('count requests, tokens, dollars, the cache, times and sessions', async () => {
    await start()
    setting.upstream.answerWith(countingAnswer())
    const bodies = storyBodies('anthropic', { turns: 12 })
    for (const body of bodies) await setting.post(paths.anthropic, body, { 'x-session-id': 's' })
    const text = await served()
    const status = setting.gateway.status()
    expect(status.changed).toBeGreaterThan(0)
    const value = (series: string): number | undefined => seriesIn(text, series)
    expect(value('palimpsest_requests_total{outcome="changed"}')).toBe(status.changed)
    expect(value('palimpsest_requests_total{outcome="unchanged"}')).toBe(
      status.requests - status.changed,
    )
    expect(value('palimpsest_estimated_tokens_total{stage="received"}')).toBe(status.tokens.before)
    expect(value('palimpsest_estimated_tokens_total{stage="sent"}')).toBe(status.tokens.after)
    const net =
      (value('palimpsest_saved_dollars_total') ?? 0) -
      (value('palimpsest_overspent_dollars_total') ?? 0)
    expect(net).toBeCloseTo(status.savedDollars, 9)
    expect(status.savedDollars).not.toBe(0)
    expect(value('palimpsest_sessions_in_memory')).toBe(1)
    expect(value('palimpsest_added_seconds_count')).toBe(bodies.length)
    expect(value('palimpsest_upstream_first_byte_seconds_count')).toBe(bodies.length)
    expect(value('palimpsest_upstream_answers_total{status="200"}')).toBe(bodies.length)
    expect(value('palimpsest_store_seconds_count{operation="append"}')).toBeGreaterThan(0)
    const [read, input] = ['cache_read', 'input'].map(
      (kind) => value(`palimpsest_usage_tokens_total{kind="${kind}"}`) ?? 0,
    ) as [number, number]
    const written = value('palimpsest_usage_tokens_total{kind="cache_write"}') ?? 0
    expect(read).toBeGreaterThan(0)
    expect(value('palimpsest_cache_hit_ratio')).toBeCloseTo(read / (read + input + written), 9)
  })

  it('count bypasses by reason, and errors of the store by code', async () => {
    const store = createMemoryStore()
    const full = async (): Promise<never> => {
      throw new PalimpsestError('store-full', 'no space')
    }
    await start({ store: { ...store, openSession: full } })
    await setting.post(paths.anthropic, storyBodies('anthropic', { turns: 2 }).at(-1) ?? '')
    await setting.post(paths.anthropic, '{"messages": 7}')
    await setting.post(paths.anthropic, 'x', { 'content-encoding': 'zip' })
    const text = await served()
    const reasons = ['store-full', 'not-understood', 'not-unpacked'].map((reason) =>
      seriesIn(text, `palimpsest_bypasses_total{reason="${reason}"}`),
    )
    expect(reasons).toEqual([1, 1, 1])
    expect(seriesIn(text, 'palimpsest_requests_total{outcome="bypassed"}')).toBe(3)
    expect(seriesIn(text, 'palimpsest_store_errors_total{code="store-full"}')).toBe(1)
  })

  it('have few reasons, whatever a request holds', () => {
    const reasons = ['not understood at messages.7: a text', 'invalid roles', 'A secret 5!']
    expect(reasons.map(bypassReason)).toEqual(['not-understood', 'invalid-change', 'other'])
  })

  it('are the ones that docs/team.md lists', async () => {
    await start()
    const text = await served()
    const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    )
    const docs = readFileSync(path.join(projectRoot, 'docs/team.md'), 'utf8')
    const listed = [...docs.matchAll(/^\| `(\w+)`[^|]*\| (counter|gauge|histogram) \|/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    )
    expect(listed.sort()).toEqual(names.sort())
  })

  it.skipIf(!hasProgram('promtool'))(
    'are good Prometheus text [npm test -- --all installs promtool]',
    async () => {
      await start()
      const [body = ''] = storyBodies('anthropic', { turns: 1 })
      await setting.post(paths.anthropic, body)
      const check = spawnSync('promtool', ['check', 'metrics'], {
        input: await served(),
        encoding: 'utf8',
      })
      expect([check.status, check.stderr]).toEqual([0, ''])
    },
  )
})
