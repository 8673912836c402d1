import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEngineMaker } from '../../src/config/engine-maker.ts'
import type { Body, BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { type PartialUsage, wholeUsage } from '../../src/formats/usage.ts'
import { createDecider } from '../../src/gateway/decide.ts'
import { identityOf } from '../../src/gateway/identity.ts'
import { startGateway, upstreamsWith } from '../../src/gateway/index.ts'
import { receiptText } from '../../src/gateway/receipt.ts'
import { record } from '../../src/gateway/record.ts'
import { createUsageWriter } from '../../src/gateway/usage-writer.ts'
import type { Breach } from '../../src/gateway/verify/sample.ts'
import { createVerifier } from '../../src/gateway/verify/verifier.ts'
import { LiveSessions } from '../../src/session/live-sessions.ts'
import { createSteadyClock } from '../../src/session/steady-clock.ts'
import type { Store } from '../../src/store/index.ts'
import { post } from '../gateway/setting.ts'

/** What stands between an agent and its provider. */
export interface Door {
  send(body: string, headers: Readonly<Record<string, string>>): Promise<Passed>
  /** Its process ends, and another takes its place. */
  restart(): Promise<void>
  /** Has no room for bodies from now on, until the function that it returns is called. */
  fill?(): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface Passed {
  /** The body that the provider got. */
  readonly sent: string
  readonly receipt: string
}

export interface DoorOptions {
  readonly store: Store
  /** What the clock on the wall says, in milliseconds since 1970, and how long the machine has run. */
  readonly clock: { wall(): number; uptime(): number }
  /** The provider gets a body, and reports this usage; null when it reports none. */
  answer(body: string): object | null
  /** Reports come only with the answer to the next request. */
  readonly isLate?: boolean
  /** Gets every promise that a request broke, of those that `verify` checks. */
  readonly onBroken?: (breach: Breach) => void
}

const config = { toolMappings: [], warnings: [], limits: { bodyMegabytes: 4 } }

/** A body of the Messages API has `messages`; one of Responses has `input`. */
function formatOf(body: string): BodyFormatName {
  return body.includes('"messages":') ? 'anthropic' : 'openai-responses'
}

const paths = { anthropic: '/v1/messages', 'openai-responses': '/v1/responses' } as const

const roomBytes = 4 * 1024 * 1024

/** The real gateway over HTTP, in front of an upstream on another port. */
export async function openGateway(options: DoorOptions): Promise<Door> {
  let sent = ''
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    sent = Buffer.concat(parts).toString('utf8')
    const usage = options.answer(sent)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'msg_1', ...(usage === null ? {} : { usage }) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { store, clock } = options
  const start = () =>
    startGateway({
      store,
      config,
      upstreams: upstreamsWith({ anthropic: url, openai: url, gemini: url }),
      now: clock.wall,
      uptimeMs: clock.uptime,
    })
  let gateway = await start()
  return {
    async send(body, headers) {
      const path = paths[formatOf(body) as keyof typeof paths]
      const reply = await post(`${gateway.url}${path}`, body, headers)
      return { sent, receipt: String(reply.headers['x-palimpsest']) }
    },
    async restart() {
      await gateway.close(0)
      gateway = await start()
    },
    async fill() {
      const stalled = net.connect(gateway.port, '127.0.0.1')
      const head = `POST ${paths.anthropic} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${roomBytes}\r\n\r\n`
      await once(stalled, 'connect')
      stalled.write(`${head}${'x'.repeat(roomBytes - 1)}`)
      await sleep(100)
      return async () => {
        stalled.destroy()
        await sleep(50)
      }
    },
    async close() {
      await gateway.close(0)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** All of the gateway but its sockets, for thousands of sessions. */
export function openDecider(options: DoorOptions): Door {
  const { store, clock } = options
  let behind = start()
  return {
    async send(body, headers) {
      const format = formatOf(body)
      const { decide, writer, waiting, verifier } = behind
      const identity = identityOf({ headers, url: '/', format, body })
      const model = { format, purpose: 'answer', model: null } as const
      const decided = await decide({
        route: model,
        upstream: 'provider',
        identity,
        body,
        isLocal: true,
      })
      await verifier?.settle()
      const sent = textOf(decided.body)
      const reported = options.answer(sent)
      const usage = reported === null ? null : usageIn(format, reported)
      const answered = {
        status: 200,
        usage,
        firstByteMs: 1,
        error: null,
        isFallback: false,
        limits: null,
      }
      const client = { agent: null, billing: null }
      waiting.push(() => record({ model, decided, answered, client, at: clock.wall() }, writer))
      if (options.isLate !== true || waiting.length > 1) waiting.shift()?.()
      return { sent, receipt: receiptText(decided.receipt) }
    },
    async restart() {
      await behind.writer.settle()
      behind = start()
    },
    async close() {
      await behind.writer.settle()
    },
  }

  function start() {
    const maker = createEngineMaker(config)
    const writer = createUsageWriter(() => {})
    const sessions = new LiveSessions({ store, maker, settle: writer.settle, isLive: true })
    const { onBroken } = options
    const verifier =
      onBroken === undefined
        ? null
        : createVerifier({
            store,
            maker,
            settle: writer.settle,
            onVerified: (breaches) => breaches.forEach(onBroken),
            onFault(fault) {
              throw fault
            },
            share: 1,
            delayMs: 0,
          })
    const decide = createDecider({
      sessions,
      maker,
      models: undefined,
      regime: undefined,
      delegation: null,
      memory: null,
      pauses: { isPaused: () => false },
      restoreCommand: null,
      now: createSteadyClock({ now: clock.wall, uptimeMs: clock.uptime }),
    })
    const watched = verifier === null ? decide : verifier.watching(decide)
    return { decide: watched, writer, verifier, waiting: [] as (() => void)[] }
  }
}

function usageIn(format: BodyFormatName, usage: object) {
  const reported: PartialUsage = {}
  bodyFormats[format].wire.takeUsage({ usage: JSON.parse(JSON.stringify(usage)) }, reported)
  return wholeUsage(reported)
}

function textOf(body: Body): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
}
