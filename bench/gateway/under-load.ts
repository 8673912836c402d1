import { setTimeout as sleep } from 'node:timers/promises'
import { inventedSession } from './invented-session.ts'
import type { Probe, StartedProcess } from './processes.ts'
import { quantile, send } from './send.ts'
import type { Row, Stage } from './stage.ts'

const paceMs = 20_000
/** Each answer streams for half of the time between two requests. */
const streamMs = 10_000
const session = { bytes: 400_000, messages: 200 }
/**
 * Sessions are at different lengths when the run begins, and a new one takes the place of one that has reached the longest, so
 * that they are as long at the end as at the first probe: a heap that grows is then a leak.
 */
const firstMessages = 151
const stepsOfSession = 30
/** The first probe comes after this share of the time, and the second at its end. */
const firstShare = 0.2
const mostGrowth = 1.1

/** Many sessions that stream at once through the gateway, and as many through the plain proxy at the same time. */
export async function underLoad(stage: Stage): Promise<readonly Row[]> {
  const [gateway, proxy] = [await stage.startGateway(), await stage.startProxy()]
  const parts = [measured(gateway), measured(proxy)] as const
  const [ours, plain] = parts
  const endsAt = performance.now() + stage.minutes * 60_000
  const clients = Array.from({ length: stage.sessions }, (_, index) =>
    parts.map((part, which) =>
      client(part, index, ((index + which / 2) / stage.sessions) * paceMs),
    ),
  ).flat()

  async function client(part: Measured, index: number, startMs: number): Promise<void> {
    await sleep(startMs)
    const firstStep = Math.floor((index * stepsOfSession) / stage.sessions)
    for (let step = firstStep; performance.now() < endsAt; step++) {
      const startedAt = performance.now()
      const at = step % stepsOfSession
      const name = `load-${index}.${Math.floor(step / stepsOfSession)}`
      const body = inventedSession({ name, ...session }).body(firstMessages + 2 * at)
      await part.send(body, name, at === 0 || step === firstStep)
      await sleep(Math.max(0, paceMs - (performance.now() - startedAt)))
    }
  }

  await sleep(firstShare * stage.minutes * 60_000)
  const early = await gateway.probe()
  await Promise.all(clients)
  const [late, beside] = [await gateway.probe(), await proxy.probe()]
  const [ourMs, plainMs] = parts.map(({ process }) => process.processorMs())
  await Promise.all([gateway.stop(), proxy.stop()])
  const delay = ({ delayMs: { p50, p99 } }: Probe): string =>
    `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
  const both = (values: readonly number[]): string =>
    `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)} ms`
  const sent = ({ firstByteMs, beginningMs }: Measured): number =>
    firstByteMs.length + beginningMs.length
  const each = (ms = Number.NaN, part: Measured): string => (ms / sent(part)).toFixed(1)
  return [
    { what: 'sessions, minutes', value: `${stage.sessions}, ${stage.minutes}` },
    {
      what: 'first byte under load, p50 / p99',
      value: `${both(ours.firstByteMs)}, plain proxy ${both(plain.firstByteMs)}`,
    },
    {
      what: `the same, first request (${firstMessages} messages)`,
      value: `${both(ours.beginningMs)}, plain proxy ${both(plain.beginningMs)}`,
    },
    {
      what: 'event loop delay, p50 / p99',
      value: `${delay(late)}, plain proxy ${delay(beside)}`,
    },
    {
      what: 'processor time of a request',
      value: `${each(ourMs, ours)} ms, plain proxy ${each(plainMs, plain)} ms`,
    },
    {
      what: `live heap after ${(firstShare * stage.minutes).toFixed(1)} and ${stage.minutes} minutes`,
      value: `${early.liveHeapMb.toFixed(0)} and ${late.liveHeapMb.toFixed(0)} MB`,
      limit: `≤ ${mostGrowth} ×`,
      isMissed: late.liveHeapMb > early.liveHeapMb * mostGrowth,
    },
    { what: 'descriptors', value: `${early.descriptors} and ${late.descriptors}` },
    {
      what: 'requests sent as they came',
      value: `${ours.bypasses.length} ${ours.bypasses[0] ?? ''}`.trim(),
    },
    {
      what: 'failed requests',
      value: `${ours.failures.length} of ${sent(ours)} ${ours.failures[0] ?? ''}`.trim(),
      isMissed: ours.failures.length > 0,
    },
  ]
}

interface Measured {
  readonly process: StartedProcess
  /** Of requests that go on with a session, and of those that begin one. */
  readonly firstByteMs: number[]
  readonly beginningMs: number[]
  readonly failures: string[]
  readonly bypasses: string[]
  send(body: Buffer, session: string, isFirst: boolean): Promise<void>
}

function measured(process: StartedProcess): Measured {
  return {
    process,
    firstByteMs: [],
    beginningMs: [],
    failures: [],
    bypasses: [],
    async send(body, name, isFirst) {
      try {
        const { status, receipt, firstByteMs } = await send(process.url, body, name, streamMs)
        ;(isFirst ? this.beginningMs : this.firstByteMs).push(firstByteMs)
        if (status !== 200) this.failures.push(`${status} ${receipt}`)
        else if (receipt.includes('bypass')) this.bypasses.push(receipt)
      } catch (error) {
        this.failures.push(String(error))
      }
    },
  }
}
