import { inventedSession } from './invented-session.ts'
import type { StartedProcess } from './processes.ts'
import { send } from './send.ts'
import type { Row, Stage } from './stage.ts'

const longestTurns = 320
const turnsOfPart = 80
/** How much longer a turn may take in a long session. Processor time is counted in hundredths of a second. */
const mostGrowth = 1.25
const slackMs = 0.5

/**
 * Processor time of a turn, early and late in a long session, minus the time of the plain proxy for the same bytes. Bodies
 * grow with a session, and every proxy has to copy them.
 */
export async function workPerTurn(stage: Stage): Promise<readonly Row[]> {
  const [gateway, proxy] = [await stage.startGateway(), await stage.startProxy()]
  const rounds = stage.isQuick ? 2 : 6
  await session('warm-up', gateway, proxy)
  const early: number[] = []
  const late: number[] = []
  for (let round = 0; round < rounds; round++) {
    const parts = await session(`turns-${round}`, gateway, proxy)
    early.push(parts[1] as number)
    late.push(parts.at(-1) as number)
  }
  await Promise.all([gateway.stop(), proxy.stop()])
  const [earlyMs, lateMs] = [mean(early), mean(late)]
  return [
    {
      what: `work per turn, ${turnsOfPart}–${2 * turnsOfPart} and last ${turnsOfPart} of ${longestTurns} turns`,
      value: `${earlyMs.toFixed(2)} and ${lateMs.toFixed(2)} ms beyond the proxy`,
      limit: `≤ ${mostGrowth} ×`,
      isMissed: lateMs > earlyMs * mostGrowth + slackMs,
    },
  ]
}

/** Milliseconds of processor time per turn, minus the proxy's, in each part of a session. */
async function session(
  name: string,
  gateway: StartedProcess,
  proxy: StartedProcess,
): Promise<readonly number[]> {
  const { body } = inventedSession({ name, bytes: 1_000_000, messages: 2 * longestTurns })
  const parts: number[] = []
  for (let from = 0; from < longestTurns; from += turnsOfPart) {
    const bodies = Array.from({ length: turnsOfPart }, (_, at) => body(2 * (from + at) + 1))
    const [ours, plain] = [await sendAll(gateway, bodies, name), await sendAll(proxy, bodies, name)]
    parts.push((ours - plain) / turnsOfPart)
  }
  return parts
}

async function sendAll(
  to: StartedProcess,
  bodies: readonly Buffer[],
  name: string,
): Promise<number> {
  const before = to.processorMs()
  for (const each of bodies) await send(to.url, each, name)
  return to.processorMs() - before
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
