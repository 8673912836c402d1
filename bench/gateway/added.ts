import { inventedSession } from './bodies.ts'
import type { StartedProcess } from './processes.ts'
import { figure, type Row, type Stage } from './row.ts'
import { quantile, send } from './send.ts'

/** Sessions go on from the first to the last of these, so that a measured request has 400 messages on average. */
const [firstMessages, lastMessages] = [381, 419]
/** Until then V8 compiles the gateway's code, on other threads, in most of its requests. */
const warmUpSessions = 30
/** The machine has better and worse minutes: each round is compared with itself, and the one in the middle counts. */
const rounds = 5
const sessionsOfRound = 30
const sessionsOfProxy = 12

/**
 * What a request of 200k tokens with 400 messages takes longer than without us, until the first byte of its answer, in
 * multiples of decoding and parsing it. Each request goes both ways, one right after the other.
 */
export async function added(stage: Stage): Promise<readonly Row[]> {
  const { isQuick, upstream } = stage
  const [gateway, proxy] = [await stage.startGateway(), await stage.startProxy()]
  const client = createClient(gateway, upstream)
  const proxyClient = createClient(proxy, upstream)
  const cold = await client.round(isQuick ? 2 : warmUpSessions)
  const measured: Round[] = []
  const beside: Round[] = []
  await proxyClient.round(isQuick ? 1 : sessionsOfProxy)
  for (let round = 0; round < rounds; round++) {
    measured.push(await client.round(isQuick ? 2 : sessionsOfRound))
    beside.push(await proxyClient.round(isQuick ? 1 : sessionsOfProxy))
  }
  await Promise.all([gateway.stop(), proxy.stop()])
  const limited = (what: string, share: number, limit: number): Row => {
    const [least, middle, most] = multiplesAt(measured, share)
    const value = `${middle.toFixed(2)} × parse (${least.toFixed(2)} to ${most.toFixed(2)})`
    return { what, value, limit: `≤ ${limit} ×`, holds: middle <= limit }
  }
  const parseMs = measured.flatMap((round) => round.parseMs)
  const processorMs = measured.reduce((sum, round) => sum + round.processorMs, 0) / parseMs.length
  const both = (several: readonly Round[]): string =>
    [0.5, 0.99].map((share) => `${multiplesAt(several, share)[1].toFixed(2)} ×`).join(', ')
  return [
    figure(
      'decode and parse, p50',
      `${quantile(parseMs, 0.5).toFixed(2)} ms, ${parseMs.length} times`,
    ),
    limited(`added until the first byte, p50 of ${rounds} rounds`, 0.5, 2.5),
    limited(`added until the first byte, p99 of ${rounds} rounds`, 0.99, 6),
    figure('the same while it warmed up, p50 and p99', both([cold])),
    figure('the same through a proxy that only parses', both(beside)),
    figure('processor time of the gateway, a request', `${processorMs.toFixed(1)} ms`),
    { ...figure('the last receipt', client.receipt), holds: client.receipt.includes('before=') },
  ]
}

interface Round {
  readonly addedMs: readonly number[]
  readonly parseMs: readonly number[]
  /** Of the gateway, for all of its requests but those that begin a session. */
  readonly processorMs: number
}

/** The least of all rounds, the one in the middle, and the most. */
function multiplesAt(several: readonly Round[], share: number): readonly [number, number, number] {
  const multiples = several
    .map(({ addedMs, parseMs }) => quantile(addedMs, share) / quantile(parseMs, 0.5))
    .sort((one, other) => one - other)
  return [multiples[0] ?? 0, multiples[multiples.length >> 1] ?? 0, multiples.at(-1) ?? 0]
}

interface Client {
  /** Has so many sessions go through the gateway, one after the other. */
  round(sessions: number): Promise<Round>
  readonly receipt: string
}

function createClient(gateway: StartedProcess, upstream: StartedProcess): Client {
  let session = 0
  let receipt = ''
  return {
    async round(sessions) {
      const addedMs: number[] = []
      const parseMs: number[] = []
      let processorMs = 0
      for (let each = 0; each < sessions; each++) {
        const name = `added-${session++}`
        const bodies = bodiesOf(name)
        // The client makes no garbage while it measures.
        globalThis.gc?.()
        await send(gateway.url, bodies[0] as Buffer, name)
        const before = gateway.processorMs() ?? Number.NaN
        for (const body of bodies.slice(1)) {
          const direct = await send(upstream.url, body, name)
          const through = await send(gateway.url, body, name)
          receipt = through.receipt
          addedMs.push(through.firstByteMs - direct.firstByteMs)
        }
        processorMs += (gateway.processorMs() ?? Number.NaN) - before
        for (const body of bodies.slice(1)) {
          const startedAt = performance.now()
          JSON.parse(new TextDecoder().decode(body))
          parseMs.push(performance.now() - startedAt)
        }
      }
      return { addedMs, parseMs, processorMs }
    },
    get receipt() {
      return receipt
    },
  }
}

function bodiesOf(name: string): readonly Buffer[] {
  const session = inventedSession({ name, bytes: 680_000, messages: 400 })
  const bodies: Buffer[] = []
  for (let messages = firstMessages - 2; messages <= lastMessages; messages += 2)
    bodies.push(session.body(messages))
  return bodies
}
