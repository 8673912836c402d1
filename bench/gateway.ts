// `npm run bench:gateway [-- --quick]`: what the gateway adds, beside decoding and parsing the same body, and beside a proxy
// of the same framework that only parses and forwards. All processes of their own; all ratios from one run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type InventedSession, inventedSession } from './gateway/bodies.ts'
import { type StartedProcess, startProcess } from './gateway/processes.ts'
import { quantile, send } from './gateway/send.ts'

interface Row {
  readonly what: string
  readonly value: string
  readonly limit: string
  readonly holds: boolean
}

const quick = process.argv.includes('--quick')
const [upstreamFile = '', proxyFile = '', command = ''] = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-'))
const environment = { ...process.env, PALIMPSEST_HOME: folder }

const startGateway = (upstream: string, store: string): Promise<StartedProcess> =>
  startProcess(
    command,
    [
      'serve',
      '--port',
      '0',
      '--store',
      path.join(folder, store),
      '--upstream',
      `anthropic=${upstream}`,
    ],
    environment,
  )

/** What a request of 200k tokens with 400 messages takes longer than without us, in multiples of parsing it. */
async function added(upstream: StartedProcess): Promise<readonly Row[]> {
  const gateway = await startGateway(upstream.url, 'added.db')
  const rounds = quick ? 30 : 120
  const gatewayMs: number[] = []
  const directMs: number[] = []
  const parseMs: number[] = []
  const name = 'added'
  const session = inventedSession({ name, bytes: 680_000, messages: 400 })
  for (let messages = 381; messages < 400; messages += 2)
    await send(gateway.url, session.body(messages), name)
  let receipt = ''
  for (let round = 0; round < rounds; round++) {
    // The session goes on by one turn each time, as an agent's does; the body stays about as long.
    const body = session.body(401 + 2 * (round % 10))
    const id = round % 10 === 0 ? `${name}-${round}` : `${name}-${round - (round % 10)}`
    if (round % 10 === 0) await send(gateway.url, session.body(399), id)
    const direct = await send(upstream.url, body, id)
    const through = await send(gateway.url, body, id)
    receipt = through.receipt
    const startedAt = performance.now()
    JSON.parse(new TextDecoder().decode(body))
    parseMs.push(performance.now() - startedAt)
    directMs.push(direct.firstByteMs)
    gatewayMs.push(through.firstByteMs)
  }
  await gateway.stop()
  const addedMs = gatewayMs.map((each, at) => each - (directMs[at] as number))
  const parse = quantile(parseMs, 0.5)
  const ratio = (share: number): number => quantile(addedMs, share) / parse
  const shown = (share: number): string =>
    `${quantile(addedMs, share).toFixed(1)} ms = ${ratio(share).toFixed(2)} × parse`
  return [
    { what: 'decode and parse, p50', value: `${parse.toFixed(1)} ms`, limit: '', holds: true },
    { what: 'added, p50', value: shown(0.5), limit: '≤ 2.5 ×', holds: ratio(0.5) <= 2.5 },
    { what: 'added, p99', value: shown(0.99), limit: '≤ 6 ×', holds: ratio(0.99) <= 6 },
    { what: 'the last receipt', value: receipt, limit: '', holds: receipt.includes('before=') },
  ]
}

/** Requests a second, each of several clients with a session of its own that goes on. */
async function throughput(upstream: StartedProcess): Promise<readonly Row[]> {
  const gateway = await startGateway(upstream.url, 'throughput.db')
  const proxy = await startProcess(proxyFile, [upstream.url])
  const clients = 4
  const turns = quick ? 12 : 40
  const perSecond = async (url: string, label: string): Promise<number> => {
    const sessions = Array.from({ length: clients }, (_, at) => `${label}-${at}`)
    const bodies = sessions.map((name) => {
      const session = inventedSession({ name, bytes: 680_000, messages: 400 })
      return Array.from({ length: turns + 1 }, (_, turn) => session.body(321 + 2 * turn))
    })
    // What a session has before it is measured is not measured.
    for (const [at, name] of sessions.entries())
      await send(url, bodies[at]?.shift() as Buffer, name)
    const startedAt = performance.now()
    await Promise.all(
      sessions.map(async (name, at) => {
        for (const body of bodies[at] ?? []) await send(url, body, name)
      }),
    )
    return (clients * turns * 1000) / (performance.now() - startedAt)
  }
  // Both are warm when they are measured.
  const rates: Record<string, number[]> = { gateway: [], proxy: [] }
  for (let round = 0; round < 3; round++) {
    rates.proxy?.push(await perSecond(proxy.url, `proxy-${round}`))
    rates.gateway?.push(await perSecond(gateway.url, `gateway-${round}`))
  }
  await Promise.all([gateway.stop(), proxy.stop()])
  const [ours, theirs] = [Math.max(...(rates.gateway ?? [])), Math.max(...(rates.proxy ?? []))]
  const share = ours / theirs
  return [
    {
      what: 'requests a second, of a proxy that parses',
      value: `${ours.toFixed(0)} of ${theirs.toFixed(0)} = ${(share * 100).toFixed(0)} %`,
      limit: '≥ 80 %',
      holds: share >= 0.8,
    },
  ]
}

/** A hundred sessions at once, with bodies of a megabyte. */
async function crowd(upstream: StartedProcess): Promise<readonly Row[]> {
  const gateway = await startGateway(upstream.url, 'crowd.db')
  const rounds = quick ? 3 : 8
  const sessions = Array.from({ length: 100 }, (_, at): readonly [string, InventedSession] => {
    const name = `crowd-${at}`
    return [name, inventedSession({ name, bytes: 1_000_000, messages: 200 })]
  })
  const failures: string[] = []
  const memory: number[] = []
  const watch = setInterval(() => memory.push(gateway.residentMb() ?? 0), 100)
  const peaks: number[] = []
  for (let round = 0; round < rounds; round++) {
    memory.length = 0
    await Promise.all(
      sessions.map(async ([name, session]) => {
        const body = session.body(185 + 2 * round)
        const sent = await send(gateway.url, body, name).catch((error: unknown) => String(error))
        if (typeof sent !== 'string' && sent.status === 200 && !sent.receipt.includes('bypass'))
          return
        failures.push(typeof sent === 'string' ? sent : `${sent.status} ${sent.receipt}`)
      }),
    )
    peaks.push(Math.max(...memory, gateway.residentMb() ?? 0))
  }
  clearInterval(watch)
  await gateway.stop()
  const [peak, settled, last] = [Math.max(...peaks), peaks.at(1) ?? 0, peaks.at(-1) ?? 0]
  return [
    {
      what: '100 sessions at once, errors',
      value: `${failures.length} ${failures[0] ?? ''}`.trim(),
      limit: '0',
      holds: failures.length === 0,
    },
    { what: 'memory, most', value: `${peak.toFixed(0)} MB`, limit: '< 600 MB', holds: peak < 600 },
    {
      what: 'memory, last round to second',
      value: `${last.toFixed(0)} / ${settled.toFixed(0)} MB`,
      limit: '≤ 1.15 ×',
      holds: last <= settled * 1.15,
    },
  ]
}

const upstream = await startProcess(upstreamFile, [])
try {
  const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)
  const parts = { added, throughput, crowd }
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) rows.push(...(await part(upstream)))
  }
  for (const { what, value, limit, holds } of rows)
    console.log(`${holds ? 'ok     ' : 'MISSED '} ${what.padEnd(44)} ${value.padEnd(34)} ${limit}`)
  if (rows.some(({ holds }) => !holds)) process.exitCode = 1
} finally {
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
}
