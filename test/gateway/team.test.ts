import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nginxPath } from '../../scripts/nginx.mjs'
import { freePort, postgresFolder } from '../../scripts/postgres.mjs'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { openStore } from '../../src/store/index.ts'
import { bundledCommand } from '../bundled-program.ts'
import { type PostgresServer, startPostgres } from '../store/postgres.ts'
import { type Balancer, startNginx } from './nginx.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const isShort = process.env.PALIMPSEST_TEST_CLIENTS === 'newest'
const needs = '[npm test -- --all installs PostgreSQL and nginx]'
const canRun = postgresFolder() !== null && nginxPath() !== null
const turns = isShort ? 10 : 30
const kills = isShort ? 3 : 12

describe.skipIf(!canRun)(`three gateways behind nginx ${needs}`, () => {
  let folder: string
  let server: PostgresServer
  let store: string
  let upstream: RecordingUpstream
  let balancer: Balancer
  let startAt: (port: number) => Promise<Serving>
  const gateways = new Map<number, Serving>()

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'palimpsest team of three-'))
    upstream = await startRecordingUpstream()
    upstream.answerWith(async (response) => {
      await sleep(10)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"type":"message"}')
    })
    const command = await bundledCommand()
    server = await startPostgres()
    store = await server.database()
    startAt = (port) => serve({ command, store, upstream: upstream.url, home: folder, port })
    const ports = [await freePort(), await freePort(), await freePort()]
    for (const port of ports) gateways.set(port, await startAt(port))
    balancer = await startNginx(folder, await freePort(), ports)
  }, 120_000)
  afterAll(async () => {
    await balancer?.stop()
    for (const gateway of gateways.values()) await gateway.end('SIGKILL')
    await upstream?.stop()
    await server?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends a session request by request, each again until it is answered, and gives what the provider got for each. */
  async function send(session: Session, url = balancer.url): Promise<readonly Sent[]> {
    const sent: Sent[] = []
    for (const [at, body] of session.bodies.entries()) {
      const name = `${session.credential} ${at}`
      const headers = { 'x-api-key': session.credential, ...session.headers, 'x-step': name }
      let receipt: string | undefined
      for (let tries = 1; receipt === undefined; tries++) {
        expect(tries).toBeLessThan(20)
        const reply = await post(`${url}${paths[session.format]}`, body, headers).catch(() => null)
        if (reply?.status === 200) receipt = String(reply.headers['x-palimpsest'])
        else await sleep(100)
      }
      const arrived = upstream.received.filter(({ headers: each }) => each['x-step'] === name)
      sent.push({ receipt, bodies: arrived.map((each) => String(each.body)), original: body })
    }
    return sent
  }

  /** Kills a gateway like a lost machine, and starts another one in its place. */
  async function replace(port: number): Promise<void> {
    await gateways.get(port)?.end('SIGKILL')
    gateways.set(port, await startAt(port))
  }

  it('send the same bytes as one that is left alone, however often they are killed', async () => {
    const [first] = gateways.values()
    const alone = await Promise.all(sessions('alone').map((each) => send(each, first?.url)))
    let isOver = false
    const killing = (async () => {
      for (let kill = 0; kill < kills && !isOver; kill++) {
        await sleep(300)
        await replace([...gateways.keys()][kill % 3] as number)
      }
    })()
    const shared = await Promise.all(sessions('shared').map((each) => send(each)))
    isOver = true
    await killing
    for (const [at, requests] of shared.entries()) {
      const expected = alone[at]?.map(({ bodies }) => digest(bodies.at(-1)))
      for (const [step, { bodies, receipt }] of requests.entries()) {
        expect([at, step, receipt]).toEqual([at, step, expect.not.stringContaining('bypass')])
        // A request that was answered by nobody was sent again, in the same bytes.
        expect(new Set(bodies.map(digest))).toEqual(new Set([expected?.[step]]))
      }
    }
    const last = shared[0]?.at(-1)
    expect(last?.bodies.at(-1)?.length).toBeLessThan((last?.original.length ?? 0) / 2)
  }, 240_000)

  it('go on without the database, and use it again when it is back', async () => {
    let isOver = false
    const restarting = (async () => {
      await sleep(500)
      await server.stop()
      await sleep(1_500)
      await server.start()
      isOver = true
    })()
    const rounds: (readonly Sent[])[] = []
    for (let round = 0; !isOver || round < 1; round++)
      rounds.push(...(await Promise.all(sessions(`round ${round}`).map((each) => send(each)))))
    await restarting
    const all = rounds.flat()
    const bypassed = all.filter(({ receipt }) => receipt.startsWith('bypass'))
    expect(bypassed.length).toBeGreaterThan(0)
    for (const { receipt, bodies, original } of bypassed) {
      expect(receipt).toMatch(/reason=store-/)
      expect(bodies.at(-1)).toBe(original)
    }
    // The pause after a failure is ten seconds.
    await expect
      .poll(
        async () => {
          const [session] = sessions(`after ${Math.random()}`)
          const sent = await send(session as Session)
          return sent.some(({ receipt }) => receipt.startsWith('bypass'))
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe(false)
    const opened = await openStore({ kind: 'postgres', url: store })
    try {
      expect(await opened.check()).toEqual([])
    } finally {
      await opened.close()
    }
  }, 240_000)
})

interface Session {
  readonly format: BodyFormatName
  readonly credential: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: readonly string[]
}

interface Sent {
  readonly receipt: string
  /** What the provider got for the request, once for each time that it was sent. */
  readonly bodies: readonly string[]
  readonly original: string
}

/** Sessions with and without a name from their client, in three formats. */
function sessions(credential: string): readonly Session[] {
  const formats = ['anthropic', 'openai-chat', 'openai-responses', 'anthropic'] as const
  return formats.map((format, at) => ({
    format,
    credential: `${credential} ${at}`,
    headers: at % 2 === 0 ? { 'x-session-id': `${credential} ${at}` } : {},
    bodies: storyBodies(format, { turns, word: `word${at}`, prompt: `Task ${at}` }),
  }))
}

function digest(body: string | undefined): string {
  return `${body?.length} ${hash('sha256', body ?? '').slice(0, 12)}`
}
