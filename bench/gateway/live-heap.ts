import { setTimeout as sleep } from 'node:timers/promises'
import { inventedSession } from './invented-session.ts'
import { send } from './send.ts'
import type { Row, Stage } from './stage.ts'

/** Enough sessions to fill the gateway's memory limit. After that, a new one begins every second. */
const fillSessions = 80
const paceMs = 1_000
const turnsOfSession = 6
const clients = 2
/** The heap is measured after this share of the time, and at its end. */
const firstShare = 0.2
const mostGrowth = 1.1

/** The gateway's heap after a collection, early and late in a run with changing sessions. */
export async function liveHeap({ minutes, startGateway }: Stage): Promise<readonly Row[]> {
  const gateway = await startGateway()
  const startedAt = performance.now()
  const elapsed = (): number => (performance.now() - startedAt) / 60_000
  const failures: string[] = []
  let sessions = 0

  async function client(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const name = `heap-${sessions++}`
      const { body } = inventedSession({ name, bytes: 600_000, messages: 200 })
      for (let turn = 0; turn < turnsOfSession; turn++) {
        const { status, receipt } = await send(gateway.url, body(187 + 2 * turn), name)
        if (status !== 200 || receipt.includes('bypass')) failures.push(`${status} ${receipt}`)
      }
      if (sessions > fillSessions) await sleep(paceMs * clients)
    }
  }
  async function heapWhen(isDone: () => boolean): Promise<number> {
    await Promise.all(Array.from({ length: clients }, () => client(isDone)))
    return (await gateway.probe()).liveHeapMb
  }

  const early = await heapWhen(() => sessions >= fillSessions && elapsed() >= firstShare * minutes)
  const earlyMinutes = elapsed()
  const late = await heapWhen(() => elapsed() >= minutes)
  await gateway.stop()
  const at = `${earlyMinutes.toFixed(1)} and ${minutes} minutes`
  return [
    {
      what: `live heap after ${at}`,
      value: `${early.toFixed(0)} and ${late.toFixed(0)} MB, ${sessions} sessions`,
      limit: `≤ ${mostGrowth} ×`,
      isMissed: late > early * mostGrowth,
    },
    {
      what: 'failed requests meanwhile',
      value: `${failures.length} ${failures[0] ?? ''}`.trim(),
      isMissed: failures.length > 0,
    },
  ]
}
