import { inventedSession } from './bodies.ts'
import { figure, type Row, type Stage } from './row.ts'
import { quantile, send } from './send.ts'

/** Sessions go on from the first to the last of these, so that a measured request has 400 messages on average. */
const [firstMessages, lastMessages] = [381, 419]

/**
 * What a request of 200k tokens with 400 messages takes longer than without us, until the first byte of its answer, in
 * multiples of decoding and parsing it. Each request goes both ways, one right after the other.
 */
export async function added({ isQuick, upstream, startGateway }: Stage): Promise<readonly Row[]> {
  const gateway = await startGateway()
  const warmUps = 2
  const sessions = isQuick ? 4 : 30
  const gatewayMs: number[] = []
  const directMs: number[] = []
  const parseMs: number[] = []
  let processorMs = 0
  let receipt = ''
  for (let each = 0; each < warmUps + sessions; each++) {
    const name = `added-${each}`
    const bodies = bodiesOf(name)
    // The client makes no garbage while it measures.
    globalThis.gc?.()
    await send(gateway.url, bodies[0] as Buffer, name)
    const before = gateway.processorMs() ?? Number.NaN
    for (const body of bodies.slice(1)) {
      const direct = await send(upstream.url, body, name)
      const through = await send(gateway.url, body, name)
      receipt = through.receipt
      if (each < warmUps) continue
      directMs.push(direct.firstByteMs)
      gatewayMs.push(through.firstByteMs)
    }
    if (each < warmUps) continue
    processorMs += (gateway.processorMs() ?? Number.NaN) - before
    for (const body of bodies.slice(1)) {
      const startedAt = performance.now()
      JSON.parse(new TextDecoder().decode(body))
      parseMs.push(performance.now() - startedAt)
    }
  }
  await gateway.stop()
  const addedMs = gatewayMs.map((ms, at) => ms - (directMs[at] as number))
  const parse = quantile(parseMs, 0.5)
  const limited = (what: string, share: number, limit: number): Row => {
    const ms = quantile(addedMs, share)
    const value = `${ms.toFixed(1)} ms = ${(ms / parse).toFixed(2)} × parse`
    return { what, value, limit: `≤ ${limit} ×`, holds: ms <= limit * parse }
  }
  return [
    figure('decode and parse, p50', `${parse.toFixed(2)} ms, ${parseMs.length} times`),
    limited('added until the first byte, p50', 0.5, 2.5),
    limited('added until the first byte, p99', 0.99, 6),
    figure(
      'processor time of the gateway, a request',
      `${(processorMs / addedMs.length).toFixed(1)} ms`,
    ),
    { ...figure('the last receipt', receipt), holds: receipt.includes('before=') },
  ]
}

function bodiesOf(name: string): readonly Buffer[] {
  const session = inventedSession({ name, bytes: 680_000, messages: 400 })
  const bodies: Buffer[] = []
  for (let messages = firstMessages - 2; messages <= lastMessages; messages += 2)
    bodies.push(session.body(messages))
  return bodies
}
