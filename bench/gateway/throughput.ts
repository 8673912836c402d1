import { inventedSession } from './bodies.ts'
import type { StartedProcess } from './processes.ts'
import { figure, processorMsEach, type Row, type Stage } from './row.ts'
import { send } from './send.ts'

const clients = 4

/** Requests a second, each of several clients with a session of its own that goes on. */
export async function throughput(stage: Stage): Promise<readonly Row[]> {
  const [gateway, proxy] = await Promise.all([stage.startGateway(), stage.startProxy()])
  const turns = stage.isQuick ? 12 : 40
  const rounds = stage.isQuick ? 3 : 5
  const ours: Rate[] = []
  const theirs: Rate[] = []
  // Both are warm when the best of them is measured.
  for (let round = 0; round < rounds; round++) {
    theirs.push(await rateOf(proxy, `round-${round}`, turns))
    ours.push(await rateOf(gateway, `round-${round}`, turns))
  }
  await Promise.all([gateway.stop(), proxy.stop()])
  const [gatewayBest, proxyBest] = [bestOf(ours), bestOf(theirs)]
  const share = gatewayBest.perSecond / proxyBest.perSecond
  const processor = [gatewayBest, proxyBest].map(({ processorMs }) => processorMs.toFixed(1))
  return [
    {
      what: 'requests a second, of a proxy that parses',
      value: `${gatewayBest.perSecond.toFixed(0)} of ${proxyBest.perSecond.toFixed(0)} = ${(share * 100).toFixed(0)} %`,
      limit: '≥ 80 %',
      holds: share >= 0.8,
    },
    figure('processor time a request, the proxy beside it', `${processor.join(' and ')} ms`),
  ]
}

interface Rate {
  readonly perSecond: number
  readonly processorMs: number
}

async function rateOf(process: StartedProcess, label: string, turns: number): Promise<Rate> {
  const sessions = Array.from({ length: clients }, (_, at) => `${label}-${at}`)
  const bodies = sessions.map((name) => {
    const session = inventedSession({ name, bytes: 680_000, messages: 400 })
    return Array.from({ length: turns + 1 }, (_, turn) => session.body(321 + 2 * turn))
  })
  globalThis.gc?.()
  // What a session has before it is measured is not measured.
  for (const [at, name] of sessions.entries())
    await send(process.url, bodies[at]?.shift() as Buffer, name)
  const startedAt = performance.now()
  const processorMs = await processorMsEach(process, clients * turns, async () => {
    await Promise.all(
      sessions.map(async (name, at) => {
        for (const body of bodies[at] ?? []) await send(process.url, body, name)
      }),
    )
  })
  return { perSecond: (clients * turns * 1000) / (performance.now() - startedAt), processorMs }
}

function bestOf(rates: readonly Rate[]): Rate {
  return rates.reduce((best, rate) => (rate.perSecond > best.perSecond ? rate : best))
}
