import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../scripts/postgres.mjs'
import { openStore } from '../../../src/store/index.ts'
import { startNginx } from '../../gateway/nginx.ts'
import { type Serving, serve } from '../../gateway/serving.ts'
import { post } from '../../gateway/setting.ts'
import { type RunningModel, startModel } from '../../model/server.ts'
import { startPostgres } from '../../store/postgres.ts'
import { runStep } from '../run-step.ts'
import { startRelay } from './relay.ts'
import type { Exchange, PlannedClient, TeamPlan, TeamReport } from './team-plan.ts'

const clientHeader = 'x-test-client'
const requestHeader = 'x-test-request'
/** The database is away until a request has met it, but not for longer than this. */
const longestOutageMs = 30_000
/** A gateway leaves a database that failed alone for at most this long. */
const longestPauseMs = 10_000

type Noted = { -readonly [Key in keyof Exchange]: Exchange[Key] } & {
  readonly headers: Readonly<Record<string, string>>
}

/** Runs all clients at once through the team's gateways, and then sends what they sent through a single one. */
async function drive(plan: TeamPlan): Promise<TeamReport> {
  const noted = new Map(plan.clients.map(({ name }) => [name, [] as Noted[]]))
  // Their servers keep this process alive; the database's process does not.
  let models = await startModels(plan.clients)
  const database = await startPostgres()
  const store = await database.database()
  const trouble = { count: 0, kills: 0, databaseStops: 0, restarting: [] as Promise<void>[] }
  let outageEnds = 0
  const gateways = new Map<number, Serving>()

  const isAlone = (headers: { readonly [name: string]: unknown }): boolean =>
    headers['x-test-alone'] === 'yes'
  const provider = await startRelay({
    async pass({ headers, body }) {
      const name = String(headers[clientHeader])
      const request = noted.get(name)?.[Number(headers[requestHeader])]
      if (request !== undefined && isAlone(headers)) request.alone = body.toString('utf8')
      else if (request !== undefined) {
        request.arrived = body.toString('utf8')
        request.inOutage = Date.now() < outageEnds
        makeTrouble()
      }
      return { to: models.get(name)?.url ?? '' }
    },
    nameOf({ headers }) {
      const name = String(headers[clientHeader])
      const body = noted.get(name)?.[Number(headers[requestHeader])]?.body ?? ''
      return [name, isAlone(headers), body].join('\n')
    },
  })

  const start = (port: number, at = store): Promise<Serving> =>
    serve({ command: plan.palimpsest, store: at, upstream: provider.url, home: plan.home, port })

  function makeTrouble(): void {
    trouble.count++
    const isTime = [...noted.values()].every((each) => arrivals(each) >= plan.stopDatabaseAfter)
    if (isTime && trouble.databaseStops === 0) trouble.restarting.push(stopDatabase())
    if (trouble.count % plan.killEvery === 0) trouble.restarting.push(kill())
  }

  async function stopDatabase(): Promise<void> {
    trouble.databaseStops++
    outageEnds = Number.POSITIVE_INFINITY
    await database.stop()
    const endsAt = Date.now() + longestOutageMs
    while (!hasMetOutage([...noted.values()].flat()) && Date.now() < endsAt) await sleep(50)
    await database.start()
    outageEnds = Date.now() + longestPauseMs
  }

  async function kill(): Promise<void> {
    const [port, gateway] = [...gateways][Math.floor(Math.random() * gateways.size)] ?? []
    if (port === undefined || gateway === undefined) return
    // Until it is back, nobody kills it again.
    gateways.delete(port)
    trouble.kills++
    await gateway.end('SIGKILL')
    gateways.set(port, await startAgain(port))
  }

  /** As a service manager does: without its database, a gateway does not start. */
  async function startAgain(port: number): Promise<Serving> {
    for (;;) {
      const started = await start(port).catch(() => null)
      if (started !== null) return started
      await sleep(200)
    }
  }

  const ports = [await freePort(), await freePort(), await freePort()]
  for (const port of ports) gateways.set(port, await start(port))
  const balancer = await startNginx(plan.home, await freePort(), ports)

  const results = await Promise.all(
    plan.clients.map(async (client) => {
      const requests = noted.get(client.name) ?? []
      const numbers = new WeakMap<object, number>()
      const door = await startRelay({
        async pass(request) {
          const { path: where, body, headers } = request
          numbers.set(request, requests.length)
          const kept = Object.entries(headers).map(([name, value]) => [name, String(value)])
          const nothing = { answer: null, arrived: null, inOutage: false, alone: null }
          const sent = { path: where, body: body.toString('utf8'), ...nothing }
          requests.push({ ...sent, headers: Object.fromEntries(kept) })
          return { to: balancer.url, headers: headersOf(client, requests.length - 1) }
        },
        onAnswer(request, status, headers) {
          const own = requests[numbers.get(request) ?? -1]
          if (own !== undefined)
            own.answer = { status, receipt: String(headers['x-palimpsest'] ?? '') }
        },
      })
      const result = await run(client, door.url, plan)
      door.stop()
      return result
    }),
  )
  await Promise.all(trouble.restarting)
  await balancer.stop()
  for (const gateway of gateways.values()) await gateway.end('SIGTERM')
  const { problems, lost } = await examine(store, [...noted.values()].flat())

  for (const model of models.values()) await model.stop()
  models = await startModels(plan.clients)
  const single = await start(0, await database.database())
  for (const client of plan.clients) {
    for (const [at, request] of (noted.get(client.name) ?? []).entries()) {
      if (request.answer?.status !== 200) continue
      const headers = { ...request.headers, ...headersOf(client, at), 'x-test-alone': 'yes' }
      await post(`${single.url}${request.path}`, request.body, headers)
    }
  }
  await single.end('SIGTERM')
  for (const model of models.values()) await model.stop()
  await database.end()
  provider.stop()
  return {
    clients: plan.clients.map(({ name }, at) => ({
      result: results[at] ?? { code: null, errors: '' },
      requests: (noted.get(name) ?? []).map(({ headers: _, ...request }) => request),
    })),
    kills: trouble.kills,
    databaseStops: trouble.databaseStops,
    problems,
    lost,
  }
}

function hasMetOutage(requests: readonly Noted[]): boolean {
  return requests.some(({ answer }) => /(?:reason|unsaved)=store-/.test(answer?.receipt ?? ''))
}

function arrivals(requests: readonly Noted[]): number {
  return requests.filter(({ arrived }) => arrived !== null).length
}

function headersOf({ name }: PlannedClient, request: number): Readonly<Record<string, string>> {
  return { [clientHeader]: name, [requestHeader]: String(request) }
}

async function startModels(
  clients: readonly PlannedClient[],
): Promise<ReadonlyMap<string, RunningModel>> {
  const models = new Map<string, RunningModel>()
  for (const { name, scenario } of clients)
    models.set(name, await startModel({ scenario, seed: 11 }))
  return models
}

function run(client: PlannedClient, url: string, { timeoutMs }: TeamPlan) {
  const filled = (text: string): string => text.replaceAll('{url}', url)
  for (const { path: file, text } of client.files) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, filled(text))
  }
  const environment = Object.entries(client.environment).map(([name, value]) => [
    name,
    filled(value),
  ])
  const { step, folder } = client
  const filledStep = { ...step, args: step.args.map(filled) }
  return runStep(filledStep, Object.fromEntries(environment), { folder, timeoutMs })
}

/** Whether the store is whole, and has an original for every handle that a model saw. */
async function examine(url: string, requests: readonly Noted[]) {
  const store = await openStore({ kind: 'postgres', url })
  try {
    const problems = (await store.check()).map(({ where, message }) => `${where}: ${message}`)
    const handles = new Set(requests.flatMap(({ arrived }) => handlesIn(arrived ?? '')))
    const lost: string[] = []
    for (const handle of handles)
      if ((await store.original(handle)).kind === 'absent') lost.push(handle)
    return { problems, lost }
  } finally {
    await store.close()
  }
}

function handlesIn(body: string): readonly string[] {
  return [...body.matchAll(/restore(?:-[0-9a-f]{6})?'? ([0-9a-f]{6})\b/g)].map(
    ([, each = '']) => each,
  )
}

const parsed: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const plan = parsed as TeamPlan
writeFileSync(plan.report, JSON.stringify(await drive(plan)))
process.exit(0)
