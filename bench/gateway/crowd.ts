import { type InventedSession, inventedSession } from './bodies.ts'
import type { Row, Stage } from './row.ts'
import { send } from './send.ts'

/** A hundred sessions at once, with bodies of a megabyte. */
export async function crowd({ isQuick, startGateway }: Stage): Promise<readonly Row[]> {
  const gateway = await startGateway()
  const rounds = isQuick ? 3 : 8
  const sessions = Array.from({ length: 100 }, (_, at): readonly [string, InventedSession] => {
    const name = `crowd-${at}`
    return [name, inventedSession({ name, bytes: 1_000_000, messages: 200 })]
  })
  const failures: string[] = []
  const memory: number[] = []
  const watch = setInterval(() => memory.push(gateway.residentMb() ?? 0), 50)
  const peaks: number[] = []
  for (let round = 0; round < rounds; round++) {
    memory.length = 0
    // Ready before the first is sent: they are on their way at once.
    const bodies = sessions.map(([, session]) => session.body(185 + 2 * round))
    await Promise.all(
      sessions.map(async ([name], at) => {
        const sending = send(gateway.url, bodies[at] as Buffer, name)
        const sent = await sending.catch((error: unknown) => String(error))
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
