import { inventedSession } from './invented-session.ts'
import type { StartedProcess } from './processes.ts'
import { send } from './send.ts'
import type { Row, Stage } from './stage.ts'

const turnsOfPart = 80
/** Until here, nothing is pruned yet in the invented sessions. */
const firstTurns = 160
const middleTurns = 400
const lastTurns = 640
/** How much longer a turn may take in a long session. Processor time is counted in hundredths of a second. */
const mostGrowth = 1.25
const slackMs = 0.5

/**
 * Processor time of a turn in the two halves of a long session, minus the time of the plain proxy for the same bytes.
 * Bodies grow with a session, and every proxy has to copy them. The halves begin after the first changes and have several
 * epochs each, because the turn that opens an epoch rewrites the whole body and takes longer than the others.
 */
export async function workPerTurn(stage: Stage): Promise<readonly Row[]> {
  const [gateway, proxy] = [await stage.startGateway(), await stage.startProxy()]
  const rounds = stage.isQuick ? 2 : 6
  await session('warm-up', gateway, proxy)
  const sessions: (readonly number[])[] = []
  for (let round = 0; round < rounds; round++)
    sessions.push(await session(`turns-${round}`, gateway, proxy))
  await Promise.all([gateway.stop(), proxy.stop()])
  const between = (from: number, to: number): number =>
    mean(sessions.flatMap((parts) => parts.slice(from / turnsOfPart, to / turnsOfPart)))
  const first = between(0, firstTurns)
  const early = between(firstTurns, middleTurns)
  const late = between(middleTurns, lastTurns)
  return [
    {
      what: `work per turn, 1–${firstTurns} of ${lastTurns} turns`,
      value: `${first.toFixed(2)} ms beyond the proxy`,
    },
    {
      what: `work per turn, ${firstTurns + 1}–${middleTurns} and ${middleTurns + 1}–${lastTurns}`,
      value: `${early.toFixed(2)} and ${late.toFixed(2)} ms beyond the proxy`,
      limit: `≤ ${mostGrowth} ×`,
      isMissed: late > early * mostGrowth + slackMs,
    },
  ]
}

/** Milliseconds of processor time per turn, minus the proxy's, in each part of a session. */
async function session(
  name: string,
  gateway: StartedProcess,
  proxy: StartedProcess,
): Promise<readonly number[]> {
  const { body } = inventedSession({ name, bytes: 2_000_000, messages: 2 * lastTurns })
  const parts: number[] = []
  for (let from = 0; from < lastTurns; from += turnsOfPart) {
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
