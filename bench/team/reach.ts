import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextFreePort } from '../../src/cli/free-port.ts'
import { startNginx } from '../../test/gateway/nginx.ts'
import { inventedSession } from '../gateway/invented-session.ts'
import { type StartedProcess, startProcess } from '../gateway/processes.ts'
import { quantile, send } from '../gateway/send.ts'
import { startPostgres } from './postgres.ts'

export interface ReachOptions {
  readonly sessions: number
  readonly minutes: number
  /** Every request goes to another gateway. Otherwise a session stays where it is known, as docs/team.md recommends. */
  readonly hops: boolean
  readonly programs: {
    readonly upstream: string
    readonly proxy: string
    readonly command: string
    readonly heapProbe: string
  }
}

const everyMs = 20_000
/** How long the answers stream. */
const streamMs = 3_000
/** The size of a session's body after this many messages. */
const body = { bytes: 200_000, messages: 200 }
/**
 * Sessions begin at different lengths, and a new one takes the place of one that has reached the longest, so that at any time
 * they are as long as two minutes after the start: a heap that grows is then a leak.
 */
const shortest = 21
const longest = 101
/** One in this many requests is also sent through the gateway on SQLite and through the plain proxy. */
const compared = 10

/** Sessions over nginx, three gateways and one PostgreSQL: errors, live heap, and the time to the first byte. */
export async function measureReach(options: ReachOptions): Promise<readonly string[]> {
  const { sessions, minutes, programs } = options
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-reach-'))
  const server = await startPostgres()
  const upstream = await startProcess([programs.upstream])
  const serve = (store: string): Promise<StartedProcess> =>
    startProcess(
      [
        '--expose-gc',
        '--import',
        programs.heapProbe,
        programs.command,
        'serve',
        ...['--port', '0', '--quiet', '--store', store, '--upstream', `anthropic=${upstream.url}`],
      ],
      { ...process.env, PALIMPSEST_HOME: folder },
    )
  const gateways = [await serve(server.url), await serve(server.url), await serve(server.url)]
  const single = await serve(path.join(folder, 'single.db'))
  const proxy = await startProcess([programs.proxy, upstream.url])
  const ports = gateways.map(({ url }) => Number(new URL(url).port))
  const balancer = await startNginx(folder, (await nextFreePort(18_787, '127.0.0.1')) ?? 0, ports, {
    isSticky: !options.hops,
  })
  const times = { team: [] as number[], single: [] as number[], proxy: [] as number[] }
  const result = { requests: 0, errors: 0, bypassed: 0 }
  const endsAt = Date.now() + minutes * 60_000
  const heaps: string[] = []
  const busyBefore = gateways.map((each) => each.processorMs())

  async function session(at: number): Promise<void> {
    const steps = (longest - shortest) / 2
    await sleep((everyMs * at) / sessions)
    for (let step = Math.floor((at * steps) / sessions); Date.now() < endsAt; step++) {
      const startedAt = Date.now()
      const name = `s${at}.${Math.floor(step / steps)}`
      const request = inventedSession({ name, ...body }).body(shortest + 2 * (step % steps))
      const sent = await send(balancer.url, request, name, streamMs).catch(() => null)
      result.requests++
      if (sent?.status !== 200) result.errors++
      else {
        times.team.push(sent.firstByteMs)
        if (sent.receipt.startsWith('bypass')) result.bypassed++
      }
      if (at % compared === 0) {
        times.single.push((await send(single.url, request, name, streamMs)).firstByteMs)
        times.proxy.push((await send(proxy.url, request, name, streamMs)).firstByteMs)
      }
      await sleep(Math.max(0, startedAt + everyMs - Date.now()))
    }
  }

  async function watchHeap(): Promise<void> {
    for (const at of [Math.min(2, minutes / 2), minutes]) {
      await sleep(Math.max(0, endsAt - (minutes - at) * 60_000 - Date.now()))
      const sizes = await Promise.all(gateways.map(async (each) => (await each.probe()).liveHeapMb))
      heaps.push(`after ${at} min ${sizes.map((size) => Math.round(size)).join(' + ')} MB`)
    }
  }

  try {
    await Promise.all([watchHeap(), ...Array.from({ length: sessions }, (_, at) => session(at))])
    const busy = gateways.map((each, at) => each.processorMs() - (busyBefore[at] as number))
    const total = busy.reduce((sum, ms) => sum + ms, 0)
    return [
      `${sessions} sessions for ${minutes} min${options.hops ? ', each request at another gateway' : ''}: ${result.requests} requests, ${result.errors} errors, ${result.bypassed} bypassed`,
      `  live heap of the gateways: ${heaps.join(', ')}`,
      `  processor time of the gateways: ${(total / result.requests).toFixed(1)} ms a request`,
      ...Object.entries(times).map(([name, all]) => {
        const [median, slow] = [0.5, 0.95].map((share) => quantile(all, share).toFixed(1))
        return `  ${name}: first byte after ${median} ms (median), ${slow} ms (95 %), ${all.length} requests`
      }),
    ]
  } finally {
    await balancer.stop()
    for (const each of [...gateways, single, proxy, upstream]) await each.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
