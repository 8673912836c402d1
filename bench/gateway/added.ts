import { inventedSession } from './invented-session.ts'
import type { StartedProcess } from './processes.ts'
import { quantile, send } from './send.ts'
import type { Row, Stage } from './stage.ts'

/** The measured requests of each session have about 400 messages and 200k tokens. */
const [firstMessages, lastMessages] = [381, 419]

/** The time that the gateway and the plain proxy add to a direct request. */
export async function added(stage: Stage): Promise<readonly Row[]> {
  const gateway = measured(await stage.startGateway())
  const proxy = measured(await stage.startProxy())
  const [warmUpSessions, sessions] = stage.isQuick ? [2, 8] : [10, 60]
  for (let session = 0; session < warmUpSessions + sessions; session++) {
    if (session === warmUpSessions) for (const each of [gateway, proxy]) each.reset()
    const name = `added-${session}`
    const { body } = inventedSession({ name, bytes: 680_000, messages: 400 })
    await send(gateway.process.url, body(firstMessages - 2), name)
    for (let messages = firstMessages; messages <= lastMessages; messages += 2) {
      const request = body(messages)
      const direct = await send(stage.upstream.url, request, name)
      for (const each of [proxy, gateway]) await each.send(request, name, direct.firstByteMs)
    }
  }
  await Promise.all([gateway.process.stop(), proxy.process.stop()])
  const row = (what: string, figure: (of: Measured) => number): Row => ({
    what,
    value: `${figure(gateway).toFixed(1)} ms, plain proxy ${figure(proxy).toFixed(1)} ms`,
  })
  const { receipt } = gateway
  return [
    row('added to a request, p50', ({ addedMs }) => quantile(addedMs, 0.5)),
    row('added to a request, p99', ({ addedMs }) => quantile(addedMs, 0.99)),
    row('processor time of a request', ({ processorMs, addedMs }) => processorMs / addedMs.length),
    { what: 'requests measured', value: String(gateway.addedMs.length) },
    { what: 'last receipt', value: receipt, isMissed: !receipt.includes('before=') },
  ]
}

interface Measured {
  readonly process: StartedProcess
  readonly addedMs: number[]
  processorMs: number
  receipt: string
  send(body: Buffer, session: string, directMs: number): Promise<void>
  reset(): void
}

function measured(process: StartedProcess): Measured {
  return {
    process,
    addedMs: [],
    processorMs: 0,
    receipt: '',
    async send(body, session, directMs) {
      const before = process.processorMs()
      const { firstByteMs, receipt } = await send(process.url, body, session)
      this.processorMs += process.processorMs() - before
      this.addedMs.push(firstByteMs - directMs)
      this.receipt = receipt
    },
    reset() {
      this.addedMs.length = 0
      this.processorMs = 0
    },
  }
}
